import Type, { type Static } from 'typebox'
import type { Queryable } from '../../../platform/db/connection.ts'
import { inSnapshot } from '../../../platform/db/work.ts'
import type { Timestamp } from '../../../platform/kernel/moscow-time.ts'
import { count, momentOrNull, oneOfValues, textOrNull } from '../../../platform/kernel/schema.ts'
import { type OrderStatus, orderStatuses } from '../../../warehouse/orders/state.ts'

/** What an observed cabinet would have done here, compared with our stock. */

const itemsMax = 100

const ComparedItem = Type.Object({
  barcode: Type.String({ description: 'Штрихкод товара.' }),
  name: textOrNull('Название товара; null, если оно неизвестно.'),
  marketplace_units: Type.Integer({ description: 'Сколько показывает маркетплейс.' }),
  available: Type.Integer({ description: 'Сколько свободно на складе по журналу.' }),
  needed: count('Сколько ждут заказы, которые маркетплейс ещё не забрал.'),
})

export const CabinetObservation = Type.Object(
  {
    cabinet_id: Type.String({ description: 'Кабинет.' }),
    observed_since: momentOrNull('С какого времени кабинет наблюдают; null, если нет.'),
    observed_until: momentOrNull(
      'Когда наблюдение закончилось в последний раз; null, если ни разу.',
    ),
    orders: Type.Object(
      {
        total: count('Сколько заказов продавец увидел бы.'),
        units: count('Сколько в них единиц.'),
        without_barcode: count('В скольких строках товар неизвестен складу: их не собрать.'),
        by_status: Type.Array(
          Type.Object({
            status: oneOfValues(orderStatuses, 'Статус заказа.'),
            count: count('Сколько таких заказов.'),
          }),
        ),
      },
      { description: 'Заказы, которые видят только сотрудники.' },
    ),
    shipments: Type.Object(
      {
        open: count('Сколько отгрузок собирается.'),
        closed: count('Сколько закрыто.'),
        units: count('Сколько единиц ушло бы со склада с закрытыми.'),
      },
      { description: 'Отгрузки, собранные в кабинете.' },
    ),
    stock: Type.Object(
      {
        barcodes: count('По скольким товарам есть что сравнить.'),
        differing: count('По скольким маркетплейс показывает не то, что свободно на складе.'),
        missing_units: count('Скольких единиц не хватило бы на ждущие заказы.'),
        items: Type.Array(ComparedItem, {
          maxItems: itemsMax,
          description: `Где разница больше всего, до ${itemsMax} товаров.`,
        }),
      },
      { description: 'Цифры маркетплейса рядом с остатком склада.' },
    ),
  },
  {
    $id: 'CabinetObservation',
    description: 'Что сделал бы наблюдаемый кабинет и сходится ли он с остатком склада.',
  },
)
export type CabinetObservation = Static<typeof CabinetObservation>

/** Undefined where the client has no such cabinet. */
export function observationOf(
  db: Queryable,
  clientId: string,
  cabinetId: string,
): Promise<CabinetObservation | undefined> {
  return inSnapshot(db, async (tx) => {
    const [cabinet] = await tx<{ since: Timestamp | null; until: Timestamp | null }[]>`
      select observed_since as since, observed_until as until from cabinets
      where client_id = ${clientId} and id = ${cabinetId}`
    if (cabinet === undefined) return undefined
    const [orders, shipments, stock] = await Promise.all([
      observedOrders(tx, clientId, cabinetId),
      observedShipments(tx, clientId, cabinetId),
      comparedStock(tx, clientId, cabinetId),
    ])
    const { since, until } = cabinet
    const id = { cabinet_id: cabinetId, observed_since: since, observed_until: until }
    return { ...id, orders, shipments, stock }
  })
}

async function observedOrders(db: Queryable, clientId: string, cabinetId: string) {
  const rows = await db<
    { status: OrderStatus; count: number; units: number; without_barcode: number }[]
  >`
    select o.status, count(distinct o.id) as count, coalesce(sum(l.quantity), 0)::bigint as units,
      count(*) filter (where l.order_id is not null and l.barcode is null) as without_barcode
    from orders o left join order_lines l on l.client_id = o.client_id and l.order_id = o.id
    where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId} and o.observed
    group by o.status order by o.status`
  const sum = (of: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + of(row), 0)
  return {
    total: sum((row) => row.count),
    units: sum((row) => row.units),
    without_barcode: sum((row) => row.without_barcode),
    by_status: rows.map((row) => ({ status: row.status, count: row.count })),
  }
}

async function observedShipments(db: Queryable, clientId: string, cabinetId: string) {
  const [row] = await db<[{ open: number; closed: number; units: number }]>`
    with observed as (
      select client_id, id, status from shipments
      where client_id = ${clientId} and cabinet_id = ${cabinetId} and observed
    )
    select (select count(*) from observed where status = 'ASSEMBLING') as open,
      (select count(*) from observed where status <> 'ASSEMBLING') as closed, (
        select coalesce(sum(l.quantity), 0)::bigint
        from observed s
        join orders o on o.client_id = s.client_id and o.shipment_id = s.id
        join order_lines l on l.client_id = o.client_id and l.order_id = o.id
        where s.status <> 'ASSEMBLING' and o.status <> 'CANCELLED'
      ) as units`
  return row
}

type ComparedRow = Static<typeof ComparedItem> & {
  readonly barcodes: number
  readonly differing: number
  readonly missing: number
}

async function comparedStock(db: Queryable, clientId: string, cabinetId: string) {
  const rows = await db<ComparedRow[]>`
    with shown as (
      select barcode, sum(quantity) as units from (
        select barcode, warehouse_id, product, max(quantity) as quantity from marketplace_stock
        where client_id = ${clientId} and cabinet_id = ${cabinetId} group by 1, 2, 3
      ) m group by 1
    ), wanted as (
      select l.barcode, sum(l.quantity) as units
      from orders o join order_lines l on l.client_id = o.client_id and l.order_id = o.id
      where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId} and o.observed
        and o.status in ('NEW', 'ASSEMBLING') and l.barcode is not null
      group by 1
    ), compared as (
      select f.barcode, f.marketplace_units, f.needed,
        coalesce(b.quantity - b.in_question - b.reserved, 0) as available
      from (
        select barcode, coalesce(shown.units, 0)::bigint as marketplace_units,
          coalesce(wanted.units, 0)::bigint as needed
        from shown full join wanted using (barcode)
      ) f
      left join stock_balances b on b.client_id = ${clientId} and b.barcode = f.barcode
    )
    select c.*, p.name, count(*) over () as barcodes,
      count(*) filter (where marketplace_units <> available) over () as differing,
      coalesce(sum(greatest(needed - available, 0)) over (), 0)::bigint as missing
    from compared c
    left join products p on p.client_id = ${clientId} and p.barcode = c.barcode
    order by abs(marketplace_units - available) desc, c.barcode limit ${itemsMax}`
  const [first] = rows
  return {
    barcodes: first?.barcodes ?? 0,
    differing: first?.differing ?? 0,
    missing_units: first?.missing ?? 0,
    items: rows.map(({ barcode, name, marketplace_units, available, needed }) => ({
      barcode,
      name,
      marketplace_units,
      available,
      needed,
    })),
  }
}
