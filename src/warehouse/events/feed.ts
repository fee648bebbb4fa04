import { type Database, inTransaction, type Transaction } from '../../platform/db/connection.ts'
import type { HeldPoll } from '../../platform/db/held-polls.ts'
import type { TransactionMode } from '../../platform/db/transaction.ts'
import { perform } from '../../platform/db/work.ts'
import type { Actor } from '../../platform/kernel/actor.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { rateLimited, ServiceError } from '../../platform/kernel/errors.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import type { SubscribableType } from './catalogue.ts'
import { beginAt, keepRecording } from './recording.ts'

/**
 * The feed: all events of a client in one order that never changes.
 *
 * An event gets its position when somebody reads so far: under the lock of the client's row in
 * `event_feeds`, after its transaction has committed. So no event appears before a position that was given
 * out, however long its transaction took, and no writer waits for another. Of one object, events keep the
 * order of its changes, because numbers are drawn under the lock of the object's row.
 *
 * Pings are not in the feed.
 */

/** A place in one recording of a client: after the event with this position. */
export interface FeedPosition {
  readonly recording: string
  readonly position: number
}

export interface FeedRequest {
  /** Undefined: from the oldest event that is kept. */
  readonly after: FeedPosition | 'latest' | undefined
  /** Undefined: all types. */
  readonly types: readonly SubscribableType[] | undefined
  /** From 1 on. */
  readonly limit: number
}

export interface FeedPage {
  /** The events as they are sent, oldest first. */
  readonly bodies: readonly string[]
  readonly next: FeedPosition
  readonly hasMore: boolean
  /** Since when events are recorded. */
  readonly since: Timestamp
}

/** The position that a caller has belongs to another recording, or its events are no longer kept. */
export interface LostPosition {
  readonly lostSince: Timestamp
}

/** Positions that one call looks through, so that a rare type costs no scan of the whole feed. */
const windowMax = 10_000
const placedAtOnce = 5_000
const useNotedEveryMs = 60 * 60 * 1000

interface FeedRow {
  readonly recording: string
  readonly since: Timestamp
  readonly used_at: Timestamp
  readonly last_position: number
  readonly dropped_position: number
  readonly unplaced: boolean
}

interface Feed extends FeedRow {
  readonly events: readonly { readonly position: number; readonly body: string }[]
}

export interface FeedDependencies {
  readonly db: Database
  readonly clock: Clock
}

/** Who reads, and how long the reader waits for locks. */
export interface FeedReader {
  readonly clientId: string
  readonly actor: Actor
  readonly mode: TransactionMode
}

/** A feed may vanish while it is read, by a reset of its sandbox: then a new one begins. */
const readsMax = 5

/** Reads a page. The first call of a client begins its recording. Throws rate_limited where resets come without a pause. */
export async function readFeed(
  dependencies: FeedDependencies,
  reader: FeedReader,
  request: FeedRequest,
): Promise<FeedPage | LostPosition> {
  for (let read = 1; read <= readsMax; read++) {
    const feed = await readPlaced(dependencies, reader, request)
    if (feed !== undefined) return pageOf(feed, request)
  }
  throw rateLimited(1)
}

/** The feed, with positions for its events. Undefined where it vanished meanwhile. */
async function readPlaced(
  dependencies: FeedDependencies,
  reader: FeedReader,
  request: FeedRequest,
): Promise<Feed | undefined> {
  const { db, clock } = dependencies
  const { clientId, mode } = reader
  let feed = await readRows(db, clientId, request)
  if (feed === undefined || clock.now() - Date.parse(feed.used_at) > useNotedEveryMs) {
    await useFeed(dependencies, reader, feed === undefined)
    feed = await readRows(db, clientId, request)
  }
  let placesMore = feed?.unplaced ?? false
  while (placesMore) {
    const placed = await inTransaction(db, (tx) => placeEvents(tx, clientId), undefined, {
      ...mode,
      planOnce: true,
    })
    placesMore = placed === placedAtOnce && request.after === 'latest'
    if (!placesMore) feed = await readRows(db, clientId, request)
  }
  return feed
}

async function useFeed(
  { db, clock }: FeedDependencies,
  { clientId, actor, mode }: FeedReader,
  isNew: boolean,
): Promise<void> {
  await perform(db, clock, actor, (work) => keepRecording(work, clientId), mode)
  if (!isNew) return
  const [row] = await db<{ recording: string }[]>`
    select recording from event_feeds where client_id = ${clientId}`
  if (row !== undefined) await beginAt(db, clientId, row.recording, clock.now())
}

/** The feed with the events of the page and one more, of one moment. Undefined where nothing is recorded. */
async function readRows(
  db: Database,
  clientId: string,
  { after, types, limit }: FeedRequest,
): Promise<Feed | undefined> {
  const start =
    typeof after === 'object'
      ? db`greatest(${after.position}::bigint, f.dropped_position)`
      : db`f.dropped_position`
  const rows = await db<(FeedRow & { position: number | null; body: string | null })[]>`
    with f as materialized (
      select f.*, exists (
        select from events u where u.client_id = f.client_id and u.position is null
          and u.type <> 'webhook.ping' and u.number > f.first_number
      ) as unplaced
      from event_feeds f where f.client_id = ${clientId} and f.since is not null
    )
    select f.recording, f.since, f.used_at, f.last_position, f.dropped_position, f.unplaced, page.position, page.body
    from f left join lateral (
      select e.position, e.body from events e
      where e.client_id = f.client_id
        and e.position > ${start} and e.position <= ${start} + ${windowMax}::int
        ${types === undefined ? db`` : db`and e.type = any(${types})`}
      order by e.position limit ${after === 'latest' ? 0 : limit + 1}
    ) page on true
    order by page.position`.planOnce()
  const [feed] = rows
  if (feed === undefined) return undefined
  const events = rows.flatMap(({ position, body }) =>
    position === null || body === null ? [] : [{ position, body }],
  )
  return { ...feed, events }
}

/** Gives positions to committed events that have none, the oldest first. Returns to how many. */
async function placeEvents(tx: Transaction, clientId: string): Promise<number> {
  const [feed] = await tx<{ last_position: number; first_number: number }[]>`
    select last_position, first_number from event_feeds where client_id = ${clientId} for update`
  if (feed === undefined) return 0
  // A statement of its own: it sees what was committed while this one waited for the lock.
  const placed = await tx`
    update events e set position = ${feed.last_position}::bigint + n.place
    from (
      select id, row_number() over (order by number) as place from (
        select id, number from events
        where client_id = ${clientId} and position is null and type <> 'webhook.ping'
          and number > ${feed.first_number}
        order by number limit ${placedAtOnce}
      ) unplaced
    ) n
    where e.client_id = ${clientId} and e.id = n.id`.affected()
  await tx`
    update event_feeds set last_position = last_position + ${placed}
    where client_id = ${clientId}`
  return placed
}

function pageOf(feed: Feed, { after, limit }: FeedRequest): FeedPage | LostPosition {
  const { recording, since } = feed
  const at = (position: number) => ({ recording, position })
  if (after === 'latest') {
    return { bodies: [], next: at(feed.last_position), hasMore: false, since }
  }
  if (after !== undefined && !isKept(feed, after)) return { lostSince: since }
  const start = after?.position ?? feed.dropped_position
  const page = feed.events.slice(0, limit)
  const windowEnd = Math.min(start + windowMax, feed.last_position)
  const last = page.at(-1)?.position ?? start
  const end = feed.events.length > limit ? last : windowEnd
  return {
    bodies: page.map(({ body }) => body),
    next: at(end),
    hasMore: end < feed.last_position || feed.unplaced,
    since,
  }
}

function isKept(feed: Feed, { recording, position }: FeedPosition): boolean {
  return (
    recording === feed.recording &&
    position >= feed.dropped_position &&
    position <= feed.last_position
  )
}

/**
 * Reads a page, and waits for the first event where there is none yet. It returns early when the poll ends, with what
 * there is. A later look that gets no turn counts as one that found nothing.
 */
export async function pollFeed(
  read: (request: FeedRequest) => Promise<FeedPage | LostPosition>,
  request: FeedRequest,
  {
    poll,
    clock,
    waitMs,
  }: { readonly poll: HeldPoll; readonly clock: Clock; readonly waitMs: number },
): Promise<FeedPage | LostPosition> {
  const end = clock.now() + waitMs
  poll.look()
  let page = await read(request)
  let isOver = false
  for (;;) {
    if ('lostSince' in page || page.bodies.length > 0 || page.hasMore) return page
    if (poll.isEnded || isOver) return page
    isOver = !(await poll.wait(end - clock.now()))
    poll.look()
    const nothing = page
    page = await read({ ...request, after: page.next }).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'rate_limited') return nothing
      throw error
    })
  }
}
