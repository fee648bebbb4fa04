import { excerpt } from '../../kernel/errors.ts'
import { day, type Instant, moscowDate } from '../../kernel/moscow-time.ts'
import { type FailureKind, isRejected, MarketplaceError } from '../calls/failure.ts'
import type { Time } from '../calls/limits.ts'
import type { ShipmentPlan, ShippedOrder, TriedCreation } from '../connector.ts'
import { carriagesBetween, postingsIn, setPostings } from './carriages.ts'
import { allPages, clocksDifferMs, type OzonClient } from './client.ts'
import { departsAt, type Posting, postingOf, shipmentOf } from './mapper.ts'
import { packAll } from './packing.ts'
import { refused, says } from './refusal.ts'

/** The making of a carriage, and how one is found again whose making nobody answered for. */

/** A posting that waits for longer is not looked for. */
const waitingMs = 90 * day

export interface Surroundings {
  readonly client: OzonClient
  readonly time: Time
  readonly now: () => Instant
}

export async function createCarriage(
  at: Surroundings,
  { at: askedAt = at.now(), orders = [] }: ShipmentPlan,
): Promise<string> {
  const { client, time } = at
  const { packed, waiting } = await packAll(client, time, orders, { marksMayFollow: true })
  const own = [...packed, ...waiting]
  const methodId = own.length > 0 ? methodOf(own) : await onlyMethod(at)
  const departure = departureOf(askedAt, at.now())
  const id = await client.createCarriage(methodId, departure).catch((error: unknown) => {
    throw isRejected(error) ? withAdvice(error) : error
  })
  await holdOnly(client, id, packed)
  return id
}

/** What OZON makes no carriage for, by the names that it has for that, and what is to be done. */
const causes: readonly (readonly [RegExp, FailureKind, string])[] = [
  [
    /posting_statuses_not_ready/i,
    'unreachable',
    'OZON ещё собирает заказы этой отгрузки, повторите через несколько минут',
  ],
  [
    /first_mile_is_changing/i,
    'unreachable',
    'OZON меняет настройки склада, повторите через несколько минут',
  ],
  [
    /there_are_incomplete_carriages/i,
    'rejected',
    'На OZON у этого способа доставки есть неподтверждённая отгрузка: подтвердите или отмените её в кабинете',
  ],
  [
    /new_postings_are_possible/i,
    'rejected',
    'На OZON в отгрузку этого способа доставки ещё могут прийти заказы: создайте новую, когда пройдёт время сборки, или подтвердите прежнюю в кабинете',
  ],
  [
    /POSTING_NOT_FOUND/,
    'rejected',
    'На OZON нет собранных заказов для новой отгрузки: соберите их, а если они в прежней отгрузке, подтвердите её в кабинете',
  ],
]

function withAdvice(error: MarketplaceError): MarketplaceError {
  const known = causes.find(([name]) => says(error, name))
  if (known === undefined) return error
  const [, kind, message] = known
  return new MarketplaceError(kind, message, { code: error.code, cause: error })
}

/**
 * A new carriage has taken in all that is packed, whoever collects it. It is there now, so nothing
 * that fails from here on is a failure: `deliver` takes out what does not belong in it.
 */
async function holdOnly(
  client: OzonClient,
  id: string,
  postings: readonly Posting[],
): Promise<void> {
  if (postings.length === 0) return
  const numbers = postings.map(({ number }) => number)
  await setPostings(client, id, numbers).catch((error: unknown) => {
    if (!(error instanceof MarketplaceError)) throw error
  })
}

function methodOf(postings: readonly Posting[]): string {
  const methods = new Map(postings.map(({ methodId, methodName }) => [methodId, methodName]))
  const [first] = methods.keys()
  if (methods.size === 1 && first !== undefined) return first
  const names = excerpt([...methods.values()].join(', '))
  throw refused(
    methods.size > 1
      ? `Заказы разных способов доставки OZON в одну отгрузку не войдут (${names}): выберите только те, что поедут вместе`
      : 'OZON не назвал способа доставки заказов: создайте отгрузку в кабинете',
  )
}

const awaited = ['awaiting_packaging', 'awaiting_deliver']

/** The one delivery method whose postings wait to be handed over. */
async function onlyMethod({ client, now }: Surroundings): Promise<string> {
  const until = now() + clocksDifferMs
  const filter = {
    since: new Date(until - waitingMs).toISOString(),
    to: new Date(until).toISOString(),
    statuses: awaited,
  }
  const one = new Map<string | undefined, Posting>()
  for await (const { items } of allPages((cursor) => client.postings(filter, cursor))) {
    const waiting = items.map(postingOf).filter(({ status }) => awaited.includes(status))
    for (const posting of waiting) one.set(posting.methodId, posting)
  }
  if (one.size === 0) throw refused('На OZON нет заказов, которые ждут отгрузки')
  return methodOf([...one.values()])
}

/**
 * A carriage has no name to tell it by, but a time of departure, and ours is that of nobody else's:
 * where OZON tells it no other can be it. Throws where several could be: the wrong one would be handed
 * over.
 */
export async function findTried(
  at: Surroundings,
  tried: TriedCreation,
): Promise<string | undefined> {
  const { client, now } = at
  const earliest = tried.at - clocksDifferMs
  const known = new Set(tried.known)
  const [first] = tried.orders ?? []
  const method = first && postingOf(await client.posting(first.externalId)).methodId
  const found: string[] = []
  for await (const carriages of carriagesBetween(client, earliest, now())) {
    for (const { id, methodId, status } of carriages) {
      if (status !== 'new' || known.has(id)) continue
      if (method !== undefined && method !== methodId) continue
      const { askedAt, fields } = await client.carriage(id)
      const shipment = shipmentOf(fields, id, askedAt)
      const departs = departsAt(fields, tried.at)
      if (departs === 'yes') return id
      if (departs !== 'maybe' || shipment.createdAt < earliest) continue
      if (!(await holdsOthersOnly(client, id, tried.orders))) found.push(id)
    }
  }
  if (found.length <= 1) return found[0]
  const message = `На OZON несколько новых отгрузок (${excerpt(found.join(', '))}): оставьте в кабинете одну`
  throw new MarketplaceError('unreachable', message)
}

/** Ours took in what was packed for it: one that holds postings and none of these is somebody else's. */
async function holdsOthersOnly(
  client: OzonClient,
  id: string,
  orders: readonly ShippedOrder[] = [],
): Promise<boolean> {
  if (orders.length === 0) return false
  const held = new Set((await postingsIn(client, id))?.map(({ number }) => number))
  return held.size > 0 && !orders.some(({ externalId }) => held.has(externalId))
}

/** The very moment that was asked for, unless its day is over. */
function departureOf(askedAt: Instant, now: Instant): Instant {
  return moscowDate(askedAt) === moscowDate(now) ? askedAt : now
}
