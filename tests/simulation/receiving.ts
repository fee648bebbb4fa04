import assert from 'node:assert/strict'
import {
  type Client,
  learn,
  move,
  openUnits,
  ownBarcode,
  type Receipt,
  type ReceiptLine,
  type ReceiptStatus,
} from './model.ts'
import { scanned } from './naming.ts'
import { type Actor, act, mostly, note, post, sample } from './world.ts'

/** Receipts: requested, registered, opened without a document, confirmed, approved, cancelled and finished. */

/** What is written names goods by any of their barcodes. */
interface Draft {
  readonly written: Draft['items']
  readonly items: readonly { barcode: string; qty: number; honest_mark: boolean; name: string }[]
}

function draftOf(actor: Actor, client: Client): Draft {
  const { random } = actor
  const marked = random.next() < 0.4
  const goods = [...client.goods.values()].filter((each) => each.marked === marked)
  const items = sample(random, goods, 3).map(({ barcode }) => ({
    barcode,
    qty: marked ? random.int(1, 3) : random.int(1, 12),
    honest_mark: marked,
    name: `Товар ${barcode}`,
  }))
  const written = items.map((item) => ({ ...item, barcode: scanned(actor, client, item.barcode) }))
  return { written, items }
}

function noteReceipt(
  client: Client,
  { items }: Draft,
  made: { id: string; source: Receipt['source']; ref?: string; walkIn?: boolean },
): void {
  const { walkIn = false } = made
  const first = made.source === 'api' ? 'PENDING_CONFIRMATION' : 'EXPECTED'
  const status = walkIn ? 'RECEIVING' : first
  const lines = new Map<string, ReceiptLine>()
  for (const { barcode: named, qty } of items) {
    // Goods that were merged since they were requested have one line.
    const barcode = ownBarcode(client, named)
    const expected = (lines.get(barcode)?.expected ?? 0) + qty
    lines.set(barcode, { barcode, expected, accepted: 0, reason: undefined })
  }
  client.receipts.set(made.id, {
    ...made,
    ref: made.ref,
    status,
    lines,
    scans: new Map(),
    completedAt: undefined,
    walkIn,
    approved: false,
    cancelled: false,
  })
  client.events.push({ type: 'receipt.created', object: made.id, before: undefined, status })
  if (status === 'EXPECTED')
    learn(
      client,
      items.map(({ barcode }) => barcode),
    )
}

function pendingOf(client: Client, ref: string): Receipt | undefined {
  return [...client.receipts.values()].find(
    (each) => each.ref === ref && each.source === 'api' && each.status === 'PENDING_CONFIRMATION',
  )
}

/** A seller requests a receipt, often twice, sometimes several times at once. */
export async function request(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const draft = draftOf(actor, client)
  const ref = `REF-${random.int(1, 4)}`
  const cabinet = random.pick(client.cabinets)
  const body = { items: draft.written, external_ref: ref, cabinet_id: cabinet.id }
  const times = random.next() < 0.15 ? 4 : 1
  const pending = pendingOf(client, ref)
  const answers = await Promise.all(
    Array.from({ length: times }, () => world.seller(client, '/receipts', post(body))),
  )
  note(world, `request ${ref} x${times}`, answers)
  const made = answers.filter(({ status }) => status === 201)
  const ids = new Set(answers.map((answer) => (answer.body as { id: string }).id))
  if (world.alone) {
    assert.equal(made.length, pending === undefined ? 1 : 0)
    assert.equal(ids.size, 1)
    if (pending !== undefined) assert.ok(ids.has(pending.id))
  }
  for (const answer of made) {
    noteReceipt(client, draft, { id: (answer.body as { id: string }).id, source: 'api', ref })
  }
}

export async function register(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const draft = draftOf(actor, client)
  const byFile = random.next() < 0.5
  const path = `/clients/${client.id}/receipts`
  const rows = draft.written.map(
    ({ barcode, name, qty, honest_mark }) => `${barcode};${name};${qty};${honest_mark ? 1 : 0}`,
  )
  const csv = ['barcode;name;qty;honest_mark', ...rows].join('\n')
  const call = byFile
    ? { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: csv }
    : post({ items: draft.written })
  await act(world, {
    what: `register ${byFile ? 'file' : 'manual'} ${JSON.stringify(draft.written)}`,
    call: () => world.manager(byFile ? `${path}/import` : path, call),
    expect: () => 201,
    apply: (body) =>
      noteReceipt(client, draft, {
        id: (body as { id: string }).id,
        source: byFile ? 'file' : 'manual',
      }),
  })
}

/** Workers do not see receipts that wait for confirmation. */
function refused({ status }: Receipt, needed: ReceiptStatus, byWorker = true): number | undefined {
  if (byWorker && status === 'PENDING_CONFIRMATION') return 404
  return status === needed ? undefined : 409
}

function become(client: Client, receipt: Receipt, status: ReceiptStatus, type: string): void {
  client.events.push({ type, object: receipt.id, before: receipt.status, status })
  receipt.status = status
}

export async function advance(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const receipt = mostly(random, client.receipts.values(), ({ status }) =>
    ['PENDING_CONFIRMATION', 'EXPECTED'].includes(status),
  )
  if (receipt === undefined) return
  const confirms = receipt.status === 'PENDING_CONFIRMATION' || random.next() < 0.05
  const verb = confirms ? 'confirm' : 'start'
  await act(world, {
    what: `${verb} ${receipt.id}`,
    call: () =>
      (confirms ? world.manager : world.worker)(`/receipts/${receipt.id}/${verb}`, post()),
    expect: () =>
      refused(receipt, confirms ? 'PENDING_CONFIRMATION' : 'EXPECTED', !confirms) ?? 200,
    apply: () => {
      if (confirms) learn(client, receipt.lines.keys())
      become(
        client,
        receipt,
        confirms ? 'EXPECTED' : 'RECEIVING',
        confirms ? 'receipt.confirmed' : 'receipt.status_changed',
      )
    },
  })
}

/** A worker opens a receipt for goods without a document, often twice. */
export async function openWalkIn(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const body = {
    client_id: client.id,
    ...(random.next() < 0.7 ? { scan_id: newName('door') } : {}),
  }
  const times = 'scan_id' in body && random.next() < 0.4 ? 3 : 1
  const answers = await Promise.all(
    Array.from({ length: times }, () => world.worker('/receipts/walk-in', post(body))),
  )
  note(world, `walk-in x${times}`, answers)
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.length, 1)
  const [id = '', ...others] = new Set(answers.map(({ body }) => (body as { id: string }).id))
  assert.equal(others.length, 0)
  noteReceipt(client, { items: [], written: [] }, { id, source: 'manual', walkIn: true })
}

export async function approve(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const waits = ({ walkIn, approved }: Receipt) => walkIn && !approved
  const receipt = mostly(random, client.receipts.values(), waits)
  if (receipt === undefined) return
  await act(world, {
    what: `approve ${receipt.id}`,
    call: () => world.manager(`/receipts/${receipt.id}/approve`, post()),
    expect: () => (waits(receipt) ? 200 : 409),
    apply: () => {
      if (!world.alone) client.approvedTogether = true
      for (const { barcode } of receipt.lines.values()) {
        move(client, barcode, 0, -openUnits(client, barcode, receipt.id))
      }
      for (const each of client.questions) if (each.receipt === receipt.id) each.units = 0
      receipt.approved = true
    },
  })
}

export async function cancel(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const isAhead = ({ status }: Receipt) => ['PENDING_CONFIRMATION', 'EXPECTED'].includes(status)
  const receipt = mostly(random, client.receipts.values(), isAhead)
  if (receipt === undefined) return
  await act(world, {
    what: `cancel ${receipt.id}`,
    call: () => world.manager(`/receipts/${receipt.id}/cancel`, post()),
    expect: () => (isAhead(receipt) ? 200 : 409),
    apply: () => {
      receipt.cancelled = true
      receipt.completedAt = world.clock.now()
      become(client, receipt, 'RECEIVED_WITH_DISCREPANCY', 'receipt.completed')
    },
  })
}

const isReceiving = ({ status }: Receipt) => status === 'RECEIVING'

export async function finish(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const receipt = mostly(random, client.receipts.values(), isReceiving)
  if (receipt === undefined) return
  const lines = [...receipt.lines.values()]
  const short = lines.filter(({ accepted, expected }) => accepted < expected)
  const named = random.next() < 0.07 ? sample(random, lines, 3) : short
  const reasons = new Map(
    named.map(({ barcode }) => [barcode, random.pick(['NOT_DELIVERED', 'DAMAGED', 'OTHER'])]),
  )
  const shortages = [...reasons].map(([barcode, reason]) => ({ barcode, reason }))
  const isRight = short.length === named.length && short.every((line) => named.includes(line))
  await act(world, {
    what: `finish ${receipt.id} ${JSON.stringify(shortages)}`,
    call: () => world.worker(`/receipts/${receipt.id}/finish`, post({ shortages })),
    expect: () => refused(receipt, 'RECEIVING') ?? (isRight ? 200 : 400),
    apply: (body) => {
      for (const [barcode, reason] of reasons) {
        const line = receipt.lines.get(barcode)
        if (line !== undefined) line.reason = reason
      }
      const exact = lines.every(({ accepted, expected }) => accepted === expected)
      const status = world.alone
        ? exact
          ? 'RECEIVED'
          : 'RECEIVED_WITH_DISCREPANCY'
        : (body as { status: ReceiptStatus }).status
      receipt.completedAt = world.clock.now()
      become(client, receipt, status, 'receipt.completed')
    },
  })
}
