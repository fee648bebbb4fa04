import assert from 'node:assert/strict'
import { ask, type Client, free, isKnown, isOpen, move } from './model.ts'
import { scanned } from './naming.ts'
import { type Actor, act, mostly, note, post } from './world.ts'

interface Line {
  readonly barcode: string
  readonly counted: number
  readonly difference: number
}

/** A worker counts goods, sometimes wrongly; a manager decides on the difference. */
export async function takeStock(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const goods = mostly(random, client.goods.values(), ({ quantity = 0 }) => quantity > 0)
  if (goods === undefined || !isKnown(client, goods.barcode)) return
  const { barcode } = goods
  const expected = (goods.quantity ?? 0) - picked(client, barcode)
  const units = Math.max(0, expected + random.pick([0, 0, -1, 1, 2]))
  const forClient = random.next() < 0.5
  const scope = { barcodes: [barcode] }
  const draft = { client_id: client.id, scope, for_client: forClient }
  const opened = await world.manager('/counts', post(draft))
  assert.equal(opened.status, 201, opened.text)
  const path = `/counts/${(opened.body as { id: string }).id}`
  const done = async (call: Promise<{ status: number; text: string; body: unknown }>) => {
    const answer = await call
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  await done(world.manager(`${path}/start`, post()))
  const first = random.int(0, units)
  for (const qty of [first, units - first]) {
    const scan = { scan_id: newName('count'), code: scanned(actor, client, barcode), qty }
    const times = random.next() < 0.3 ? 2 : 1
    await Promise.all(
      Array.from({ length: times }, () => done(world.worker(`${path}/scans`, post(scan)))),
    )
  }
  const isSaid = random.next() < 0.5
  if (isSaid) {
    const times = random.next() < 0.3 ? 2 : 1
    const say = () => done(world.worker(`${path}/finish`, post({})))
    await Promise.all(Array.from({ length: times }, say))
    if (random.next() < 0.3) {
      await done(world.worker(`${path}/resume`, post()))
      await say()
    }
  }
  const { counted_at } = (await done(world.manager(path))) as { counted_at: string | null }
  assert.equal(counted_at !== null, isSaid, path)
  await done(world.manager(`${path}/review`, post()))
  const { lines } = (await done(world.manager(path))) as { lines: Line[] }
  const [line] = lines
  assert.ok(line !== undefined && lines.length === 1)
  assert.equal(line.counted, units, path)
  if (world.alone) assert.equal(line.difference, units - expected, path)
  note(world, `count ${barcode} ${units} of ${expected}`, [])
  const decided = line.difference === 0 || (await decide(actor, client, path, line))
  const ended = await done(world.manager(`${path}/${decided ? 'close' : 'cancel'}`, post()))
  if (!decided || !forClient || units === 0) return
  const { id, ended_at: at } = ended as { id: string; ended_at: string }
  client.counted.push({ id, units, at: Date.parse(at) })
}

/** Prints labels for goods, as often as an unsure worker asks; they count once. */
export async function printLabels(
  { world, random, newName }: Actor,
  client: Client,
): Promise<void> {
  const goods = random.pick([...client.goods.values()])
  if (goods === undefined || !isKnown(client, goods.barcode)) return
  const { barcode } = goods
  const copies = random.int(1, 3)
  const print = { charged: true, print_id: newName('labels') }
  const draft = { client_id: client.id, items: [{ barcode, copies }], ...print }
  const times = random.next() < 0.3 ? 2 : 1
  const at = world.clock.now()
  const answers = await Promise.all(
    Array.from({ length: times }, () => world.worker('/labels/goods', post(draft))),
  )
  for (const { status, text } of answers) assert.equal(status, 200, text)
  client.labelled.push({ id: barcode, units: copies, at })
  note(world, `labels ${barcode} ${copies}`, [])
}

/** Units that were picked and wait for their shipment. */
function picked(client: Client, barcode: string): number {
  let units = 0
  for (const order of client.orders.values()) {
    if (!isOpen(client, order)) continue
    for (const line of order.lines) if (line.barcode === barcode) units += line.picked
  }
  return units
}

async function decide(
  { world, random }: Actor,
  client: Client,
  path: string,
  { barcode, difference }: Line,
): Promise<boolean> {
  const outcome = random.pick(['correct', 'in_question', 'ignore'] as const)
  const answer = await act(world, {
    what: `decide ${outcome} ${barcode} ${difference}`,
    call: () => {
      const body = { outcome, reason: 'COUNT' }
      return world.manager(`${path}/lines/${barcode}/accept`, post(body))
    },
    expect: () => {
      const taken = outcome === 'ignore' || difference > 0 ? 0 : -difference
      return free(client, barcode) < taken ? 409 : 200
    },
    apply: () => {
      if (outcome === 'correct') move(client, barcode, difference)
      else if (outcome === 'in_question') {
        move(client, barcode, Math.max(0, difference), Math.abs(difference))
        ask(client, barcode, Math.abs(difference))
      }
    },
  })
  return answer.status === 200
}
