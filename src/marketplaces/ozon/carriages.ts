import { type Instant, moscowDate } from '../../kernel/moscow-time.ts'
import { allPages, type OzonClient } from './client.ts'
import { carriagesOf, type Member, memberOf, shipmentOf } from './mapper.ts'
import { isRejected } from './refusal.ts'

const day = 24 * 3_600_000

/** A carriage as told by its own call, with its postings; undefined where there is none. */
export async function remoteShipment(client: OzonClient, id: string, withOrders: boolean) {
  const found = await unlessMissing(client.carriage(id))
  if (found === undefined) return undefined
  const { askedAt, fields } = found
  const shipment = shipmentOf(fields, id, askedAt)
  if (!withOrders || shipment.cancelled) return { askedAt, shipment }
  const members = await membersOf(client, id)
  return { askedAt, shipment: { ...shipment, orders: members?.map(({ number }) => number) } }
}

/** Carriages that depart on days from one to another, each once, a page of methods at a time. */
export async function* carriagesBetween(client: OzonClient, from: Instant, to: Instant) {
  const told = new Set<string>()
  for (let at = from; at < to + day; at += day) {
    for await (const { items } of allPages((cursor) => client.methods(moscowDate(at), cursor))) {
      const carriages = items.flatMap(carriagesOf).filter(({ id }) => !told.has(id))
      for (const { id } of carriages) told.add(id)
      yield carriages
    }
  }
}

/** Undefined where OZON has no list: of a carriage that is empty so far, or of none at all. */
export async function membersOf(
  client: OzonClient,
  id: string,
): Promise<readonly Member[] | undefined> {
  return (await unlessMissing(client.members(id)))?.map(memberOf)
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (isRejected(error) && error.status === 404) return undefined
    throw error
  })
}
