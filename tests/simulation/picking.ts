import assert from 'node:assert/strict'
import {
  type Client,
  goodsOf,
  loose,
  type Order,
  ownBarcode,
  type Pick,
  putInto,
  type Shipment,
} from './model.ts'
import { printedCode, scanned } from './naming.ts'
import { isAssembling, ordersOf } from './shipping.ts'
import { type Actor, act, mostly, note, post, some } from './world.ts'

/** Actions of pickers. */

interface PickBody {
  readonly scan_id: string
  readonly order_id: string
  readonly barcode: string
  readonly marking_code?: string
  readonly box_id?: string
  readonly location_id?: string
}

function orderToPick({ random }: Actor, client: Client, shipment: Shipment): Order | undefined {
  const own = ordersOf(client, shipment)
  const order = mostly(random, own, ({ packed, reported }) => !packed && reported !== 'CANCELLED')
  return random.next() < 0.03 ? some(random, client.orders.values()) : order
}

export const withTask = (client: Client) =>
  [...client.shipments.values()].filter(({ task }) => task !== undefined)

const needs = ({ units, picked }: { units: number; picked: number }) => picked < units

export async function pick(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const shipment = mostly(
    random,
    withTask(client),
    (each) => isAssembling(each) && ordersOf(client, each).some(({ packed }) => !packed),
  )
  const order = shipment && orderToPick(actor, client, shipment)
  if (shipment === undefined || order === undefined) return
  const line = mostly(random, order.lines, needs)
  const other = random.pick([...client.goods.keys()])
  const barcode = random.next() < 0.04 ? other : (line?.barcode ?? other)
  const repeated = random.next() < 0.1 ? some(random, shipment.picks.keys()) : undefined
  const box =
    random.next() < 0.4
      ? mostly(random, client.boxes.values(), ({ contents }) => contents.has(barcode))
      : undefined
  const from =
    box === undefined && random.next() < 0.4
      ? mostly(random, client.places.values(), ({ contents }) => contents.has(barcode))
      : undefined
  const marked = goodsOf(client, barcode)?.marked === true && random.next() < 0.7
  const code = marked ? chooseCode(actor, client, barcode) : undefined
  const body: PickBody = {
    scan_id: repeated ?? newName('pick'),
    order_id: order.id,
    barcode,
    ...(code === undefined ? {} : { marking_code: printedCode(code.key) }),
    ...(box === undefined ? {} : { box_id: box.id }),
    ...(from === undefined ? {} : { location_id: from.id }),
  }
  const sent = { ...body, barcode: scanned(actor, client, barcode) }
  const times = random.next() < 0.1 ? 3 : 1
  const wasKnown = shipment.picks.has(body.scan_id)
  const expected = world.alone
    ? (refusedPick(world.clock.now(), client, shipment, order, body, code) ?? 200)
    : undefined
  const answers = await Promise.all(
    Array.from({ length: times }, () =>
      world.worker(`/picking-tasks/${shipment.task}/picks`, post(sent)),
    ),
  )
  note(world, `pick x${times} ${shipment.number} ${JSON.stringify(sent)}`, answers)
  for (const { status, text } of answers) {
    if (expected === undefined) assert.ok([200, 400, 404, 409].includes(status), text)
    else assert.equal(status, expected, `${JSON.stringify(body)} ${text}`)
  }
  const taken = answers.filter(
    ({ status, body }) => status === 200 && !(body as { repeated: boolean }).repeated,
  )
  assert.ok(taken.length <= 1, 'a pick was taken twice')
  if (expected === 200) assert.equal(taken.length, wasKnown ? 0 : 1)
  if (taken.length === 1) place(world.clock.now(), client, shipment, order, body, code)
}

interface ChosenCode {
  readonly key: string
}

function chooseCode({ random }: Actor, client: Client, barcode: string): ChosenCode {
  const stored = [...client.markingCodes].filter(
    ([, code]) => code.client === client.id && code.barcode === barcode && code.state === 'stored',
  )
  const key = random.next() < 0.85 ? some(random, stored)?.[0] : undefined
  return { key: key ?? `${barcode}:${random.int(1, 40)}` }
}

function placeOfPick(client: Client, { box_id: box, location_id: location }: PickBody) {
  if (box !== undefined) return client.boxes.get(box)
  return location === undefined ? undefined : client.places.get(location)
}

function refusedPick(
  at: number,
  client: Client,
  shipment: Shipment,
  order: Order,
  body: PickBody,
  code: ChosenCode | undefined,
): number | undefined {
  if (shipment.picks.has(body.scan_id)) return undefined
  if (!isAssembling(shipment)) return 409
  if (holderOf(shipment, at) === 'manager') return 409
  if (order.shipment !== shipment.id) return 404
  if (order.reported === 'CANCELLED') return 409
  const lines = order.lines.filter(({ barcode }) => barcode === body.barcode)
  if (lines.length === 0) return 400
  if (!lines.some(needs)) return 409
  const known = code === undefined ? undefined : client.markingCodes.get(code.key)
  const own = known?.client === client.id
  if (known !== undefined && (own ? known.state !== 'stored' : known.state !== 'shipped'))
    return 409
  const from = placeOfPick(client, body)
  return from !== undefined && !from.contents.has(body.barcode) ? 409 : undefined
}

function place(
  at: number,
  client: Client,
  shipment: Shipment,
  order: Order,
  body: PickBody,
  code: ChosenCode | undefined,
): void {
  const barcode = ownBarcode(client, body.barcode)
  const n = order.lines.findIndex((each) => each.barcode === barcode && needs(each))
  const from = placeOfPick(client, body)
  shipment.picks.set(body.scan_id, {
    order: order.id,
    barcode,
    at,
    undoneAt: undefined,
    line: n,
    code: code?.key,
    proof: undefined,
    from,
  })
  const line = order.lines[n]
  if (line !== undefined) line.picked += 1
  order.packed = !order.lines.some(needs)
  if (from !== undefined) putInto(from, barcode, -1)
  if (code === undefined) return
  const known = client.markingCodes.get(code.key)
  const receipt = known?.client === client.id ? known.receipt : undefined
  client.markingCodes.set(code.key, {
    client: client.id,
    barcode,
    state: 'picked',
    receipt,
    order: order.id,
  })
}

export async function miss(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const shipment = mostly(random, withTask(client), isAssembling)
  const order = shipment && orderToPick(actor, client, shipment)
  if (shipment === undefined || order === undefined) return
  const reason = random.pick(['COULD_NOT_LOCATE', 'DAMAGED', 'OTHER'])
  const scanId =
    random.next() < 0.2
      ? some(random, shipment.reports)
      : random.next() < 0.5
        ? newName('miss')
        : undefined
  const body = { order_id: order.id, reason, ...(scanId === undefined ? {} : { scan_id: scanId }) }
  await act(world, {
    what: `miss ${shipment.number} ${JSON.stringify(body)}`,
    call: () => world.worker(`/picking-tasks/${shipment.task}/not-found`, post(body)),
    expect: () => {
      if (!isAssembling(shipment)) return 409
      if (holderOf(shipment, world.clock.now()) === 'manager') return 409
      if (order.shipment !== shipment.id) return 404
      if (order.reported === 'CANCELLED') return 409
      if (scanId !== undefined && shipment.reports.has(scanId)) return 200
      return order.lines.some(needs) ? 200 : 409
    },
    apply: () => {
      if (scanId !== undefined && shipment.reports.has(scanId)) return
      const counted = report(world.clock.now(), shipment, order, reason)
      if (counted && scanId !== undefined) shipment.reports.add(scanId)
    },
  })
}

/** A miss counts unless the one that waits says the same, with no pick in between. It takes the place of that one. */
function report(at: number, shipment: Shipment, order: Order, reason: string): boolean {
  const missing = new Map<string, number>()
  for (const { barcode = '', units, picked } of order.lines) {
    if (picked < units) missing.set(barcode, (missing.get(barcode) ?? 0) + units - picked)
  }
  let counted = false
  for (const [barcode, units] of missing) {
    const last = shipment.misses.findLast(
      (each) => each.isOpen && each.order === order.id && each.barcode === barcode,
    )
    const pickedSince = [...shipment.picks.values()].some(
      (pick) =>
        pick.order === order.id &&
        pick.barcode === barcode &&
        last !== undefined &&
        Math.max(pick.at, pick.undoneAt ?? 0) >= last.at,
    )
    if (last?.units === units && last.reason === reason && !pickedSince) continue
    if (last !== undefined) last.isOpen = false
    shipment.misses.push({ order: order.id, barcode, units, reason, at, isOpen: true })
    counted = true
  }
  return counted
}

/** A unit goes back where it was taken from, and the packing check of its order begins again. */
export async function undoPick(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const shipment = mostly(
    random,
    withTask(client),
    (each) => isAssembling(each) && each.picks.size > 0,
  )
  const scan =
    shipment && mostly(random, shipment.picks, ([, { undoneAt }]) => undoneAt === undefined)
  if (shipment === undefined || scan === undefined) return
  const [scanId, made] = scan
  const order = client.orders.get(made.order)
  assert.ok(order)
  await act(world, {
    what: `undo-pick ${shipment.number} ${scanId}`,
    call: () => world.worker(`/picking-tasks/${shipment.task}/picks/${scanId}/undo`, post()),
    expect: () => {
      if (made.undoneAt !== undefined) return 200
      if (!isAssembling(shipment)) return 409
      if (holderOf(shipment, world.clock.now()) === 'manager') return 409
      if (order.reported === 'CANCELLED') return 409
      const fixed =
        order.marketplace === 'OZON'
          ? order.reported !== 'NEW'
          : ['IN_DELIVERY', 'COMPLETED'].includes(order.reported)
      return made.code !== undefined && fixed ? 409 : 200
    },
    apply: () => {
      if (made.undoneAt !== undefined) return
      made.proof = undefined
      putBack(world.clock.now(), client, order, made)
    },
  })
}

/** The order of a picked unit wants another one. */
export function putBack(at: number, client: Client, order: Order, made: Pick): void {
  made.undoneAt = at
  const line = order.lines[made.line]
  if (line !== undefined) line.picked -= 1
  order.packed = false
  order.checks.clear()
  const { from } = made
  const barcode = ownBarcode(client, made.barcode)
  if (from !== undefined && loose(client, barcode) > 0) putInto(from, barcode, 1)
  const code = made.code === undefined ? undefined : client.markingCodes.get(made.code)
  if (code !== undefined) {
    code.state = 'stored'
    code.order = undefined
  }
}

export async function check(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const shipment = mostly(
    random,
    withTask(client),
    (each) => isAssembling(each) && ordersOf(client, each).some(({ packed }) => packed),
  )
  const order = shipment && mostly(random, ordersOf(client, shipment), ({ packed }) => packed)
  if (shipment === undefined || order === undefined) return
  const other = random.pick([...client.goods.keys()])
  const code = random.next() < 0.9 ? (random.pick(order.lines).barcode ?? other) : other
  const known = random.next() < 0.1 ? some(random, shipment.checks) : undefined
  const scan_id = known ?? newName('check')
  const left = () => {
    const own = order.lines.flatMap((line, n) => (line.barcode === code ? [{ ...line, n }] : []))
    return { own, open: own.find(({ picked, n }) => (order.checks.get(n) ?? 0) < picked) }
  }
  const body = { scan_id, order_id: order.id, code: scanned(actor, client, code) }
  await act(world, {
    what: `check ${shipment.number} ${order.number} ${body.code}`,
    call: () => world.worker(`/shipments/${shipment.id}/checks`, post(body)),
    expect: () => {
      if (shipment.checks.has(scan_id)) return 200
      if (!isAssembling(shipment)) return 409
      if (order.shipment !== shipment.id) return 404
      if (order.reported === 'CANCELLED') return 409
      const { own, open } = left()
      return own.length === 0 ? 400 : open === undefined ? 409 : 200
    },
    apply: (body) => {
      if ((body as { repeated: boolean }).repeated) return
      shipment.checks.add(scan_id)
      const { open } = left()
      if (open !== undefined) order.checks.set(open.n, (order.checks.get(open.n) ?? 0) + 1)
      if (!world.alone) return
      const units = order.lines.reduce((sum, line) => sum + line.units, 0)
      const checked = [...order.checks.values()].reduce((sum, each) => sum + each, 0)
      const { checked: shown, complete } = body as { checked: number; complete: boolean }
      assert.deepEqual([shown, complete], [checked, checked === units])
    },
  })
}

const claimMs = 30 * 60_000

/** Who alone collects the task at the moment: the worker scans here, the manager does not. */
function holderOf({ claim, picks }: Shipment, now: number): 'worker' | 'manager' | undefined {
  if (claim === undefined) return undefined
  const scans = claim.user === 'worker' ? [...picks.values()].map(({ at }) => at) : []
  return now < Math.max(claim.at, ...scans) + claimMs ? claim.user : undefined
}

/** The worker claims or releases a task, or the manager takes it over. */
export async function claim(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const shipment = mostly(random, withTask(client), isAssembling)
  if (shipment === undefined) return
  const verb = random.pick(['claim', 'release', 'take-over'] as const)
  const user = verb === 'take-over' ? 'manager' : 'worker'
  const holder = () => holderOf(shipment, world.clock.now())
  await act(world, {
    what: `${verb} ${shipment.number}`,
    call: () => world[user](`/picking-tasks/${shipment.task}/${verb}`, post()),
    expect: () => {
      if (!isAssembling(shipment)) return 409
      return user === 'worker' && holder() === 'manager' ? 409 : 200
    },
    apply: (body) => {
      const { claim: shown } = body as { claim: { user_id: string } | null }
      if (world.alone) assert.equal(shown === null, verb === 'release')
      if (verb === 'release') shipment.claim = undefined
      else if (holder() !== user) shipment.claim = { user, at: world.clock.now() }
    },
  })
}
