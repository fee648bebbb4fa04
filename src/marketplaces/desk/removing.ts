import type { Queryable } from '../../db/connection.ts'
import type { Work } from '../../db/work.ts'
import { removeOrder } from '../../shipments/verbs.ts'
import { isFailure, isRejected, type MarketplaceError, unlessRejected } from '../calls/failure.ts'
import type { Connect } from '../connect.ts'
import { type ConnectedCabinet, isConnected } from '../connection.ts'
import type { ShippedOrder, Shipping } from '../connector.ts'
import { cancelledIn, membersOf } from './members.ts'
import { type DeskTools, type Subject, shipmentCabinet } from './operations.ts'
import type { Run } from './task-runner.ts'

export interface Removal extends Subject {
  readonly orderId: string
}

/**
 * Where a marketplace takes orders out it is asked to, so that the order may join another shipment at
 * once; where it does not, the hand-over sees to it. A key that is of no use keeps no order in: the
 * task tells so, and the hand-over sees to that, too.
 */
export async function remove<A>(
  tools: DeskTools,
  removal: Removal,
  actor: string,
  run: Run<void, A>,
): Promise<A> {
  const { clientId, shipmentId, orderId } = removal
  const { db, connect } = tools
  const cabinet = await shipmentCabinet(tools, removal)
  const verb = (work: Work) => removeOrder(work, clientId, shipmentId, orderId)
  if (!isConnected(cabinet) || !mayBeAsked(connect, cabinet)) return run(verb)
  const draft = { kind: 'remove', shipmentId, detail: { orderId } } as const
  return tools.onBothSides(cabinet, actor, draft, {
    verb,
    run,
    async ask() {
      try {
        return { note: await takeOut(db, connect(cabinet).shipping, cabinet.externalId, removal) }
      } catch (error) {
        if (!isFailure(error, 'credentials')) throw error
        // It may have been done before the key was refused.
        return { note: `${error.perhapsDone ? perhapsWords : keptWords}: ${error.message}` }
      }
    },
  })
}

/** Where the key can't be read nobody knows, and the task tells why it was not asked. */
function mayBeAsked(connect: Connect, cabinet: ConnectedCabinet): boolean {
  try {
    return connect(cabinet).shipping.takesOutOthers === true
  } catch (error) {
    if (isFailure(error, 'credentials')) return true
    throw error
  }
}

const perhapsWords = 'Заказ убран здесь, а с маркетплейсом это выяснится при передаче отгрузки'
const keptWords = 'Заказ убран только здесь, на маркетплейсе он в отгрузке, пока её не передадут'
const leftWords = 'Заказ убран только здесь: на маркетплейсе отгрузка с ним уже передана'
const goneWords = 'Заказ убран только здесь: на маркетплейсе этой отгрузки больше нет'

/**
 * Takes an order out of the marketplace's shipment, which may have been done. Throws what the
 * marketplace refuses, but for what would keep the order in here for ever. Returns what managers
 * should know, in Russian.
 */
export async function takeOut(
  db: Queryable,
  shipping: Shipping,
  externalId: string,
  { clientId, shipmentId, orderId }: Removal,
): Promise<string | undefined> {
  const members = await membersOf(db, clientId, shipmentId)
  const order = members.find(({ id }) => id === orderId)
  // It was cancelled: the marketplace knows of that itself.
  if (order === undefined) return undefined
  const staying = members.filter((member) => member !== order)
  // OZON takes no list with a cancelled order in it.
  const out = [order.externalId, ...(await cancelledIn(db, clientId, shipmentId))]
  try {
    await shipping.putAside(externalId, out, staying)
    return undefined
  } catch (error) {
    if (!isRejected(error)) throw error
    return excuse(shipping, externalId, { out, staying, refusal: error })
  }
}

/** What came of a refusal that keeps no order in here. Throws any other. */
async function excuse(
  shipping: Shipping,
  externalId: string,
  { out, staying, refusal }: Refused,
): Promise<string> {
  const standing = await unlessRejected(shipping.standingOf(externalId))
  if (standing === 'left') return leftWords
  if (standing !== 'open') return goneWords
  const there = await shipping.ordersOf(externalId)
  const numbers = there ?? staying.map((member) => member.externalId)
  // Without any orders it does not leave, here or there: with the next ones this one goes out.
  if (numbers.every((number) => out.includes(number))) return `${keptWords}: ${refusal.message}`
  throw refusal
}

interface Refused {
  readonly out: readonly string[]
  readonly staying: readonly ShippedOrder[]
  readonly refusal: MarketplaceError
}
