import type { Database, Queryable } from '../../platform/db/connection.ts'
import { isStaying } from '../../platform/db/leaving.ts'
import { perform, type Work } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { excerpt } from '../../platform/kernel/errors.ts'
import {
  day,
  dottedDate,
  fromTimestamp,
  hour,
  type Instant,
  moscowDate,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { quoted } from '../../platform/kernel/quoted.ts'
import {
  cabinetTables,
  credentialsEnd,
  credentialsState,
} from '../../warehouse/clients/cabinet-view.ts'
import type { Marketplace } from '../../warehouse/clients/marketplace.ts'
import { type News, tell } from '../../warehouse/events/news.ts'
import { type Cover, listCover } from '../../warehouse/metrics/cover.ts'
import { listLots, type StockLot } from '../../warehouse/stock/lot-queries.ts'
import { lowDaysOfUsers } from './people.ts'

/**
 * Finds what only time brings about, such as a missed deadline: no verb tells of it. Each look may find the same again,
 * because the same news are written once.
 */
export async function watchTime(db: Database, clock: Clock): Promise<void> {
  for (const watch of [watchDeadlines, watchCabinets, watchGoods]) {
    await perform(db, clock, { kind: 'service' }, async (work) => tell(work, await watch(work)))
  }
}

const nearMs = 3 * hour
/** What was missed earlier is no news. */
const missedMs = 6 * hour
const deadlinesMax = 500

interface DeadlineRow {
  client_id: string
  deadline_at: Timestamp
  orders: number
}

/** Orders that have not left and of which no news tell yet, counted by client and minute of the deadline; sandboxes come last. */
async function watchDeadlines({ tx, now, at }: Work): Promise<News[]> {
  const rows = await tx<DeadlineRow[]>`
    select w.client_id, w.deadline_at, w.orders from (
      select o.client_id, c.mode, date_trunc('minute', o.deadline_at) as deadline_at, count(*)::int as orders
      from orders o
      join clients c on c.id = o.client_id and not c.leaving and (c.mode = 'live' or ${isOpened(tx)})
      join cabinets k on k.client_id = o.client_id and k.id = o.cabinet_id and k.shipments = 'ours'
      where o.status in ('NEW', 'ASSEMBLING') and not o.observed
        and o.deadline_at > ${toTimestamp(now - missedMs)} and o.deadline_at <= ${toTimestamp(now + nearMs)}
      group by 1, 2, 3
    ) w
    where not exists (
      select from news n where n.client_id = w.client_id
        and n.kind = case when w.deadline_at <= ${at} then 'deadline_missed' else 'deadline_near' end
        and n.key = (extract(epoch from w.deadline_at) * 1000)::bigint::text)
    order by w.mode = 'test', w.deadline_at, w.client_id limit ${deadlinesMax}`
  return rows.map(({ client_id, deadline_at, orders }) => ({
    clientId: client_id,
    kind: deadline_at <= at ? 'deadline_missed' : 'deadline_near',
    key: String(fromTimestamp(deadline_at)),
    objectId: deadline_at,
    subject: `${dottedDate(deadline_at)}, ${deadline_at.slice(11, 16)}`,
    units: orders,
  }))
}

/**
 * Whether somebody has opened the sandbox `c` in the account. News that come with time are looked for in those
 * sandboxes alone.
 */
function isOpened(db: Queryable) {
  return db`exists (select from seller_sessions x where x.client_id = c.id and x.key_id is not null)`
}

const standsMs = 6 * hour
/** Days before the end of a key, the earliest warning first. */
const endDays = [21, 7, 1]

interface CabinetTroubleRow {
  client_id: string
  id: string
  marketplace: Marketplace
  state: string
  ends: Timestamp | null
  credentials_at: Timestamp
  sync_error: string | null
  synced_at: Timestamp | null
}

async function watchCabinets({ tx, now }: Work): Promise<News[]> {
  const rows = await troubledCabinets(tx, now)
  return rows.flatMap((row) => newsOfCabinet(row, now))
}

async function troubledCabinets(db: Queryable, now: Instant): Promise<CabinetTroubleRow[]> {
  const soon = toTimestamp(now + (endDays[0] ?? 0) * day)
  return db<CabinetTroubleRow[]>`
    select * from (
      select k.client_id, k.id, k.marketplace, k.credentials_at, k.sync_error, k.synced_at,
        ${credentialsState(db)} as state, ${credentialsEnd(db)} as ends
      from ${cabinetTables(db)} where k.active and k.credentials is not null and ${isStaying(db, 'k.client_id')}
    ) x
    where state = 'refused' or ends <= ${soon}
      or (sync_error is not null and synced_at < ${toTimestamp(now - standsMs)})
    order by client_id, id`
}

function newsOfCabinet(row: CabinetTroubleRow, now: Instant): News[] {
  const { client_id: clientId, id, marketplace, state, ends, credentials_at, sync_error } = row
  const key = `${id} ${fromTimestamp(credentials_at)}`
  if (state === 'refused') return [{ clientId, kind: 'key_refused', key, subject: marketplace }]
  const news: News[] = []
  const left = ends === null ? undefined : fromTimestamp(ends) - now
  const days = endDays.findLast((each) => left !== undefined && left <= each * day)
  if (ends !== null && days !== undefined) {
    const subject = `${marketplace}, до ${dottedDate(ends)}`
    news.push({ clientId, kind: 'key_ends', key: `${key} ${ends} ${days}`, subject })
  }
  const since = row.synced_at === null ? Number.POSITIVE_INFINITY : fromTimestamp(row.synced_at)
  if (sync_error !== null && since < now - standsMs) {
    news.push({ clientId, kind: 'sync_stands', key: `${id} ${since}`, subject: marketplace })
  }
  return news
}

const clientsAtOnce = 10
const lowGoodsMax = 500

/** Looks at the goods of each client once a day, at some clients at a time. */
async function watchGoods(work: Work): Promise<News[]> {
  const clients = await takeCoverWatches(work)
  return [...(await watchCover(work, clients)), ...(await watchLots(work, clients))]
}

/** Clients whose goods nobody has looked at today; they count as looked at when the transaction commits. */
async function takeCoverWatches({ tx, now }: Work): Promise<string[]> {
  const today = moscowDate(now)
  const rows = await tx<{ client_id: string }[]>`
    with due as (
      select c.id from clients c
      where not c.leaving and (exists (select from seller_members m where m.client_id = c.id) or c.mode = 'test' and ${isOpened(tx)})
        and not exists (select from news_watches w where w.client_id = c.id and w.cover_on >= ${today})
      order by c.mode = 'test', c.id limit ${clientsAtOnce}
    )
    insert into news_watches as w (client_id, cover_on) select id, ${today} from due
    on conflict (client_id) do update set cover_on = excluded.cover_on where w.cover_on < excluded.cover_on
    returning w.client_id`
  return rows.map(({ client_id }) => client_id)
}

/** Lots that expire soon or have expired: news once for each lot. */
async function watchLots({ tx, now }: Work, clients: readonly string[]): Promise<News[]> {
  const page = { limit: lowGoodsMax, after: undefined, counted: false } as const
  const found: News[] = []
  for (const client_id of clients) {
    const filter = { client_id, barcode: undefined, state: 'expiring' } as const
    const { items } = await listLots(tx, filter, page, moscowDate(now))
    found.push(...items.map(expiryNews))
  }
  return found
}

function expiryNews({ client_id: clientId, barcode, name, number, ...lot }: StockLot): News {
  const date = lot.expires_on ?? ''
  // `tell` cuts the end of what is too long. The date stands there, so the name is cut here.
  const subject = `${quoted(excerpt(name, 120))}, до ${dottedDate(date)}`
  const key = `${barcode} ${date} ${number}`
  return { clientId, kind: 'goods_expire', key, objectId: barcode, subject }
}

/** Goods that run low: news once a week for each product and each number of days that a user of the client calls low. */
async function watchCover({ tx, now }: Work, clients: readonly string[]): Promise<News[]> {
  const week = Math.floor(now / (7 * day))
  const page = { limit: lowGoodsMax, after: undefined, counted: false } as const
  const found = []
  for (const clientId of clients) {
    for (const lowDays of await lowDaysOfUsers(tx, clientId)) {
      const { items } = await listCover(tx, clientId, now, { state: 'low', lowDays }, page)
      found.push(...items.map((goods) => lowNews(clientId, goods, { week, lowDays })))
    }
  }
  return found
}

function lowNews(
  clientId: string,
  { barcode, name }: Cover,
  { week, lowDays }: { readonly week: number; readonly lowDays: number },
): News {
  const key = `${barcode} ${week} ${lowDays}`
  return { clientId, kind: 'cover_low', key, objectId: barcode, subject: name, lowDays }
}
