import type { MarkProving } from '../../src/exchange/marketplaces/connector.ts'
import { proveShipment } from '../../src/exchange/marketplaces/proving/prove-shipment.ts'
import { perform } from '../../src/platform/db/work.ts'
import { ServiceError } from '../../src/platform/kernel/errors.ts'
import type { Random } from '../../src/platform/kernel/random.ts'
import { awaitProofs, type MarkVerdict } from '../../src/warehouse/picking/mark-proofs.ts'
import { lockTask } from '../../src/warehouse/picking/tasks.ts'
import type { Client, Pick, Shipment } from './model.ts'
import { printedCode } from './naming.ts'
import { putBack, withTask } from './picking.ts'
import { isAssembling } from './shipping.ts'
import { type Actor, mostly, type World } from './world.ts'

/** Marks of picked units at a marketplace that accepts, refuses and loses them by chance. */

interface Row {
  readonly scanId: string
  readonly orderId: string
  readonly markingCode: string
}

export async function prove(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const shipment = mostly(random, withTask(client), (each) => {
    return isAssembling(each) && markedPicks(each).length > 0
  })
  // In a service a lock of the shipment keeps two turns apart.
  if (shipment?.task === undefined || world.proving.has(shipment.id)) return
  world.proving.add(shipment.id)
  try {
    await takeTurn(actor, client, { ...shipment, task: shipment.task })
  } finally {
    world.proving.delete(shipment.id)
  }
}

const markedPicks = ({ picks }: Shipment) =>
  [...picks.values()].filter(({ code, undoneAt }) => code !== undefined && undoneAt === undefined)

/** A code of a cancelled order is free, and may be in another order of the shipment by now. */
const collectedPicks = (client: Client, shipment: Shipment) =>
  markedPicks(shipment).filter(({ order }) => client.orders.get(order)?.reported !== 'CANCELLED')

async function takeTurn(
  { world, random }: Actor,
  client: Client,
  shipment: Shipment & { readonly task: string },
): Promise<void> {
  const { id: shipmentId, task: taskId, cabinet: cabinetId } = shipment
  const marketplace = client.cabinets.find(({ id }) => id === cabinetId)?.marketplace ?? 'WB'
  const due = { clientId: client.id, cabinetId, marketplace, shipmentId, taskId }
  if (!(await giveMarks(world, due))) return
  for (const pick of markedPicks(shipment)) pick.proof ??= 'unsent'
  const reported = new Map<string, MarkVerdict['kind']>()
  const sent = new Set(
    collectedPicks(client, shipment)
      .filter(({ proof }) => proof !== undefined && proof !== 'unsent')
      .map(textOf),
  )
  await proveShipment(world, due, chanceProving(random, reported, sent))
  world.trace.push(`prove ${shipment.number} -> ${JSON.stringify([...reported])}`)
  for (const kind of reported.values()) {
    world.tally.set(`prove ${kind}`, (world.tally.get(`prove ${kind}`) ?? 0) + 1)
  }
  for (const pick of collectedPicks(client, shipment)) {
    const kind = reported.get(textOf(pick))
    if (kind !== undefined) enter(world, client, pick, kind)
  }
}

/** Cabinets of the simulation have no credentials, so no pick asks for a proof. False: the shipment has left meanwhile. */
async function giveMarks(
  { db, clock }: World,
  { clientId, cabinetId, taskId }: Readonly<Record<'clientId' | 'cabinetId' | 'taskId', string>>,
): Promise<boolean> {
  try {
    await perform(db, clock, { kind: 'sync', cabinetId }, async (work) => {
      await lockTask(work, clientId, taskId, 'pick')
      const picks = await work.tx<Row[]>`
        select p.scan_id as "scanId", p.order_id as "orderId", p.marking_code as "markingCode"
        from picks p
        left join mark_proofs m using (client_id, task_id, scan_id)
        where p.client_id = ${clientId} and p.task_id = ${taskId} and p.undone_at is null
          and p.marking_code is not null and m.state is null`
      await awaitProofs(work, clientId, taskId, picks, 'every cabinet')
    })
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

const afterSending = ['waiting', 'waiting', 'waiting', 'unseen', 'refused'] as const
const afterAsking = ['proven', 'proven', 'waiting', 'unseen', 'again', 'refused'] as const

/** Notes the last verdict on each mark. What it says of one that was not sent counts for nothing. */
function chanceProving(
  random: Random,
  reported: Map<string, MarkVerdict['kind']>,
  sent: Set<string>,
): MarkProving {
  const verdict = (text: string | null, kind: MarkVerdict['kind'], isAsked = true): MarkVerdict => {
    const mark = text ?? ''
    if (!isAsked || sent.has(mark)) reported.set(mark, kind)
    if (states[kind] === 'unsent') sent.delete(mark)
    else if (!isAsked) sent.add(mark)
    if (kind !== 'refused') return { kind }
    return { kind, mark: 'marking_code', code: 'NOT_FOUND', reason: 'кода нет в Честном знаке' }
  }
  return {
    send: async ({ units, isWhole }) =>
      units.map(({ markingCode: mark }) =>
        verdict(mark, isWhole ? random.pick(afterSending) : 'later', false),
      ),
    verdicts: async (orders) =>
      orders.map(({ units }) =>
        units.map(({ markingCode: mark }) => verdict(mark, random.pick(afterAsking))),
      ),
  }
}

const textOf = ({ code = '' }: Pick) => printedCode(code)

const states = {
  waiting: 'sent',
  unseen: 'unseen',
  proven: 'proven',
  later: 'unsent',
  again: 'unsent',
  refused: 'refused',
} as const satisfies Readonly<Record<MarkVerdict['kind'], Pick['proof']>>

function enter({ clock }: World, client: Client, pick: Pick, kind: MarkVerdict['kind']): void {
  pick.proof = states[kind]
  const order = client.orders.get(pick.order)
  if (kind === 'refused' && order !== undefined) putBack(clock.now(), client, order, pick)
}
