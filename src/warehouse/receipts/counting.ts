import { decideAlone, resultOf, type Verdict, verdictOf } from '../../platform/db/together.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { type Actor, actorText } from '../../platform/kernel/actor.ts'
import { type Lot, readLotCode } from '../../platform/kernel/codes/lot.ts'
import { invalidField, notFound } from '../../platform/kernel/errors.ts'
import { meantByScans } from '../catalogue/other-barcodes.ts'
import { putIntoBoxes } from '../stock/boxed-units.ts'
import { barcodesByCards, contradictionByCards } from '../stock/card-gtins.ts'
import { enterLots } from '../stock/lots.ts'
import { alreadyStored } from '../stock/marking-codes.ts'
import { findBoxesOfClients } from '../storage/queries.ts'
import { refuseWrongState } from './lock.ts'
import {
  type Count,
  enterScans,
  type OpenedScan,
  openScans,
  type ScanQuestion,
} from './scan-statements.ts'
import {
  type CodeRule,
  chooseLine,
  type HandheldScan,
  loneGtinOf,
  oddGtinOf,
  possibleBarcodes,
  readScan,
  type ScannableLine,
  type ScanReading,
} from './scanned-line.ts'
import { existingScan, findScan, type ScanResult, scanView } from './scans.ts'
import { allowsReceiptVerb, type QuantityPair } from './state.ts'
import { addUnlistedLines, type UnlistedGoods, unlistedGoods } from './unlisted-goods.ts'

/**
 * Counting goods, scan by scan. Units enter the stock with their scan. Units beyond the declared quantity enter in
 * question, and so do goods that the receipt does not list: they get a line with expected 0. Locks are taken in this
 * order: receipt, new line, scan, line, marking code, balance.
 */

/** A scan, the receipt that it counts for, and who made it. */
export interface ReceivedScan extends HandheldScan {
  readonly clientId: string
  readonly receiptId: string
  readonly actor: Actor
}

/**
 * Counts the units of a scan. A scan whose id the receipt has is answered as it was counted,
 * whatever the receipt's status is now. Throws validation_error, not_found or conflict.
 */
export async function countScan(
  work: Work,
  clientId: string,
  receiptId: string,
  scan: HandheldScan,
  codes: CodeRule = 'required',
): Promise<ScanResult> {
  const received = { ...scan, clientId, receiptId, actor: work.actor }
  const verbs = (work: SharedWork, scans: readonly ReceivedScan[]) => countScans(work, scans, codes)
  return resultOf(await decideAlone(work, verbs, received))
}

/**
 * Counts scans of any receipts and clients in one transaction, like countScan, with a verdict on each. Two scans do not
 * go together if they have the same id or marking code, or if both are of goods that their receipt does not list.
 * Throws for a scan that turns out to be wrong only when it is written, because another transaction was faster.
 */
export async function countScans(
  work: SharedWork,
  received: readonly ReceivedScan[],
  codes: CodeRule = 'required',
): Promise<Verdict<ScanResult>[]> {
  const scans = await ofProducts(work, received)
  const read = await Promise.all(scans.map((scan) => verdictOf(() => readScan(scan))))
  const verdicts = separate(scans, read)
  const open = scans.flatMap((scan, index) => {
    const reading = read[index]
    const isOpen = verdicts[index] === undefined && reading?.kind === 'done'
    return isOpen ? [{ scan, index, reading: reading.result }] : []
  })
  const decisions = await decideAll(work, open, codes)
  const counts = decisions.flatMap((decision) => (isCount(decision) ? [decision] : []))
  const entered = await enterAll(work, counts)
  for (const [n, decision] of decisions.entries()) {
    const index = open[n]?.index ?? 0
    verdicts[index] = isCount(decision)
      ? { kind: 'done', result: await resultOfCount(work, decision, entered.get(decision)) }
      : decision
  }
  return verdicts.map((verdict) => verdict ?? { kind: 'apart' })
}

/** The scans with their products' own barcodes. */
async function ofProducts(
  { tx }: SharedWork,
  scans: readonly ReceivedScan[],
): Promise<readonly ReceivedScan[]> {
  const written = scans.flatMap(({ clientId, barcode: text }) =>
    text === undefined ? [] : [{ clientId, text }],
  )
  const meant = await meantByScans(tx, written)
  return scans.map((scan) =>
    scan.barcode === undefined ? scan : { ...scan, barcode: meant(scan.clientId, scan.barcode) },
  )
}

/** Verdicts on scans that cannot be read, and on those that do not go together with an earlier one. */
function separate(
  scans: readonly ReceivedScan[],
  read: readonly Verdict<ScanReading>[],
): (Verdict<ScanResult> | undefined)[] {
  const taken = new Set<string>()
  return scans.map(({ receiptId, scanId }, index) => {
    const reading = read[index]
    if (reading?.kind !== 'done') return reading
    const code = identityOf(reading.result)
    const names = [`${receiptId} ${scanId}`, ...(code === undefined ? [] : [`code ${code}`])]
    if (names.some((name) => taken.has(name))) return { kind: 'apart' }
    for (const name of names) taken.add(name)
    return undefined
  })
}

function identityOf({ code }: ScanReading): string | undefined {
  return code?.ok ? code.identity : undefined
}

interface OpenScan {
  readonly scan: ReceivedScan
  readonly reading: ScanReading
}

/** What is to be written for a scan, and the name of its goods. */
interface PlannedCount extends Count {
  readonly name: string
  /** Named by the worker or the code; goods whose lots are not kept pass it over. */
  readonly lot: Lot | undefined
  /** The goods of the line that the count adds to the receipt. */
  readonly unlisted: UnlistedGoods | undefined
}

type Decision = PlannedCount | Verdict<ScanResult>

const isCount = (decision: Decision): decision is PlannedCount => !('kind' in decision)

async function decideAll(
  work: SharedWork,
  open: readonly OpenScan[],
  codes: CodeRule,
): Promise<Decision[]> {
  const opened = await openScans(
    work,
    open.map((each) => questionOf(each, possibleBarcodes(each.reading))),
  )
  const boxes = await boxesOf(work, open)
  const decisions: Decision[] = []
  const extended = new Set<string>()
  for (const [n, each] of open.entries()) {
    const verdict = await verdictOf(() =>
      decide(work, each, opened[n], boxes.get(each.scan), codes),
    )
    const decision = verdict.kind === 'done' ? verdict.result : verdict
    decisions.push(extendsAgain(decision, extended) ? { kind: 'apart' } : decision)
  }
  return decisions
}

function questionOf({ scan, reading }: OpenScan, barcodes: readonly string[]): ScanQuestion {
  const { clientId, receiptId, scanId } = scan
  return { clientId, receiptId, scanId, barcodes, identity: identityOf(reading) }
}

interface PossibleLines {
  readonly lines: readonly ScannableLine[]
  /** Barcodes that the cards connect with the scan. */
  readonly ofCards: readonly string[]
  /** What the cards are asked about. */
  readonly gtins: readonly string[]
}

/** The lines that a scan may mean; those of a lone marking code also by the cards that have its GTIN. */
async function possibleLines(
  work: SharedWork,
  open: OpenScan,
  { lines }: OpenedScan,
): Promise<PossibleLines> {
  const odd = oddGtinOf(open.reading)
  const lone = loneGtinOf(open.reading)
  if (lines !== null || lone === undefined) {
    return { lines: lines ?? [], ofCards: [], gtins: odd === undefined ? [] : [odd] }
  }
  const ofCards = await barcodesByCards(work.tx, open.scan.clientId, lone)
  if (ofCards.length === 0) return { lines: [], ofCards, gtins: [] }
  const [again] = await openScans(work, [questionOf(open, ofCards)])
  return { lines: again?.lines ?? [], ofCards, gtins: [lone] }
}

/** Whether another scan of the same transaction adds a line to the receipt. */
function extendsAgain(decision: Decision, extended: Set<string>): boolean {
  if (!isCount(decision) || decision.unlisted === undefined) return false
  if (extended.has(decision.receiptId)) return true
  extended.add(decision.receiptId)
  return false
}

/** Throws validation_error, not_found or conflict. */
async function decide(
  work: SharedWork,
  open: OpenScan,
  opened: OpenedScan | undefined,
  boxId: string | undefined,
  codes: CodeRule,
): Promise<Decision> {
  const { scan, reading } = open
  const { clientId, receiptId, scanId, units = 1 } = scan
  if (opened === undefined) throw notFound('Приёмка не найдена')
  // While this waited for the lock, another transaction may have counted the scan and ended counting.
  if (opened.known || !allowsReceiptVerb(opened.status, 'count')) {
    const first = await findScan(work.tx, clientId, receiptId, scanId)
    if (first !== undefined) return { kind: 'done', result: { ...first, repeated: true } }
  }
  refuseWrongState(opened.status, 'count')
  const { lines, ofCards, gtins } = await possibleLines(work, open, opened)
  const unlisted =
    lines.length > 0 ? [] : await unlistedGoods(work, scan, reading, opened.cabinetId, ofCards)
  const contradicts = await contradictionByCards(work.tx, clientId, gtins)
  const { line, code } = chooseLine([...lines, ...unlisted], scan, reading, codes, contradicts)
  if (scan.boxId !== undefined && boxId === undefined) {
    throw invalidField('box_id', 'у этого клиента нет такого короба')
  }
  if (opened.stored) throw alreadyStored()
  const { barcode, name } = line
  return {
    clientId,
    receiptId,
    actor: scan.actor,
    scanId,
    barcode,
    name,
    units,
    approved: opened.approved,
    code,
    boxId,
    lot: scan.lot ?? readLotCode(scan.markingCode ?? '')?.lot,
    unlisted: unlisted.find((goods) => goods.barcode === barcode),
  }
}

/** The ids of the boxes that scans name by id or SSCC. Boxes are never deleted, so this takes no lock. */
async function boxesOf(
  work: SharedWork,
  open: readonly OpenScan[],
): Promise<ReadonlyMap<ReceivedScan, string | undefined>> {
  const boxed = open.flatMap(({ scan }) =>
    scan.boxId === undefined ? [] : [{ scan, clientId: scan.clientId, text: scan.boxId }],
  )
  const ids = await findBoxesOfClients(work.tx, boxed)
  return new Map(boxed.map(({ scan }, n) => [scan, ids[n]]))
}

interface CountedLine extends QuantityPair {
  readonly barcode: string
}

/** Writes scans. The answer lacks those that another transaction has counted. */
async function enterAll(
  work: SharedWork,
  counts: readonly PlannedCount[],
): Promise<ReadonlyMap<PlannedCount, CountedLine>> {
  const quantities = new Map<PlannedCount, CountedLine>()
  if (counts.length === 0) return quantities
  const storedAs = await addUnlistedLines(
    work,
    counts.flatMap(({ clientId, receiptId, unlisted }) =>
      unlisted === undefined ? [] : [{ clientId, receiptId, goods: unlisted }],
    ),
  )
  const barcodes = counts.map(({ clientId, barcode }) => storedAs(clientId, barcode))
  const stored = counts.map((count, n) => ({ ...count, barcode: barcodes[n] ?? count.barcode }))
  for (const [n, entered] of (await enterScans(work, stored)).entries()) {
    const count = counts[n]
    if (count === undefined || entered === undefined) continue
    const { expected, accepted } = entered
    if (expected === null || accepted === null) {
      await work.tx`select refuse_merged(${count.clientId}, array[${count.barcode}])`
      throw invalidField('barcode', `товара ${count.barcode} нет в этой приёмке`)
    }
    if (!entered.stored) throw alreadyStored()
    quantities.set(count, { barcode: barcodes[n] ?? count.barcode, expected, accepted })
  }
  await enterLots(
    work,
    [...quantities].flatMap(([{ lot, ...count }, { barcode }]) =>
      lot === undefined ? [] : [{ ...count, barcode, lot }],
    ),
  )
  const clients = Map.groupBy(quantities, ([{ clientId }]) => clientId)
  for (const [clientId, ofClient] of clients) {
    await putIntoBoxes(
      work,
      clientId,
      ofClient.flatMap(([{ boxId, units }, { barcode }]) =>
        boxId === undefined ? [] : [{ boxId, barcode, units }],
      ),
    )
  }
  return quantities
}

async function resultOfCount(
  work: SharedWork,
  count: PlannedCount,
  counted: CountedLine | undefined,
): Promise<ScanResult> {
  const { clientId, receiptId, scanId, name, units, code, boxId, actor } = count
  if (counted === undefined) {
    return { ...(await existingScan(work.tx, clientId, receiptId, scanId)), repeated: true }
  }
  const view = scanView({
    scan_id: scanId,
    name,
    qty: units,
    marking_code: code?.code ?? null,
    box_id: boxId ?? null,
    at: work.at,
    actor: actorText(actor),
    undone_at: null,
    undone_by: null,
    approved: count.approved,
    ...counted,
  })
  return { ...view, repeated: false }
}
