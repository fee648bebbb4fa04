import { excerpt } from '../../../../platform/kernel/errors.ts'
import { day, type Instant, moscowDate } from '../../../../platform/kernel/moscow-time.ts'
import {
  isFailure,
  isRejected,
  rejection,
  unlessMissing,
  unlessRejected,
} from '../../calls/failure.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import { flagOf, integerOrNone, textOrNone } from '../../calls/response-fields.ts'
import type { RemoteShipmentState } from '../../connector.ts'
import {
  type CarriagePosting,
  type CarriageSummary,
  parseCarriage,
  parseCarriagePosting,
  parseMethodCarriages,
} from '../answers/carriages.ts'
import { type OzonClient, ozonPages } from '../client.ts'

/**
 * A carriage by its own call, with its postings if they are wanted; undefined if it does not exist.
 */
export async function fetchCarriage(client: OzonClient, id: string, withOrders: boolean) {
  const found = await unlessMissing(client.carriage(id))
  if (found === undefined) return undefined
  const { requestedAt, fields } = found
  const shipment = parseCarriage(fields, id, requestedAt)
  if (!withOrders || shipment.cancelled) return { requestedAt, shipment }
  const postings = await postingsIn(client, id)
  return {
    requestedAt,
    shipment: { ...shipment, orders: postings?.map(({ number }) => number) },
  }
}

/**
 * Carriages that depart on the days from `from` to `to`, each once, a page of delivery methods at a
 * time.
 */
export async function* carriagesBetween(
  client: OzonClient,
  from: Instant,
  to: Instant,
): AsyncGenerator<readonly CarriageSummary[]> {
  const listed = new Set<string>()
  const reader = openPartialReader()
  for (let at = from; at < to + day; at += day) {
    for await (const { items } of ozonPages((cursor) => client.methods(moscowDate(at), cursor))) {
      const carriages = reader.each(items, parseMethodCarriages).filter(({ id }) => !listed.has(id))
      for (const { id } of carriages) listed.add(id)
      yield carriages
    }
  }
  reader.finish()
}

/** Undefined if OZON gives no list: the carriage is still empty, or does not exist. */
export async function postingsIn(
  client: OzonClient,
  id: string,
): Promise<readonly CarriagePosting[] | undefined> {
  return (await unlessRejected(client.carriagePostings(id)))?.map(parseCarriagePosting)
}

/**
 * Replaces the list and restores it after a refusal, because OZON may have taken the other
 * postings.
 */
export async function replacePostings(
  client: OzonClient,
  id: string,
  before: readonly string[],
  numbers: readonly string[],
): Promise<void> {
  try {
    await setPostings(client, id, numbers)
  } catch (error) {
    if (isRejected(error)) await unlessRejected(setPostings(client, id, before))
    throw error
  }
}

/** Sets the list as a whole. Throws if OZON refuses a posting. */
export async function setPostings(
  client: OzonClient,
  id: string,
  numbers: readonly string[],
): Promise<void> {
  const rows = await client.setPostings(id, numbers).catch((error: unknown) => {
    // The key has just served a read, so a 403 means that this call is forbidden.
    if (!isFailure(error, 'credentials') || error.status !== 403) throw error
    const isAboutCall = error.meaning === undefined || error.meaning === 'rights'
    if (!isAboutCall || error.outcomeUnknown) throw error
    throw rejection('OZON не даёт этому кабинету менять состав отгрузки: измените его в кабинете')
  })
  const refused = rows.find((row) => !flagOf(row, 'result'))
  if (refused === undefined) return
  const why = textOrNone(refused, 'error')
  const number = textOrNone(refused, 'posting_number') ?? ''
  const message = `OZON не принял в отгрузку заказ ${excerpt(number)}`
  throw rejection(why === undefined ? message : `${message}: ${excerpt(why)}`, why)
}

export interface InspectedCarriage {
  readonly state: RemoteShipmentState
  /** The number of cargo places, which staff enter in the cabinet; undefined without any. */
  readonly places: number | undefined
}

export async function inspect(client: OzonClient, id: string): Promise<InspectedCarriage> {
  const found = await unlessMissing(client.carriage(id))
  if (found === undefined) return { state: 'gone', places: undefined }
  const { cancelled, closedAt } = parseCarriage(found.fields, id, found.requestedAt)
  const state = closedAt === undefined ? 'open' : 'handedOver'
  const places = integerOrNone(found.fields, 'containers_count') || undefined
  return { state: cancelled ? 'gone' : state, places }
}
