import Type from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { isId, newId } from '../../platform/kernel/ids.ts'
import {
  dottedDate,
  type Instant,
  midnight,
  type Timestamp,
} from '../../platform/kernel/moscow-time.ts'
import {
  calendarDay,
  integerOrNull,
  moment,
  momentOrNull,
  named,
  type Shown,
  textOrNull,
} from '../../platform/kernel/schema.ts'
import { tell } from '../events/news.ts'
import { stepsInForce } from './derive.ts'
import { factsOf } from './facts.ts'
import { roubles } from './money.ts'
import { type Provider, providerOn } from './providers.ts'
import { type BillingPeriod, billingScope, computeCharges, monthAfter, settledBy } from './run.ts'
import { serviceNames } from './service-list.ts'

/**
 * Closing a month freezes its charges and makes its act. Months are closed one after the other, when they are over. Writes
 * acts, and the closing of billing_periods.
 */

const money = (description: string) => Type.String({ examples: ['1250.00'], description })

export const Act = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор.' }),
    number: Type.Integer({ description: 'Номер: у клиента, подряд.' }),
    period: calendarDay('Расчётный период: первый день месяца.'),
    day: calendarDay('Дата акта: последний день периода.'),
    amount: money('Сумма начислений, рубли.'),
    vat_rate: integerOrNull('Ставка НДС в процентах; null — без НДС.'),
    vat: money('НДС, рубли.'),
    total: money('К оплате, рубли.'),
    provider_name: Type.String({ description: 'Исполнитель.' }),
    provider_inn: Type.String({ description: 'Его ИНН.' }),
    client_name: Type.String({ description: 'Заказчик.' }),
    client_inn: textOrNull('Его ИНН; null, если он не заполнен.'),
    made_at: moment('Когда составлен.'),
  },
  { $id: 'Act', description: 'Акт оказанных услуг.' },
)
export type Act = Shown<typeof Act>

export interface ActRow {
  id: string
  number: number
  month: string
  day: string
  /** Of whose days, where the client moved in the month. */
  warehouse_code: string | null
  amount: number
  vat_rate: number | null
  vat_included: boolean
  vat: number
  total: number
  provider: Provider
  client: { readonly name: string; readonly inn: string | null }
  created_at: Timestamp
}

export interface MonthState {
  /** Why it can't be closed now. */
  readonly problems: readonly string[]
  /** What it would be closed with though nobody is charged for it. */
  readonly unpriced: readonly { readonly name: string; readonly quantity: number }[]
  /** Warehouses of which nobody says who issues the act. */
  readonly without_provider: readonly string[]
  /** Goods without measures that lie there, where storage is charged by litre. */
  readonly unmeasured: number
}

interface MonthAsked {
  readonly month: string
  readonly now: Instant
}

/** What has to be done before a month of a client is closed. */
export async function stateOfMonth(
  db: Queryable,
  clientId: string,
  asked: MonthAsked,
): Promise<MonthState> {
  const { problems, withoutProvider, period } = await obstaclesOf(db, clientId, asked)
  const unpriced = period && (await unpricedFacts(db, clientId, period, asked.now))
  return {
    problems,
    unpriced: unpriced ?? [],
    without_provider: withoutProvider,
    unmeasured: period === undefined ? 0 : await countUnmeasured(db, clientId, asked.month),
  }
}

async function countUnmeasured(db: Queryable, clientId: string, month: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from stock_balances b
    where b.client_id = ${clientId} and b.quantity > 0
      and (select way from storage_terms where client_id = ${clientId} and first_day <= ${lastDayOf(month)}
        order by first_day desc limit 1) = 'litre'
      and not exists (
        select from product_measures m where m.client_id = b.client_id and m.barcode = b.barcode)`
  return row?.count ?? 0
}

interface Obstacles {
  readonly problems: readonly string[]
  readonly withoutProvider: readonly string[]
  /** The next one to be closed, if the month is that. */
  readonly period?: BillingPeriod
}

/** Why a month can't be closed. */
async function obstaclesOf(
  db: Queryable,
  clientId: string,
  { month, now }: MonthAsked,
): Promise<Obstacles> {
  const [first] = await db<BillingPeriod[]>`
    select month, warehouse_code as warehouse from billing_periods
    where client_id = ${clientId} and closed_at is null order by month limit 1`
  if (first === undefined || month < first.month) {
    return { problems: ['Месяц уже закрыт, или тарифа тогда не было'], withoutProvider: [] }
  }
  if (month > first.month) {
    return { problems: [`Сначала закройте ${first.month.slice(0, 7)}`], withoutProvider: [] }
  }
  const end = monthAfter(month)
  const withoutProvider: string[] = []
  for (const warehouse of await warehousesOf(db, clientId, first)) {
    if ((await providerOn(db, warehouse, lastDayOf(month))) === undefined)
      withoutProvider.push(warehouse)
  }
  const problems = [
    ...(settledBy(now) < midnight(end) ? ['Месяц ещё не закончился'] : []),
    ...withoutProvider.map((code) => noProvider(code, month)),
  ]
  return { problems, withoutProvider, period: first }
}

function noProvider(warehouse: string, month: string): string {
  const day = dottedDate(lastDayOf(month))
  return `Не заполнен исполнитель склада ${warehouse} на ${day}`
}

/**
 * The warehouses in which the client was on the days of its charges, the last one last. Without charges: where it was
 * at the end of the month.
 */
async function warehousesOf(
  db: Queryable,
  clientId: string,
  { month, warehouse }: BillingPeriod,
): Promise<string[]> {
  const rows = await db<{ code: string }[]>`
    select client_warehouse_on(client_id, day, ${warehouse}) as code from charges
    where client_id = ${clientId} and month = ${month} group by 1 order by max(day), 1`
  return rows.length === 0 ? [warehouse] : rows.map(({ code }) => code)
}

function lastDayOf(month: string): string {
  return new Date(midnight(monthAfter(month)) - 1).toISOString().slice(0, 10)
}

function unpricedFacts(db: Queryable, clientId: string, period: BillingPeriod, now: Instant) {
  const scope = billingScope(clientId, period, settledBy(now))
  return db<{ name: string; quantity: number }[]>`
    with facts (service, day, at, source, quantity, own_price) as materialized (${factsOf(db, scope)}),
    steps as materialized (${stepsInForce(db, scope)})
    select coalesce(s.name, f.service) as name, sum(f.quantity)::double precision as quantity
    from facts f left join (${serviceNames(db, clientId)}) s on s.code = f.service
    where f.own_price is null and not exists (
      select from charges c where c.client_id = ${clientId} and c.month = ${period.month} and c.service = f.service)
      and not exists (select from steps p where p.day = f.day and p.service = f.service)
    group by s.place, 1 order by s.place, 1`
}

/**
 * Closes a month and returns its act. If the client moved in the month, each provider gets an act, and the last one is
 * returned. Throws conflict with what is missing.
 */
export async function closeMonth(work: Work, clientId: string, month: string): Promise<string> {
  const { tx, now, at } = work
  await computeCharges(work, clientId)
  const { problems, period } = await obstaclesOf(tx, clientId, { month, now })
  if (period === undefined || problems.length > 0) throw conflict(problems.join('. '))
  await tx`
    update billing_periods set closed_at = ${at}, closed_by = ${actorText(work.actor)}
    where client_id = ${clientId} and month = ${month}`
  const warehouses = await warehousesOf(tx, clientId, period)
  const isWhole = warehouses.length === 1 && warehouses[0] === period.warehouse
  const subject = dottedDate(month.slice(0, 7))
  let act = ''
  for (const code of warehouses) {
    const provider = await providerOn(tx, code, lastDayOf(month))
    if (provider === undefined) throw conflict(noProvider(code, month))
    act = await makeAct(work, clientId, { month, provider, warehouse: isWhole ? null : code })
    await tell(work, [{ clientId, kind: 'act_issued', key: act, objectId: month, subject }])
  }
  return act
}

interface ActDraft {
  readonly month: string
  readonly provider: Provider
  /** Null: of all days of the month. */
  readonly warehouse: string | null
}

async function makeAct(
  { tx, at, actor }: Work,
  clientId: string,
  { month, provider, warehouse }: ActDraft,
): Promise<string> {
  const [{ amount }] = await tx<[{ amount: number }]>`
    select coalesce(sum(amount), 0)::bigint as amount from charges
    where client_id = ${clientId} and month = ${month}
      and (${warehouse}::text is null or client_warehouse_on(client_id, day, '') = ${warehouse})`
  const { vat, total } = vatOf(amount, provider)
  const id = newId()
  // The closing holds the client's periods, so acts get their numbers one after the other.
  await tx`
    insert into acts (client_id, id, number, month, day, warehouse_code, provider, client, vat_rate, vat_included, amount, vat, total,
      created_at, created_by)
    select ${clientId}, ${id}, (select coalesce(max(number), 0) + 1 from acts where client_id = ${clientId}), ${month},
      ${lastDayOf(month)}, ${warehouse}, ${tx.json(provider)}, json_build_object('name', c.name, 'inn', c.inn), ${provider.vat_rate},
      ${provider.vat_included}, ${amount}, ${vat}, ${total}, ${at}, ${actorText(actor)}
    from clients c where c.id = ${clientId}`
  return id
}

/** VAT of a sum in kopecks, rounded once. */
export function vatOf(
  amount: number,
  { vat_rate: rate, vat_included: included }: Pick<ActRow, 'vat_rate' | 'vat_included'>,
): { readonly vat: number; readonly total: number } {
  if (rate === null) return { vat: 0, total: amount }
  const vat =
    Math.sign(amount) * Math.round((Math.abs(amount) * rate) / (included ? 100 + rate : 100))
  return { vat, total: included ? amount : amount + vat }
}

const columns = (db: Queryable) =>
  db`id, number, month, day, warehouse_code, amount, vat_rate, vat_included, vat, total, provider, client, created_at`

/** The acts of a client, the latest month first. */
export async function listActs(
  db: Queryable,
  clientId: string,
  page: PageRequest,
): Promise<Page<Act>> {
  const counted = db`select count(*) from acts where client_id = ${clientId}`
  const after = page.after === undefined ? db`` : db`and number < ${Number(page.after[0])}`
  const rows = await db<(ActRow & { counted: number })[]>`
    select ${columns(db)}, ${totalFor(db, counted, page)} as counted from acts
    where client_id = ${clientId} ${after} order by number desc limit ${page.limit + 1}`
  return pageOf(
    rows.map(({ counted: total, ...act }) => ({ act, total })),
    page,
    {
      view: ({ act }) => actView(act),
      position: ({ act }) => [act.number],
      count: () => countOf(db, counted),
    },
  )
}

export async function findAct(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<ActRow | undefined> {
  if (!isId(id)) return undefined
  const [row] = await db<ActRow[]>`
    select ${columns(db)} from acts where client_id = ${clientId} and id = ${id}`
  return row
}

export function actView(row: ActRow): Act {
  return {
    id: row.id,
    number: row.number,
    period: row.month,
    day: row.day,
    amount: roubles(row.amount),
    vat_rate: row.vat_rate,
    vat: roubles(row.vat),
    total: roubles(row.total),
    provider_name: row.provider.name,
    provider_inn: row.provider.inn,
    client_name: row.client.name,
    client_inn: row.client.inn,
    made_at: row.created_at,
  }
}

export const ClientPeriod = Type.Object(
  {
    period: Act.properties.period,
    amount: money('Начислено, рубли.'),
    computed_at: momentOrNull('По какой момент посчитан; null — ещё не посчитан.'),
    closed_at: momentOrNull('Когда закрыт; null — открыт.'),
    act_id: textOrNull('Его акт.'),
  },
  { $id: 'BillingPeriod', description: 'Расчётный период клиента.' },
)
export type ClientPeriod = Shown<typeof ClientPeriod>

export const ClientPeriods = Type.Object(
  { items: Type.Array(named(ClientPeriod), { description: 'Месяцы, последний первым.' }) },
  { $id: 'BillingPeriods', description: 'Расчётные периоды клиента.' },
)

/** All months of a client, the latest first. */
export async function listPeriods(db: Queryable, clientId: string): Promise<ClientPeriod[]> {
  const rows = await db<
    {
      period: string
      amount: number
      computed_at: Timestamp | null
      closed_at: Timestamp | null
      act_id: string | null
    }[]
  >`
    select p.month as period, p.computed_at, p.closed_at, a.id as act_id, case when p.closed_at is null then coalesce(
      (select sum(c.amount) from charges c where c.client_id = p.client_id and c.month = p.month), 0)::bigint
      else a.amount end as amount
    from billing_periods p left join lateral (
      select (array_agg(id order by number desc))[1] as id, sum(amount)::bigint as amount
      from acts where client_id = p.client_id and month = p.month) a on true
    where p.client_id = ${clientId} order by p.month desc limit 120`
  return rows.map((row) => ({ ...row, amount: roubles(row.amount) }))
}
