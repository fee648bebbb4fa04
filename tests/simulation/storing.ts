import assert from 'node:assert/strict'
import {
  ask,
  type Client,
  free,
  goodsOf,
  isKnown,
  loose,
  move,
  ownBarcode,
  type Place,
  putInto,
} from './model.ts'
import { scanned } from './naming.ts'
import { type Actor, act, mostly, note, post, some } from './world.ts'

/** Boxes, pallets and manual stock entries. */

export async function makeStorage(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  if (random.next() < 0.3) {
    await act(world, {
      what: 'pallet',
      call: () => world.worker('/pallets', post({ client_id: client.id })),
      expect: () => 201,
      apply: (body) => client.pallets.push((body as { id: string }).id),
    })
    return
  }
  const pallet = random.next() < 0.6 ? some(random, client.pallets) : undefined
  await act(world, {
    what: `box on ${pallet}`,
    call: () =>
      world.worker(
        '/boxes',
        post({ client_id: client.id, ...(pallet === undefined ? {} : { pallet_id: pallet }) }),
      ),
    expect: () => 201,
    apply: (body) => {
      const { id } = body as { id: string }
      client.boxes.set(id, { id, pallet, contents: new Map(), scans: new Set() })
    },
  })
}

export async function placeBox(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const box = some(random, client.boxes.values())
  if (box === undefined) return
  const pallet = random.next() < 0.7 ? some(random, client.pallets) : undefined
  await act(world, {
    what: `place ${box.id} on ${pallet}`,
    call: () =>
      world.worker(`/boxes/${box.id}`, { method: 'PATCH', body: { pallet_id: pallet ?? null } }),
    expect: () => 200,
    apply: () => {
      box.pallet = pallet
    },
  })
}

/** Puts units into a box, takes them out, or moves them to another box. */
export async function handle(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const box = some(random, client.boxes.values())
  if (box === undefined) return
  const verb = random.pick(['put', 'put', 'take', 'move'] as const)
  const held = verb === 'put' ? undefined : some(random, box.contents.keys())
  const barcode =
    held ??
    mostly(random, client.goods.values(), (goods) => loose(client, goods.barcode) > 0)?.barcode ??
    'nothing'
  const to = verb === 'move' ? some(random, client.boxes.values()) : undefined
  const scanId = random.next() < 0.1 ? some(random, box.scans) : newName('put')
  const qty = random.int(1, 4)
  const body = {
    barcode: scanned(actor, client, barcode),
    qty,
    ...(scanId === undefined ? {} : { scan_id: scanId }),
    ...(to === undefined ? {} : { to_box_id: to.id }),
  }
  const isRepeat = () => scanId !== undefined && box.scans.has(scanId)
  const wasRepeat = isRepeat()
  await act(world, {
    what: `${verb} ${box.id} ${JSON.stringify(body)}`,
    call: () => world.worker(`/boxes/${box.id}/${verb}`, post(body)),
    expect: () => {
      if (wasRepeat) return 200
      if (to?.id === box.id) return 400
      if (!isKnown(client, barcode)) return 400
      const there = verb === 'put' ? loose(client, barcode) : (box.contents.get(barcode) ?? 0)
      return there < qty ? 409 : 200
    },
    apply: () => {
      if (wasRepeat) return
      if (scanId !== undefined) box.scans.add(scanId)
      const own = ownBarcode(client, barcode)
      putInto(box, own, verb === 'put' ? qty : -qty)
      if (to !== undefined) putInto(to, own, qty)
    },
  })
}

const reasons = ['COUNT', 'FOUND', 'LOST', 'DAMAGED']

/** Corrections, write-offs and investigations, often sent twice. */
export async function enterByHand(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const barcode =
    mostly(random, client.goods.values(), (goods) => goods.quantity !== undefined)?.barcode ?? ''
  const kind = random.pick([
    'corrections',
    'corrections',
    'write-offs',
    'in-question',
    'in-question/resolve',
  ] as const)
  const units = random.int(1, 3)
  const delta = kind === 'corrections' ? units * random.pick([-1, 1, 1]) : -units
  const outcome = random.pick(['found', 'written_off'] as const)
  const place =
    kind === 'corrections' && random.next() < 0.5 ? placeOf(actor, client, barcode) : undefined
  const entry = random.next() < 0.15 ? some(random, client.entries) : newName('entry')
  const wasKnown = entry !== undefined && client.entries.has(entry)
  const body = {
    barcode: scanned(actor, client, barcode),
    ...(kind === 'corrections' ? { delta } : { qty: units }),
    ...(kind === 'in-question/resolve' ? { outcome } : { reason: random.pick(reasons) }),
    ...(entry === undefined ? {} : { entry_id: entry }),
    ...place?.named,
  }
  const change = {
    corrections: { quantity: delta, question: 0 },
    'write-offs': { quantity: -units, question: 0 },
    'in-question': { quantity: 0, question: units },
    'in-question/resolve': { quantity: outcome === 'found' ? 0 : -units, question: -units },
  }[kind]
  await act(world, {
    what: `${kind}${place === undefined ? '' : '-at-place'} ${JSON.stringify(body)}`,
    call: () => world.manager(`/clients/${client.id}/${kind}`, post(body)),
    expect: () => {
      const good = kind === 'in-question/resolve' ? 200 : 201
      if (!isKnown(client, barcode)) return 400
      if (wasKnown) return good
      const there = place?.at.contents.get(ownBarcode(client, barcode)) ?? 0
      if (place !== undefined && there + delta < 0) return 409
      const question = (goodsOf(client, barcode)?.question ?? 0) + change.question
      const left = free(client, barcode) + change.quantity - change.question
      return question < 0 || left < 0 ? 409 : good
    },
    apply: () => {
      if (wasKnown) return
      if (entry !== undefined) client.entries.add(entry)
      // The units leave this place and no other one, or lie there from now on.
      if (place !== undefined) putInto(place.at, ownBarcode(client, barcode), delta)
      move(client, barcode, change.quantity, change.question)
      if (kind === 'in-question') ask(client, barcode, units)
    },
  })
}

/** A box or a location, mostly one that has the goods, as a correction names it. */
function placeOf({ random }: Actor, client: Client, barcode: string) {
  const holds = ({ contents }: Place) => contents.has(ownBarcode(client, barcode))
  if (random.next() < 0.5) {
    const at = mostly(random, client.places.values(), holds)
    return at && { at, named: { location_id: at.id } }
  }
  const at = mostly(random, client.boxes.values(), holds)
  return at && { at, named: { box_id: at.id } }
}

/** Several write the same goods off at once: as many succeed as there are units. */
export async function rush(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const box = some(random, client.boxes.values())
  const boxing = box !== undefined && random.next() < 0.5
  const left = boxing ? loose : free
  const goods = mostly(random, client.goods.values(), ({ barcode }) => left(client, barcode) > 0)
  if (goods === undefined || !isKnown(client, goods.barcode)) return
  const { barcode } = goods
  const qty = random.int(1, 3)
  const times = random.int(3, 6)
  const enough = Math.min(times, Math.floor(left(client, barcode) / qty))
  const call = () =>
    boxing
      ? world.worker(`/boxes/${box.id}/put`, post({ barcode, qty }))
      : world.manager(`/clients/${client.id}/write-offs`, post({ barcode, qty, reason: 'LOST' }))
  const answers = await Promise.all(Array.from({ length: times }, call))
  note(world, `rush x${times} ${boxing ? `into ${box.id}` : 'away'} ${barcode} ${qty}`, answers)
  const done = answers.filter(({ status }) => status < 300).length
  if (world.alone) assert.equal(done, enough, `${done} of ${times} got ${qty} of ${barcode}`)
  for (const { status, text } of answers) assert.ok(status < 300 || status === 409, text)
  for (let n = 0; n < done; n++) {
    if (boxing) putInto(box, ownBarcode(client, barcode), qty)
    else move(client, barcode, -qty)
  }
}
