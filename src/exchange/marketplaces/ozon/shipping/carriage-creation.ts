import { excerpt } from '../../../../platform/kernel/errors.ts'
import { day, type Instant, moscowDate } from '../../../../platform/kernel/moscow-time.ts'
import {
  type FailureKind,
  isFailure,
  isRejected,
  MarketplaceError,
  type Meaning,
  rejection,
} from '../../calls/failure.ts'
import { clockSkewMsMax } from '../../calls/marketplace-clock.ts'
import type { CreationAttempt, ShipmentPlan, ShippedOrder } from '../../connector.ts'
import { matchDeparture, parseCarriage, parseCarriageOffer } from '../answers/carriages.ts'
import { type Posting, parsePosting } from '../answers/postings.ts'
import { type OzonClient, ozonPages } from '../client.ts'
import type { OzonContext } from '../context.ts'
import { namesError } from '../errors.ts'
import { carriagesBetween, postingsIn, setPostings } from './carriages.ts'
import { packAll } from './packing.ts'

/** Creates a carriage, and finds a carriage whose creation got no response. */

/** Postings that have waited longer are not searched for a delivery method. */
const waitingMsMax = 90 * day

export async function createCarriage(
  context: OzonContext,
  { requestedAt = context.now(), orders = [], marksAttached = false }: ShipmentPlan,
): Promise<string> {
  const { client, time } = context
  const { packed, waiting } = await packAll(client, time, orders, {
    marksMayFollow: !marksAttached,
  })
  const own = [...packed, ...waiting]
  const methodId = own.length > 0 ? methodOf(own) : await onlyMethod(context)
  const departure = departureFor(requestedAt, context.now())
  const isTooEarly = packed.length === 0 && waiting.length > 0
  await refuseUnlessOffered(client, methodId, departure, { isTooEarly, packed: packed.length })
  const id = await client.createCarriage(methodId, departure).catch((error: unknown) => {
    if (!isRejected(error)) throw error
    throw withAdvice(error, isTooEarly && namesError(error, noneIsPacked) ? 'unpacked' : undefined)
  })
  await keepOnly(client, id, packed)
  return id
}

/**
 * OZON creates a carriage only where its list of the day offers it. Where it does not, orders that are brought to a
 * point need none (`needless`), and neither do those whose method is not listed at all.
 */
async function refuseUnlessOffered(
  client: OzonClient,
  methodId: string,
  departure: Instant,
  { isTooEarly, packed }: { readonly isTooEarly: boolean; readonly packed: number },
): Promise<void> {
  const offer = await offerOf(client, methodId, departure)
  if (offer?.mayBeCreated) return
  if (offer?.hasOpen) throw refusalNamed('there_are_incomplete_carriages')
  if (isTooEarly) throw refusalNamed('POSTING_NOT_FOUND', 'unpacked')
  if (offer === undefined || !offer.isNeeded) {
    const message = 'OZON не ждёт отгрузки: заказы этого способа доставки сдают в пункт без неё'
    throw new MarketplaceError('rejected', message, { meaning: 'needless' })
  }
  if (packed === 0) throw refusalNamed('POSTING_NOT_FOUND')
  throw rejection(
    `OZON пока не даёт создать отгрузку способа доставки «${excerpt(offer.name)}»: проверьте его отгрузки в ` +
      'кабинете и повторите',
  )
}

async function offerOf(client: OzonClient, methodId: string, departure: Instant) {
  const date = moscowDate(departure)
  for await (const { items } of ozonPages((cursor) => client.methods(date, cursor))) {
    const offer = items.map(parseCarriageOffer).find((each) => each.methodId === methodId)
    if (offer !== undefined) return offer
  }
  return undefined
}

const noneIsPacked = /POSTING_NOT_FOUND/

/** Errors of the creation by name, with their kind and with what staff can do. */
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
    noneIsPacked,
    'rejected',
    'OZON открывает отгрузку только с собранными заказами: назовите заказы сразу; если собранные заказы в прежней отгрузке, подтвердите её в кабинете',
  ],
]

/** As if OZON had refused with this name, which it would. */
function refusalNamed(name: string, meaning?: Meaning): MarketplaceError {
  return withAdvice(rejection('OZON не создаёт отгрузку', name), meaning)
}

function withAdvice(error: MarketplaceError, meaning: Meaning | undefined): MarketplaceError {
  const known = causes.find(([name]) => namesError(error, name))
  if (known === undefined) return error
  const [, kind, message] = known
  return new MarketplaceError(kind, message, { code: error.code, meaning, cause: error })
}

/**
 * OZON puts all packed postings of the delivery method into a new carriage; this removes the
 * others. The carriage exists by now, so a failure here is not a failed creation: the hand-over
 * removes them again.
 */
async function keepOnly(
  client: OzonClient,
  id: string,
  postings: readonly Posting[],
): Promise<void> {
  if (postings.length === 0) return
  const numbers = postings.map(({ number }) => number)
  await setPostings(client, id, numbers).catch((error: unknown) => {
    if (!isFailure(error)) throw error
  })
}

function methodOf(postings: readonly Posting[]): string {
  const methods = new Map(postings.map(({ methodId, methodName }) => [methodId, methodName]))
  const [first] = methods.keys()
  if (methods.size === 1 && first !== undefined) return first
  const names = excerpt([...methods.values()].join(', '))
  throw rejection(
    methods.size > 1
      ? `Заказы разных способов доставки OZON в одну отгрузку не войдут (${names}): выберите только те, что поедут вместе`
      : 'OZON не назвал способа доставки заказов: создайте отгрузку в кабинете',
  )
}

const waitingStatuses = ['awaiting_packaging', 'awaiting_deliver']

/** The delivery method of all postings that wait for the hand-over. Throws if there are several. */
async function onlyMethod({ client, now }: OzonContext): Promise<string> {
  const until = now() + clockSkewMsMax
  const filter = {
    since: new Date(until - waitingMsMax).toISOString(),
    to: new Date(until).toISOString(),
    statuses: waitingStatuses,
  }
  const onePerMethod = new Map<string | undefined, Posting>()
  for await (const { items } of ozonPages((cursor) => client.postings(filter, cursor))) {
    const waiting = items.map(parsePosting).filter(({ status }) => waitingStatuses.includes(status))
    for (const posting of waiting) onePerMethod.set(posting.methodId, posting)
  }
  if (onePerMethod.size === 0) throw rejection('На OZON нет заказов, которые ждут отгрузки')
  return methodOf([...onePerMethod.values()])
}

/**
 * Finds the carriage of a creation that got no response. A carriage has no name, but its departure
 * is the moment of our request, which no other carriage has: if OZON reports that moment, it is the
 * one. If OZON reports less, the only new carriage of that time is taken. Throws `unreachable` if
 * several fit, because the service would hand over a wrong one.
 */
export async function findCarriage(
  { client, now }: OzonContext,
  attempt: CreationAttempt,
): Promise<string | undefined> {
  const earliest = earliestCreation(attempt, now())
  const known = new Set(attempt.known)
  const [firstOrder] = attempt.orders ?? []
  const method = firstOrder && parsePosting(await client.posting(firstOrder.externalId)).methodId
  const candidates: string[] = []
  for await (const carriages of carriagesBetween(client, earliest, now())) {
    for (const { id, methodId, status } of carriages) {
      if (status !== 'new' || known.has(id)) continue
      if (method !== undefined && method !== methodId) continue
      const { requestedAt, fields } = await client.carriage(id)
      const departs = matchDeparture(fields, attempt.requestedAt)
      if (departs === 'yes') return id
      const { createdAt } = parseCarriage(fields, id, requestedAt)
      if (departs !== 'maybe' || createdAt < earliest) continue
      if (!(await holdsOnlyOthers(client, id, attempt.orders))) candidates.push(id)
    }
  }
  if (candidates.length <= 1) return candidates[0]
  const numbers = excerpt(candidates.join(', '))
  const message = `На OZON несколько новых отгрузок (${numbers}): оставьте в кабинете одну`
  throw new MarketplaceError('unreachable', message)
}

/** An attempt that began in the future did so by a clock of ours that was ahead: nobody knows when it was. */
function earliestCreation({ requestedAt }: CreationAttempt, now: Instant): Instant {
  return requestedAt > now + clockSkewMsMax ? now - day : requestedAt - clockSkewMsMax
}

/**
 * Whether a carriage holds postings but none of these: our carriage would hold those packed for it.
 */
async function holdsOnlyOthers(
  client: OzonClient,
  id: string,
  orders: readonly ShippedOrder[] = [],
): Promise<boolean> {
  if (orders.length === 0) return false
  const held = new Set((await postingsIn(client, id))?.map(({ number }) => number))
  return held.size > 0 && !orders.some(({ externalId }) => held.has(externalId))
}

/** The moment of the request, unless its day in Moscow is over. */
function departureFor(requestedAt: Instant, now: Instant): Instant {
  return moscowDate(requestedAt) === moscowDate(now) ? requestedAt : now
}
