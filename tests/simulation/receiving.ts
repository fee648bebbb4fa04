import assert from 'node:assert/strict'
import { type Client, learn, type Receipt, type ReceiptLine, type ReceiptStatus } from './model.ts'
import { type Actor, act, mostly, note, post, sample } from './world.ts'

/** Receipts: requested, registered, confirmed and finished. */

interface Draft {
  readonly items: readonly { barcode: string; qty: number; honest_mark: boolean; name: string }[]
}

function draftOf({ random }: Actor, client: Client): Draft {
  const marked = random.next() < 0.4
  const goods = [...client.goods.values()].filter((each) => each.marked === marked)
  return {
    items: sample(random, goods, 3).map(({ barcode }) => ({
      barcode,
      qty: marked ? random.int(1, 3) : random.int(1, 12),
      honest_mark: marked,
      name: `Товар ${barcode}`,
    })),
  }
}

function noteReceipt(
  client: Client,
  { items }: Draft,
  made: { id: string; source: Receipt['source']; ref?: string },
): void {
  const status = made.source === 'api' ? 'PENDING_CONFIRMATION' : 'EXPECTED'
  const lines = items.map(({ barcode, qty }): [string, ReceiptLine] => [
    barcode,
    { barcode, expected: qty, accepted: 0, reason: undefined },
  ])
  client.receipts.set(made.id, {
    ...made,
    ref: made.ref,
    status,
    lines: new Map(lines),
    scans: new Map(),
    completedAt: undefined,
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
  const body = { ...draft, external_ref: ref, cabinet_id: cabinet.id }
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
  const rows = draft.items.map(
    ({ barcode, name, qty, honest_mark }) => `${barcode};${name};${qty};${honest_mark ? 1 : 0}`,
  )
  const csv = ['barcode;name;qty;honest_mark', ...rows].join('\n')
  const call = byFile
    ? { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: csv }
    : post(draft)
  await act(world, {
    what: `register ${byFile ? 'file' : 'manual'} ${JSON.stringify(draft.items)}`,
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
