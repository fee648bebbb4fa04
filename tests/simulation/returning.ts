import assert from 'node:assert/strict'
import type { ReturnScanResult } from '../../src/warehouse/returns/return-scans.ts'
import {
  ask,
  type Client,
  free,
  goodsOf,
  move,
  type Order,
  ownBarcode,
  type ReturnBatch,
} from './model.ts'
import { keyOfIdentity, printedCode } from './naming.ts'
import { type Actor, act, mostly, post, some, type World } from './world.ts'

/** Goods that left with shipments made here come back. */

const conditions = ['sellable', 'damaged', 'unknown'] as const

export async function openReturns(actor: Actor, client: Client): Promise<void> {
  const { world } = actor
  await act(world, {
    what: 'open-returns',
    call: () => world.worker('/returns', post({ client_id: client.id })),
    expect: () => 201,
    apply: (body) => {
      const { id } = body as { id: string }
      client.returns.set(id, { id, isOpen: true, scans: new Map() })
    },
  })
}

const isOpenBatch = ({ isOpen }: ReturnBatch) => isOpen

/** Orders of mirrored shipments leave with what the ledger has: the model does not know how much. */
const isModelled = (client: Client) => (order: Order) =>
  client.shipments.get(order.shipment ?? '')?.mirrored !== true

const unitsAway = (order: Order) => [...order.away].filter(([, units]) => units > 0)

export async function takeBack(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const batch = mostly(random, client.returns.values(), isOpenBatch)
  if (batch === undefined || (!batch.isOpen && random.next() < 0.8))
    return openReturns(actor, client)
  const codes = [...client.markingCodes].filter(
    ([, code]) => code.client === client.id && code.state === 'shipped',
  )
  const coded = random.next() < 0.3 ? some(random, codes) : undefined
  const [key, code] = coded ?? []
  const order =
    code === undefined
      ? mostly(
          random,
          [...client.orders.values()].filter(isModelled(client)),
          (each) => unitsAway(each).length > 0,
        )
      : client.orders.get(code.order ?? '')
  if (order === undefined) return
  const named = some(random, unitsAway(order))?.[0]
  const barcode = code?.barcode ?? (random.next() < 0.8 ? named : undefined)
  const known = random.next() < 0.1 ? some(random, batch.scans.keys()) : undefined
  const condition = random.pick(conditions)
  const scan_id = known ?? newName('return')
  const text = key === undefined ? order.number : printedCode(key)
  const draft = {
    scan_id,
    code: text,
    condition,
    ...(barcode === undefined ? {} : { barcode }),
  }
  await act(world, {
    what: `take-back ${JSON.stringify({ ...draft, code: key ?? text })}`,
    call: () => world.worker(`/returns/${batch.id}/scans`, post(draft)),
    expect: () =>
      batch.scans.has(scan_id) ? 200 : (refusedReturn(client, batch, order, barcode, key) ?? 200),
    apply: (body) => enter(world, client, batch, body as ReturnScanResult),
  })
}

function refusedReturn(
  client: Client,
  batch: ReturnBatch,
  order: Order,
  named: string | undefined,
  key: string | undefined,
): number | undefined {
  if (!batch.isOpen) return 409
  const away = unitsAway(order)
  if (away.length === 0) return 409
  if (named === undefined && away.length > 1) return 400
  const barcode = named ?? away[0]?.[0] ?? ''
  const units = order.away.get(barcode) ?? 0
  if (units === 0) return 409
  const possible = codedPicks(client, order, barcode)
  const scanned = key ?? possible[0]
  if (key === undefined && possible.length > 0 && units > 1) return 409
  if (scanned === undefined) return undefined
  const code = client.markingCodes.get(scanned)
  const isOut = code?.client === client.id && code.state === 'shipped' && code.order === order.id
  return isOut ? undefined : 409
}

/** The keys of the marking codes that left with an order and did not come back. */
function codedPicks(client: Client, order: Order, barcode: string): string[] {
  const back = new Set<string>()
  for (const { scans } of client.returns.values()) {
    for (const scan of scans.values()) {
      if (!scan.undone && scan.order === order.id && scan.code !== undefined) back.add(scan.code)
    }
  }
  const picks = client.shipments.get(order.shipment ?? '')?.picks.values() ?? []
  return [...picks].flatMap((pick) => {
    const isOwn = pick.order === order.id && ownBarcode(client, pick.barcode) === barcode
    if (!isOwn || pick.undoneAt !== undefined || pick.code === undefined) return []
    return back.has(pick.code) ? [] : [pick.code]
  })
}

function enter(world: World, client: Client, batch: ReturnBatch, result: ReturnScanResult): void {
  if (result.repeated) return
  const { barcode, order_id: orderId, condition, marking_code: identity } = result
  assert.ok(orderId)
  const code = identity === null ? undefined : keyOfIdentity(identity)
  const question = condition === 'sellable' ? 0 : 1
  const unit = { order: orderId, barcode, question, code, undone: false } as const
  const shipment = client.orders.get(orderId)?.shipment
  batch.scans.set(result.scan_id, { ...unit, shipment })
  move(client, barcode, 1, question)
  ask(client, barcode, question, batch.id)
  const order = client.orders.get(orderId)
  takeFromAway(client, order, barcode, 1)
  const known = code === undefined ? undefined : client.markingCodes.get(code)
  if (known !== undefined && world.alone) {
    known.state = 'stored'
    known.order = undefined
  }
}

function takeFromAway(
  client: Client,
  order: Order | undefined,
  named: string,
  units: number,
): void {
  const barcode = ownBarcode(client, named)
  order?.away.set(barcode, (order.away.get(barcode) ?? 0) - units)
}

export async function undoReturn(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const batch = mostly(
    random,
    client.returns.values(),
    (each) => each.isOpen && each.scans.size > 0,
  )
  const found = batch && mostly(random, batch.scans, ([, { undone }]) => !undone)
  if (batch === undefined || found === undefined) return
  const [scanId, scan] = found
  await act(world, {
    what: `undo-return ${scanId}`,
    call: () => world.worker(`/returns/${batch.id}/scans/${scanId}/undo`, post()),
    expect: () => {
      if (scan.undone) return 200
      if (!batch.isOpen || client.orders.get(scan.order)?.shipment !== scan.shipment) return 409
      const code = scan.code === undefined ? undefined : client.markingCodes.get(scan.code)
      if (scan.code !== undefined && (code?.client !== client.id || code.state !== 'stored')) {
        return 409
      }
      const left =
        scan.question > 0
          ? (goodsOf(client, scan.barcode)?.question ?? 0)
          : free(client, scan.barcode)
      return left > 0 ? 200 : 409
    },
    apply: (body) => {
      if ((body as { repeated: boolean }).repeated) return
      scan.undone = true
      move(client, scan.barcode, -1, -scan.question)
      ask(client, scan.barcode, -scan.question, batch.id)
      const order = client.orders.get(scan.order)
      takeFromAway(client, order, scan.barcode, -1)
      const code = scan.code === undefined ? undefined : client.markingCodes.get(scan.code)
      if (code === undefined || !world.alone) return
      code.state = 'shipped'
      code.order = scan.order
    },
  })
}

export async function finishReturns(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const batch = mostly(random, client.returns.values(), isOpenBatch)
  if (batch === undefined) return
  await act(world, {
    what: `finish-returns ${batch.id}`,
    call: () => world.worker(`/returns/${batch.id}/finish`, post()),
    expect: () => (batch.isOpen ? 200 : 409),
    apply: () => {
      batch.isOpen = false
    },
  })
}
