import assert from 'node:assert/strict'
import { date, dateOfScan } from './dating.ts'
import {
  ask,
  type Client,
  type CountedScan,
  free,
  goodsOf,
  isKnown,
  learn,
  move,
  ownBarcode,
  putInto,
  questioned,
  type Receipt,
} from './model.ts'
import { printedCode, scanned } from './naming.ts'
import { type Actor, act, mostly, note, post, some } from './world.ts'

/** Counting receipts, scan by scan. */

const isReceiving = ({ status }: Receipt) => status === 'RECEIVING'

interface ScanBody {
  readonly scan_id: string
  readonly barcode: string
  readonly qty?: number
  readonly marking_code?: string
  readonly box_id?: string
  readonly name?: string
  readonly expires_on?: string
}

export async function scan(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const receipt = mostly(random, client.receipts.values(), isReceiving)
  if (receipt === undefined) return
  const repeated = random.next() < 0.12 ? some(random, receipt.scans.keys()) : undefined
  const goods = random.pick([...client.goods.values()])
  const short = [...receipt.lines.values()].filter((line) => line.accepted < line.expected)
  const line = mostly(
    random,
    short.length > 0 && random.next() < 0.8 ? short : receipt.lines.values(),
    () => true,
  )
  const barcode = random.next() < 0.04 || line === undefined ? goods.barcode : line.barcode
  const marked = client.goods.get(barcode)?.marked !== random.next() < 0.03
  const unit = random.int(1, 25)
  const box = random.next() < 0.3 ? some(random, client.boxes.values()) : undefined
  const text = scanned(actor, client, barcode)
  const code = marked ? `${markable([text, barcode])}:${unit}` : undefined
  const isNamed = marked === client.goods.get(barcode)?.marked && random.next() < 0.5
  const body: ScanBody = {
    scan_id: repeated ?? newName('scan'),
    barcode,
    ...(code === undefined ? { qty: random.int(1, 5) } : { marking_code: printedCode(code) }),
    ...(box === undefined ? {} : { box_id: box.id }),
    ...(isNamed ? { name: `Товар ${barcode}` } : {}),
    ...dateOfScan(actor),
  }
  const sent = { ...body, barcode: text }
  const times = random.next() < 0.1 ? 3 : 1
  const expected = world.alone ? (refusedScan(client, receipt, body, code) ?? 200) : undefined
  const wasKnown = receipt.scans.has(body.scan_id)
  const answers = await Promise.all(
    Array.from({ length: times }, () => world.worker(`/receipts/${receipt.id}/scans`, post(sent))),
  )
  note(world, `scan x${times} ${receipt.id} ${JSON.stringify(sent)}`, answers)
  for (const { status, text } of answers) {
    if (expected === undefined) assert.ok([200, 400, 404, 409].includes(status), text)
    else assert.equal(status, expected, text)
  }
  const taken = answers.filter(
    ({ status, body }) => status === 200 && !(body as { repeated: boolean }).repeated,
  )
  assert.ok(taken.length <= 1, 'a scan was taken twice')
  if (expected === 200) assert.equal(taken.length, wasKnown ? 0 : 1)
  if (taken.length === 1) count(world.clock.now(), client, receipt, body, code)
}

/** What is printed in a code of goods with these barcodes. Plain ones have none, so this makes one of other goods. */
function markable(barcodes: readonly string[]): string {
  return barcodes.find((barcode) => /^\d{13}$/.test(barcode)) ?? '4600000000015'
}

function refusedScan(
  client: Client,
  receipt: Receipt,
  body: ScanBody,
  code: string | undefined,
): number | undefined {
  if (receipt.status === 'PENDING_CONFIRMATION') return 404
  if (receipt.scans.has(body.scan_id)) return undefined
  if (receipt.status !== 'RECEIVING') return 409
  const isNew = !receipt.lines.has(body.barcode) && !isKnown(client, body.barcode)
  if (isNew && body.name === undefined) return 400
  const { marked } = client.goods.get(body.barcode) ?? { marked: false }
  if (marked !== (code !== undefined)) return 400
  const known = code === undefined ? undefined : client.markingCodes.get(code)
  return known !== undefined && known.state !== 'shipped' ? 409 : undefined
}

/** The barcode of the line for scanned goods: a receipt that was over when goods were merged has them as they were. */
function lineOf(client: Client, { lines }: Receipt, barcode: string): string {
  return lines.has(barcode) ? barcode : ownBarcode(client, barcode)
}

function count(
  at: number,
  client: Client,
  receipt: Receipt,
  body: ScanBody,
  code: string | undefined,
): void {
  const { qty: units = 1, box_id: boxId } = body
  const barcode = lineOf(client, receipt, body.barcode)
  const line = receipt.lines.get(barcode) ?? {
    barcode,
    expected: 0,
    accepted: 0,
    reason: undefined,
  }
  receipt.lines.set(barcode, line)
  learn(client, [barcode])
  const before = questioned(receipt, line)
  line.accepted += units
  const inQuestion = questioned(receipt, line) - before
  move(client, barcode, units, inQuestion)
  date(goodsOf(client, barcode), body.expires_on, units)
  ask(client, barcode, inQuestion, receipt.id)
  const box = boxId === undefined ? undefined : client.boxes.get(boxId)
  if (box !== undefined) putInto(box, ownBarcode(client, barcode), units)
  receipt.scans.set(body.scan_id, { barcode, units, code, box: boxId, at, undoneAt: undefined })
  if (code !== undefined) {
    client.markingCodes.set(code, {
      client: client.id,
      barcode: ownBarcode(client, barcode),
      state: 'stored',
      receipt: receipt.id,
      order: undefined,
    })
  }
}

export async function undo(actor: Actor, client: Client): Promise<void> {
  const { world, random } = actor
  const receipt = mostly(random, client.receipts.values(), isReceiving)
  const chosen = receipt && some(random, receipt.scans)
  if (receipt === undefined || chosen === undefined) return
  const [scanId, taken] = chosen
  await act(world, {
    what: `undo ${scanId} of ${receipt.id}`,
    call: () => world.worker(`/receipts/${receipt.id}/scans/${scanId}/undo`, post()),
    expect: () => refusedUndo(client, receipt, taken) ?? 200,
    apply: (body) => {
      if (!(body as { repeated: boolean }).repeated) {
        takeBack(world.clock.now(), client, receipt, taken)
      }
    },
  })
}

function refusedUndo(client: Client, receipt: Receipt, taken: CountedScan): number | undefined {
  if (taken.undoneAt !== undefined) return undefined
  if (receipt.status !== 'RECEIVING') return 409
  const { barcode, units, code, box } = taken
  if (code !== undefined) {
    const known = client.markingCodes.get(code)
    const here = known?.client === client.id && known.receipt === receipt.id
    if (!here || known.state !== 'stored') return 409
  }
  if (box !== undefined && (client.boxes.get(box)?.contents.get(barcode) ?? 0) < units) return 409
  const line = receipt.lines.get(lineOf(client, receipt, barcode))
  const lessQuestion = line === undefined ? 0 : Math.min(questioned(receipt, line), units)
  const question = (client.goods.get(barcode)?.question ?? 0) - lessQuestion
  return question < 0 || free(client, barcode) + lessQuestion < units ? 409 : undefined
}

function takeBack(at: number, client: Client, receipt: Receipt, taken: CountedScan): void {
  const { units, code, box } = taken
  const barcode = ownBarcode(client, taken.barcode)
  const line = receipt.lines.get(lineOf(client, receipt, taken.barcode))
  assert.ok(line)
  taken.undoneAt = at
  const before = questioned(receipt, line)
  line.accepted -= units
  if (code !== undefined) client.markingCodes.delete(code)
  const from = box === undefined ? undefined : client.boxes.get(box)
  if (from !== undefined) putInto(from, barcode, -units)
  const inQuestion = questioned(receipt, line) - before
  move(client, barcode, -units, inQuestion)
  ask(client, barcode, inQuestion, receipt.id)
}
