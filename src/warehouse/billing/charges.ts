import Type from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import {
  countedMax,
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import { type Instant, moscowDate, type Timestamp } from '../../platform/kernel/moscow-time.ts'
import {
  calendarDay,
  count,
  momentOrNull,
  named,
  oneOfValues,
  type Shown,
  textOrNull,
} from '../../platform/kernel/schema.ts'
import { chargedObjects } from './manual.ts'
import { quantityText, roubles } from './money.ts'
import { serviceNames } from './service-list.ts'

/** Charges as both sides read them. */

export const chargeSources = [
  ...([
    'receipt',
    'order',
    'shipment',
    'return',
    'count',
    'product',
    'storage',
    'manual',
    'month',
  ] as const),
] as const

const money = (description: string) => Type.String({ examples: ['1250.00'], description })

const ChargeSource = Type.Object(
  {
    kind: oneOfValues(
      chargeSources,
      'receipt — приёмка, order — заказ, shipment — отгрузка, return — приём возвратов, count — пересчёт, product — ' +
        'товар, storage — хранение за день, manual — начислено вручную, month — месяц целиком.',
    ),
    id: Type.String({
      description:
        'Идентификатор; у товара — штрихкод, у хранения — день, у месяца — его первый день.',
    }),
    number: textOrNull(
      'Номер, как его знают люди; у начисленного вручную — того, к чему оно относится; null, если его нет.',
    ),
    comment: textOrNull(
      'За что начислили вручную; когда посчитали короба и паллеты за день, если не сразу после него.',
    ),
  },
  { $id: 'ChargeSource', description: 'За что начислено.' },
)

export const Charge = Type.Object(
  {
    period: calendarDay('Расчётный период: первый день месяца.'),
    day: calendarDay('День услуги по Москве; раньше периода — поправка к закрытому месяцу.'),
    service: Type.String({ description: 'Код услуги.' }),
    service_name: Type.String({ description: 'Услуга по-русски.' }),
    unit: Type.String({ description: 'За что цена.' }),
    quantity: Type.String({ examples: ['12'], description: 'Количество, до трёх знаков.' }),
    price: money('Цена за единицу, рубли.'),
    amount: money('Сумма, рубли: количество × цена до копейки. В поправке — разница сумм.'),
    tariff: textOrNull('Версия тарифа; null — цена не из тарифа.'),
    source: named<Shown<typeof ChargeSource>>(ChargeSource),
  },
  { $id: 'Charge', description: 'Начисление.' },
)
export type Charge = Shown<typeof Charge>

const ChargedObject = Type.Object(
  {
    kind: oneOfValues(chargedObjects, 'Приёмка, заказ, отгрузка, приём возвратов, пересчёт.'),
    id: Type.String({ description: 'Идентификатор.' }),
  },
  { description: 'К чему относится начисленное вручную.' },
)
type ChargedObject = Shown<typeof ChargedObject>

export const StaffCharge = Type.Object(
  {
    ...Charge.properties,
    object: Type.Union([ChargedObject, Type.Null()], {
      description: 'К чему относится начисленное вручную; null — ни к чему, или посчитано складом.',
    }),
  },
  { $id: 'StaffCharge', description: 'Начисление, как его читает склад.' },
)
type StaffCharge = Shown<typeof StaffCharge>

export interface ChargeFilter {
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
  /** In the month of a period. */
  readonly period?: Instant | undefined
  readonly service?: string | undefined
  /** Of days on which the client was in this warehouse, of a client that moved. */
  readonly warehouse?: string | undefined
  /** Kind and id, such as `order:<id>`; what was charged by hand for it, too. */
  readonly source?: string | undefined
}

function matching(db: Queryable, clientId: string, filter: ChargeFilter) {
  const conditions = conditionsOf<Required<ChargeFilter>>(db, filter as Required<ChargeFilter>, {
    from: (from) => db`c.day >= ${moscowDate(from)}`,
    to: (to) => db`c.day < ${moscowDate(to)}`,
    period: (period) => db`c.month = month_of(${moscowDate(period)}::date)`,
    service: (service) => db`c.service = ${service}`,
    warehouse: (code) => db`client_warehouse_on(c.client_id, c.day, '') = ${code}`,
    source: (source) => db`(c.source = ${source} or c.source in (
      select 'manual:' || id from manual_charges
      where client_id = ${clientId} and object_kind || ':' || object_id = ${source}))`,
  })
  return db`c.client_id = ${clientId} ${conditions}`
}

interface ChargeRow {
  month: string
  day: string
  service: string
  service_name: string
  unit: string
  source: string
  step: number
  quantity: string
  price: number
  amount: number
  tariff: string | null
  number: string | null
  comment: string | null
  object_kind: ChargedObject['kind'] | null
  object_id: string
}

/** Entries of earlier versions may name anything. */
const idPattern = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

const key = ['day', 'service', 'source', 'step', 'month'] as const

/** The charges of a client, the latest day first; the order is that of the primary key. */
export function listCharges(
  db: Queryable,
  clientId: string,
  filter: ChargeFilter,
  page: PageRequest,
): Promise<Page<Charge>> {
  return readCharges(db, { clientId, filter, view: chargeView }, page)
}

/** The same, as staff read them. */
export function listStaffCharges(
  db: Queryable,
  clientId: string,
  filter: ChargeFilter,
  page: PageRequest,
): Promise<Page<StaffCharge>> {
  return readCharges(db, { clientId, filter, view: staffChargeView }, page)
}

interface ChargesAsked<View> {
  readonly clientId: string
  readonly filter: ChargeFilter
  readonly view: (row: ChargeRow) => View
}

async function readCharges<View>(
  db: Queryable,
  { clientId, filter, view }: ChargesAsked<View>,
  page: PageRequest,
): Promise<Page<View>> {
  const where = matching(db, clientId, filter)
  const counted = db`
    select count(*) from (select from charges c where ${where} limit ${countedMax}) counted`
  const [day, service, source, step, month] = page.after ?? []
  const after =
    page.after === undefined
      ? db``
      : db`and (c.day, c.service, c.source, c.step, c.month)
          < (${String(day)}::date, ${String(service)}, ${String(source)}, ${Number(step)}::smallint, ${String(month)}::date)`
  const order = db`c.day desc, c.service desc, c.source desc, c.step desc, c.month desc`
  const rows = await db<(ChargeRow & { total: number })[]>`
    select c.month, c.day, c.service, coalesce(s.name, c.service) as service_name, coalesce(s.unit, '') as unit,
      c.source, c.step, c.quantity, c.price, c.amount, c.tariff, coalesce(m.comment, ${lateCount(db)}) as comment,
      m.object_kind, o.id as object_id, ${numberOfObject(db)} as number,
      ${totalFor(db, counted, page)} as total
    from (select * from charges c where ${where} ${after} order by ${order} limit ${page.limit + 1}) c
    left join (${serviceNames(db, clientId)}) s on s.code = c.service
    left join manual_charges m on m.client_id = c.client_id
      and m.id = case when c.source like 'manual:%' then substr(c.source, 8)::uuid end
    cross join lateral (
      select coalesce(m.object_kind, split_part(c.source, ':', 1)) as kind,
        coalesce(case when m.object_id ~ ${idPattern} then m.object_id end, substr(c.source, strpos(c.source, ':') + 1)) as id) o
    order by ${order}`
  return pageOf(rows, page, {
    view,
    position: (row) => key.map((name) => row[name]),
    count: () => countOf(db, counted),
  })
}

/**
 * Boxes and pallets have no ledger. Those of a day are the ones that lay there when they were counted, at most an hour
 * after the day.
 */
function lateCount(db: Queryable) {
  return db`
    case when c.service in ('STORAGE_BOX_DAY', 'STORAGE_PALLET_DAY') then (
      select to_char(k.taken_at, '"Посчитано" DD.MM.YYYY "в" HH24:MI, "не сразу после этого дня"') from storage_days k
      where k.client_id = c.client_id and k.day = c.day
        and k.taken_at not between (c.day + 1)::timestamptz and (c.day + 1)::timestamptz + interval '1 hour') end`
}

/** Of what it was for; by hand, of the object that somebody named. */
function numberOfObject(db: Queryable) {
  const of = (table: string, name: string) => db`
    (select ${db(`x.${name}`)} from ${db(table)} x where x.client_id = c.client_id and x.id = o.id::uuid)`
  return db`
    case o.kind
      when 'receipt' then ${of('receipts', 'number')}
      when 'order' then ${of('orders', 'external_id')}
      when 'shipment' then ${of('shipments', 'external_id')}
      when 'return' then ${of('return_batches', 'number')}
      when 'product' then o.id end`
}

function chargeView(row: ChargeRow): Charge {
  const [kind = '', ...id] = row.source.split(':')
  return {
    period: row.month,
    day: row.day,
    service: row.service,
    service_name: row.service_name,
    unit: row.unit,
    quantity: quantityText(row.quantity),
    price: roubles(row.price),
    amount: roubles(row.amount),
    tariff: row.tariff,
    source: {
      kind: kind as (typeof chargeSources)[number],
      id: id.join(':'),
      number: row.number,
      comment: row.comment,
    },
  }
}

function staffChargeView(row: ChargeRow): StaffCharge {
  const { object_kind: kind, object_id: id } = row
  return { ...chargeView(row), object: kind === null ? null : { kind, id } }
}

const ChargedService = Type.Object(
  {
    service: Charge.properties.service,
    service_name: Charge.properties.service_name,
    unit: Charge.properties.unit,
    quantity: Charge.properties.quantity,
    amount: money('Сумма, рубли.'),
    charges: count('Сколько начислений.'),
  },
  { $id: 'ChargedService', description: 'Начислено за услугу.' },
)
const ChargedDay = Type.Object(
  { day: Charge.properties.day, amount: money('Сумма, рубли.') },
  { $id: 'ChargedDay', description: 'Начислено за день.' },
)
export const ChargeSummary = Type.Object(
  {
    amount: money('Всего, рубли.'),
    services: Type.Array(named<Shown<typeof ChargedService>>(ChargedService), {
      description: 'По услугам.',
    }),
    days: Type.Array(named<Shown<typeof ChargedDay>>(ChargedDay), {
      description: 'По дням, в которые что-то начислено.',
    }),
    computed_at: momentOrNull(
      'По какой момент посчитаны открытые месяцы; null — ещё не посчитаны.',
    ),
  },
  { $id: 'ChargeSummary', description: 'Сколько начислено.' },
)
export type ChargeSummary = Shown<typeof ChargeSummary>

interface SummaryRow {
  services: {
    service: string
    service_name: string
    unit: string
    quantity: string
    amount: number
    charges: number
  }[]
  days: { day: string; amount: number }[]
  computed_at: Timestamp | null
}

/** Sums of the charges by service and by day. */
export async function sumCharges(
  db: Queryable,
  clientId: string,
  filter: ChargeFilter,
): Promise<ChargeSummary> {
  const [row] = await db<[SummaryRow]>`
    with c as materialized (
      select c.service, c.day, c.quantity, c.amount from charges c where ${matching(db, clientId, filter)}
    ),
    by_service as (
      select c.service, coalesce(s.name, c.service) as service_name, coalesce(s.unit, '') as unit, s.place,
        sum(c.quantity)::text as quantity, sum(c.amount)::bigint as amount, count(*) as charges
      from c left join (${serviceNames(db, clientId)}) s on s.code = c.service group by 1, 2, 3, 4
    )
    select
      coalesce((select json_agg(to_json(b) order by place, service) from by_service b), '[]') as services,
      coalesce((
        select json_agg(json_build_object('day', day, 'amount', amount) order by day)
        from (select day, sum(amount)::bigint as amount from c group by day) d), '[]') as days,
      (select max(computed_at) from billing_periods where client_id = ${clientId}) as computed_at`
  return {
    amount: roubles(row.days.reduce((sum, { amount }) => sum + amount, 0)),
    services: row.services.map(({ service, service_name, unit, quantity, amount, charges }) => {
      return {
        service,
        service_name,
        unit,
        quantity: quantityText(quantity),
        amount: roubles(amount),
        charges,
      }
    }),
    days: row.days.map(({ day, amount }) => ({ day, amount: roubles(amount) })),
    computed_at: row.computed_at,
  }
}
