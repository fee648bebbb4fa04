import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import {
  countOf,
  emptyPage,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { areIds } from '../../platform/kernel/ids.ts'
import { count, integerOrNull, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { clientsOf } from '../clients/list-conditions.ts'

/** Lots as people and programs read them: a line for each date and number of goods, whose units sum to the balance. */

export const lotStates = ['expired', 'soon', 'good', 'unknown'] as const
export type LotState = (typeof lotStates)[number]

/** What lists of lots are asked for: a state, or all that has expired or expires soon. */
export const lotChoices = [...lotStates, 'expiring'] as const
export type LotChoice = (typeof lotChoices)[number]

export const lotStateWords: Readonly<Record<LotState, string>> = {
  expired: 'Срок истёк',
  soon: 'Скоро истечёт',
  good: 'Годен',
  unknown: 'Срок неизвестен',
}

const lotFields = {
  expires_on: textOrNull('Последний день годности, ГГГГ-ММ-ДД; null: срок неизвестен.'),
  number: Type.String({ description: 'Номер партии; пусто, если его нет.' }),
  quantity: count('Единиц на складе, вместе с собранными в заказы.'),
  picked: count('Из них собрано в заказы, которые ещё не ушли.'),
  days_left: integerOrNull(
    'Сколько дней осталось; отрицательно: срок прошёл; null: срок неизвестен.',
  ),
  state: oneOfValues(
    lotStates,
    'expired — срок прошёл, единицы под вопросом; soon — осталось меньше дней, чем задано у товара; good; unknown — срок неизвестен.',
  ),
}

/** As sellers see it. */
export const GoodsLot = Type.Object(
  {
    barcode: Type.String({ description: 'Штрихкод товара.' }),
    article: textOrNull('Артикул; null, если нет.'),
    name: Type.String({ description: 'Название товара.' }),
    ...lotFields,
  },
  { $id: 'GoodsLot', description: 'Партия товара: единицы с одним сроком годности и номером.' },
)
export type GoodsLot = Static<typeof GoodsLot>

const LotPlace = Type.Object({
  location_code: textOrNull('Код места; null, если неизвестно.'),
  sscc: textOrNull('Номер короба; null: вне коробов.'),
  quantity: count('Единиц этой партии здесь.'),
})

export const StockLot = Type.Object(
  {
    client_id: Type.String({ description: 'Клиент.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    barcode: Type.String({ description: 'Штрихкод товара.' }),
    name: Type.String({ description: 'Название товара.' }),
    article: textOrNull('Артикул; null, если нет.'),
    warn_days: count('Меньше стольких дней — скоро истечёт.'),
    ...lotFields,
    places: Type.Array(LotPlace, { description: 'Где лежит, не больше десяти мест.' }),
  },
  { $id: 'StockLot', description: 'Партия товара на складе.' },
)
export type StockLot = Static<typeof StockLot>

export interface LotFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[]
  readonly barcode: string | undefined
  readonly state: LotChoice | undefined
}

interface LotRow extends Omit<StockLot, 'places'> {
  readonly expires: string
  readonly day: string
  readonly places: StockLot['places'] | null
  readonly total: number
}

const placesMax = 10

/** Lots of one client or of all, those that expire first before others, unknown dates last of all. */
export async function listLots(
  db: Queryable,
  { client_id: client, warehouses, ...filter }: LotFilter,
  page: PageRequest,
  today: string,
): Promise<Page<StockLot>> {
  if (!areIds(client)) return emptyPage
  return lotsOfClients(db, { clients: clientsOf(db, client, warehouses), ...filter }, page, today)
}

interface LotsOfClients extends Pick<LotFilter, 'barcode' | 'state'> {
  /** Rows c (id). */
  readonly clients: Fragment
}

/** Like listLots, of any clients. */
export async function lotsOfClients(
  db: Queryable,
  filter: LotsOfClients,
  page: PageRequest,
  today: string,
): Promise<Page<StockLot>> {
  const lots = lotsOf(db, filter, today)
  const total = db`select count(*) from (${lots}) counted`
  const [expires, clientId, barcode, number] = page.after?.map(String) ?? []
  const behind =
    expires === undefined
      ? db``
      : db`where (expires, client_id, barcode, number)
          > (${expires}, ${clientId ?? ''}::uuid, ${barcode ?? ''} collate "C", ${number ?? ''} collate "C")`
  const rows = await db<LotRow[]>`
    select x.*, k.name as client_name, p.name, p.article, ${totalFor(db, total, page)} as total, (
      select json_agg(json_build_object('location_code', w.location_code, 'sscc', w.sscc, 'quantity', w.quantity))
      from (
        select l.code as location_code, n.sscc, s.quantity
        from stock_lots s
        left join boxes b on s.place = 'box' and b.client_id = s.client_id and b.id = s.place_id
        left join pallets t on t.client_id = b.client_id and t.id = b.pallet_id
        left join locations l on l.id = coalesce(
          case when s.place = 'location' then s.place_id end, b.location_id, t.location_id)
        left join storage_numbers n on n.client_id = b.client_id and n.object_id = b.id and n.kind = 'box'
        where s.client_id = x.client_id and s.barcode = x.barcode and s.expires_on = x.day
          and s.number = x.number and s.place <> 'picked'
        order by l.code, n.sscc limit ${placesMax}
      ) w
    ) as places
    from (select * from (${lots}) lots ${behind} order by expires, client_id, barcode, number limit ${page.limit + 1}) x
    join clients k on k.id = x.client_id
    join products p on p.client_id = x.client_id and p.barcode = x.barcode
    order by x.expires, x.client_id, x.barcode, x.number`
  return pageOf(rows, page, {
    view: ({ expires: _, day: __, total: ___, places, ...lot }) => ({
      ...lot,
      places: places ?? [],
    }),
    position: (row) => [row.expires, row.client_id, row.barcode, row.number],
    count: () => countOf(db, total),
  })
}

/** Rows of lots with their state; `expires` is their place in the order of the list. */
function lotsOf(db: Queryable, { clients, ...filter }: LotsOfClients, today: string): Fragment {
  const lotsOfState = {
    state: (state: LotChoice) =>
      state === 'expiring' ? db`l.state in ('expired', 'soon')` : db`l.state = ${state}`,
  }
  return db`
    select * from (
      select s.client_id, s.barcode, s.number, g.warn_days, s.expires_on as day,
        case when s.expires_on > '-infinity' then s.expires_on::text else '~' end collate "C" as expires,
        case when s.expires_on > '-infinity' then s.expires_on::text end as expires_on,
        sum(s.quantity)::bigint as quantity,
        coalesce(sum(s.quantity) filter (where s.place = 'picked'), 0)::bigint as picked,
        case when s.expires_on > '-infinity' then s.expires_on - ${today}::date end as days_left,
        case when s.expires_on = '-infinity' then 'unknown' when s.expires_on < ${today}::date then 'expired'
          when s.expires_on - ${today}::date < g.warn_days then 'soon' else 'good' end as state
      from ${clients}
      join stock_lots s on s.client_id = c.id
      join lot_goods g on g.client_id = s.client_id and g.barcode = s.barcode
      where true ${conditionsOf(
        db,
        { barcode: filter.barcode, state: filter.state },
        {
          barcode: (barcode) => db`s.barcode = ${barcode}`,
          // The state says the same; by this less is read of lots that are good for long.
          state: (state) =>
            state === 'expiring'
              ? db`s.expires_on > '-infinity' and s.expires_on < ${today}::date + g.warn_days`
              : db`true`,
        },
      )}
      group by s.client_id, s.barcode, s.number, s.expires_on, g.warn_days
    ) l
    where true ${conditionsOf(db, { state: filter.state }, lotsOfState)}`
}

/** The lots of one product of a client, the first to expire first; undefined where lots of it are not kept. */
export async function lotsOfGoods(
  db: Queryable,
  clientId: string,
  barcode: string,
  today: string,
): Promise<readonly StockLot[]> {
  const filter = { client_id: clientId, barcode, state: undefined }
  const { items } = await listLots(db, filter, { limit: lotsOfGoodsMax, after: undefined }, today)
  return items
}

/** Lots shown of one product. */
export const lotsOfGoodsMax = 500

export function sellersLot(lot: StockLot): GoodsLot {
  const { barcode, article, name, expires_on, number, quantity, picked, days_left, state } = lot
  return { barcode, article, name, expires_on, number, quantity, picked, days_left, state }
}

/** How many goods of a client have units that have expired, or that have fewer days left than their product says. */
export async function countExpiringGoods(
  db: Queryable,
  clientId: string,
  today: string,
): Promise<number> {
  return countOf(
    db,
    db`
      select count(distinct s.barcode) from stock_lots s
      join lot_goods g on g.client_id = s.client_id and g.barcode = s.barcode
      where s.client_id = ${clientId} and s.expires_on > '-infinity'
        and s.expires_on - ${today}::date < g.warn_days`,
  )
}
