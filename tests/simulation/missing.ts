import { nobody } from '../support/shipping.ts'
import { ask, type Client, free, type Miss, move, type Order, type Shipment } from './model.ts'
import { isAssembling, takeOut } from './shipping.ts'
import { type Actor, act, mostly, post } from './world.ts'

/** What managers decide about goods that pickers did not find. */

const decisions = ['look-elsewhere', 'correct-stock', 'remove-order', 'tell-seller'] as const

export async function decideMiss(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const shipment = mostly(random, client.shipments.values(), (each) =>
    each.misses.some((miss) => isWaiting(client, each, miss)),
  )
  const reported =
    shipment && mostly(random, shipment.misses, (one) => isWaiting(client, shipment, one))
  const order = reported && client.orders.get(reported.order)
  if (shipment === undefined || reported === undefined || order === undefined) return
  const { barcode } = reported
  const verb = random.pick(decisions)
  const reason = random.pick(['LOST', 'COUNT'])
  const isEntered = verb !== 'look-elsewhere' && (verb !== 'remove-order' || random.next() < 0.5)
  const body = { comment: 'Решил менеджер', ...(isEntered ? { reason } : {}) }
  const isLast = (miss: Miss) => newestOf(client, order, barcode) === miss
  const isOpen = () => isLast(reported) && isWaiting(client, shipment, reported)
  const units = () => Math.min(reported.units, lacking(order, barcode))
  await act(world, {
    what: `decide ${verb} ${order.number} ${barcode} ${JSON.stringify(body)}`,
    call: async () => {
      const list = await world.manager(`/misses?client_id=${client.id}&order_id=${order.id}`)
      const { items = [] } = list.body as { items?: { id: string; barcode: string }[] }
      const id = items.find((each) => each.barcode === barcode)?.id ?? nobody
      return world.manager(`/misses/${id}/${verb}`, post(body))
    },
    expect: () => {
      if (!isOpen()) return 409
      return verb === 'correct-stock' && free(client, barcode) < units() ? 409 : 200
    },
    apply: () => {
      const missing = units()
      reported.isOpen = false
      if (verb === 'remove-order' || verb === 'tell-seller') takeOut(world, client, order)
      if (!isEntered) return
      if (verb !== 'tell-seller') return move(client, barcode, -missing)
      move(client, barcode, 0, missing)
      ask(client, barcode, missing)
    },
  })
}

const lacking = ({ lines }: Order, barcode: string) =>
  lines
    .filter((line) => line.barcode === barcode)
    .reduce((sum, { units, picked }) => sum + units - picked, 0)

/** The list of an order names the newest first. */
function newestOf(client: Client, order: Order, barcode: string): Miss | undefined {
  return [...client.shipments.values()]
    .flatMap(({ misses }) => misses)
    .filter((miss) => miss.order === order.id && miss.barcode === barcode)
    .reduce<Miss | undefined>((last, miss) => (last && last.at > miss.at ? last : miss), undefined)
}

/** Whether a manager is to decide. */
export function isWaiting(client: Client, shipment: Shipment, miss: Miss): boolean {
  const order = client.orders.get(miss.order)
  return miss.isOpen && mayWait(shipment, order, miss) && order?.reported !== 'CANCELLED'
}

function mayWait(shipment: Shipment, order: Order | undefined, { barcode }: Miss): boolean {
  if (order?.shipment !== shipment.id || !isAssembling(shipment)) return false
  return lacking(order, barcode) > 0
}

/** After each step: misses whose goods were found or whose orders left have ended. */
export function settleMisses(client: Client): void {
  for (const shipment of client.shipments.values()) {
    for (const miss of shipment.misses) {
      if (!mayWait(shipment, client.orders.get(miss.order), miss)) miss.isOpen = false
    }
  }
}
