import {
  acceptShipment,
  addOrders,
  closeShipment,
  openShipment,
} from '../../warehouse/shipments/verbs.ts'
import { pickNext } from '../robot/picking.ts'
import { bringOrder } from './bring-order.ts'
import { nextNumber, type Scene, type Touched } from './scene.ts'

/** Triggers of shipments of the WB cabinet. */

export async function handOverOpen(scene: Scene): Promise<Touched[]> {
  return [touched(await handOver(scene))]
}

export async function acceptAtMarketplace(scene: Scene): Promise<Touched[]> {
  const { work, clientId, cabinetId } = scene
  const [handedOver] = await work.tx<{ id: string }[]>`
    select id from shipments
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and status = 'HANDED_OVER'
    order by closed_at, id limit 1`
  const id = handedOver?.id ?? (await handOver(scene))
  await accept(scene, id)
  return [touched(id)]
}

/** Sends the open shipment, or a new one, with all its orders. A shipment without orders gets one. */
export async function handOver(scene: Scene): Promise<string> {
  const open = await findOpenShipment(scene)
  const id = open?.id ?? (await openNew(scene))
  if (!open?.leaves) await addNewOrder(scene, id)
  await pickAndClose(scene, id)
  return id
}

/** A new order joins the shipment. */
export async function addNewOrder(scene: Scene, id: string, onlyMarked = false): Promise<void> {
  const order = await bringOrder(scene, onlyMarked)
  scene.made.push({ object: 'order', id: order.id })
  await addOrders(scene.work, scene.clientId, id, [order.id])
}

/** Orders that one statement collects. */
const ordersMax = 100

export async function pickAndClose(scene: Scene, id: string): Promise<void> {
  await pickAll(scene, id)
  await closeShipment(scene.work, scene.clientId, id)
}

export async function pickAll({ work, clientId }: Scene, id: string): Promise<void> {
  while ((await pickNext(work, clientId, id, ordersMax)) > 0);
}

export function accept({ work, clientId }: Scene, id: string): Promise<void> {
  return acceptShipment(work, clientId, id)
}

interface OpenShipment {
  readonly id: string
  /** It has an order to send. */
  readonly leaves: boolean
}

export async function findOpenShipment({
  work,
  clientId,
  cabinetId,
}: Scene): Promise<OpenShipment | undefined> {
  const [open] = await work.tx<OpenShipment[]>`
    select s.id, exists (
        select from orders o
        where o.client_id = s.client_id and o.shipment_id = s.id and o.status <> 'CANCELLED'
      ) as leaves
    from shipments s
    where s.client_id = ${clientId} and s.cabinet_id = ${cabinetId} and s.status = 'ASSEMBLING'
      and not s.mirrored
    order by s.created_at, s.id limit 1`
  return open
}

export async function openNew(scene: Scene): Promise<string> {
  const { work, clientId, cabinetId } = scene
  const externalId = await nextNumber(scene, 'shipments')
  const name = `Поставка ${externalId.slice(-4)}`
  return openShipment(work, clientId, { cabinetId, externalId, name })
}

function touched(id: string): Touched {
  return { object: 'shipment', id }
}
