import { excerpt } from '../../kernel/errors.ts'
import { day, type Instant, moscowDate } from '../../kernel/moscow-time.ts'
import { flagOf, openReading, textOrNone } from '../calls/answer.ts'
import { isFailure, isRejected, unlessMissing, unlessRejected } from '../calls/failure.ts'
import { allPages, type OzonClient } from './client.ts'
import { carriagesOf, type Member, memberOf, shipmentOf } from './mapper.ts'
import { refused } from './refusal.ts'

/** A carriage as told by its own call, with its postings; undefined where there is none. */
export async function remoteShipment(client: OzonClient, id: string, withOrders: boolean) {
  const found = await unlessMissing(client.carriage(id))
  if (found === undefined) return undefined
  const { askedAt, fields } = found
  const shipment = shipmentOf(fields, id, askedAt)
  if (!withOrders || shipment.cancelled) return { askedAt, shipment }
  const members = await postingsIn(client, id)
  return { askedAt, shipment: { ...shipment, orders: members?.map(({ number }) => number) } }
}

/** Carriages that depart on days from one to another, each once, a page of methods at a time. */
export async function* carriagesBetween(client: OzonClient, from: Instant, to: Instant) {
  const told = new Set<string>()
  const reading = openReading()
  for (let at = from; at < to + day; at += day) {
    for await (const { items } of allPages((cursor) => client.methods(moscowDate(at), cursor))) {
      const carriages = reading.of(items, carriagesOf).filter(({ id }) => !told.has(id))
      for (const { id } of carriages) told.add(id)
      yield carriages
    }
  }
  reading.end()
}

/** Undefined where OZON has or gives no list: of a carriage that is empty so far, or of none at all. */
export async function postingsIn(
  client: OzonClient,
  id: string,
): Promise<readonly Member[] | undefined> {
  return (await unlessRejected(client.members(id)))?.map(memberOf)
}

/** Where one is refused, the others may have joined: as it was before, then. */
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

/** The list as a whole. Throws where one is refused. */
export async function setPostings(
  client: OzonClient,
  id: string,
  numbers: readonly string[],
): Promise<void> {
  const rows = await client.setPostings(id, numbers).catch((error: unknown) => {
    // The key has just been good for reading, so it is the call that is forbidden.
    if (!isFailure(error, 'credentials') || error.status !== 403) throw error
    if (error.meaning === 'addresses' || error.perhapsDone) throw error
    throw refused('OZON не даёт этому кабинету менять состав отгрузки: измените его в кабинете')
  })
  const bad = rows.find((row) => !flagOf(row, 'result'))
  if (bad === undefined) return
  const why = textOrNone(bad, 'error')
  const number = textOrNone(bad, 'posting_number') ?? ''
  const message = `OZON не принял в отгрузку заказ ${excerpt(number)}`
  throw refused(why === undefined ? message : `${message}: ${excerpt(why)}`, why)
}
