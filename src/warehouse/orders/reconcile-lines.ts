import type { BarcodeRank } from '../stock/nearest-barcode.ts'
import type { OrderLineDraft } from './draft.ts'
import type { MarkKind } from './fact-kinds.ts'
import type { StoredLine } from './lines.ts'

export interface LineRules {
  /** Whether goods, quantities and barcodes may change; otherwise only missing names are filled in. */
  readonly mayChange: boolean
  readonly rank: BarcodeRank
}

/**
 * Line reconciliation: merges the reported lines of an order into its stored lines. Returns the new
 * lines, or undefined if nothing changes.
 *
 * - Marketplaces keep no order of lines, so a reported line is matched by its names: the
 *   marketplace's number of the goods, the barcode, the article.
 * - A stored line gets the names it lacks. The names it has stay, except that a barcode is replaced
 *   by one that is nearer to the stock (`rank`).
 * - Where goods or quantities differ, the reported lines replace the stored ones if they may change.
 * - The marks that a report names of a line replace those that are stored.
 *
 * The same report applied again changes nothing.
 */
export function reconcileLines(
  stored: readonly StoredLine[],
  reported: readonly OrderLineDraft[],
  rules: LineRules,
): StoredLine[] | undefined {
  const { mayChange, rank } = rules
  const improved = (pair: Pair) => (mayChange ? withNearerBarcode(pair, rank) : pair)
  const inPlace = reported.map((line, index) => improved({ line, own: stored[index] }))
  if (haveSameGoods(stored, inPlace) && areEqual(stored, completed(stored, inPlace))) {
    return undefined
  }
  const pairs = matchByNames(stored, reported).map(improved)
  const lines =
    haveSameGoods(stored, pairs) || !mayChange ? completed(stored, pairs) : replaced(pairs)
  if (areEqual(stored, lines)) return undefined
  // With more names a line may match another one. Names are only added, so the recursion ends.
  return reconcileLines(lines, reported, rules) ?? lines
}

/** A reported line with the stored line that it matches. */
interface Pair {
  readonly line: OrderLineDraft
  readonly own: StoredLine | undefined
}

/** Matches the best agreements first, so that a vague line never takes the match of a clear one. */
function matchByNames(stored: readonly StoredLine[], reported: readonly OrderLineDraft[]): Pair[] {
  const left = new Set(stored)
  const matches = new Map<OrderLineDraft, StoredLine>()
  for (let wanted = bestAgreement; wanted >= 0; wanted -= 1) {
    for (const line of reported) {
      if (matches.has(line)) continue
      const own = [...left].find((other) => agreement(other, line) === wanted)
      if (own === undefined) continue
      matches.set(line, own)
      left.delete(own)
    }
  }
  return reported.map((line) => ({ line, own: matches.get(line) }))
}

/** Whether all stored lines are matched, with the same goods in the same quantities. */
function haveSameGoods(stored: readonly StoredLine[], pairs: readonly Pair[]): boolean {
  return (
    stored.length === pairs.length &&
    pairs.every(
      ({ line, own }) => own?.quantity === line.quantity && agreement(own, line) !== undefined,
    )
  )
}

const bestAgreement = 7

/**
 * How well a stored and a reported line agree: two points for each equal name, one for the same quantity. Undefined
 * where they are different goods: their marketplace numbers differ, or no name is equal and some name differs.
 */
function agreement(stored: StoredLine, reported: OrderLineDraft): number | undefined {
  const names = comparedNames(stored, reported)
  const [number] = names
  const equal = names.filter(isEqual).length
  if (isDifferent(number) || (equal === 0 && names.some(isDifferent))) return undefined
  return 2 * equal + (stored.quantity === reported.quantity ? 1 : 0)
}

type Names = readonly [stored: string | number | null, reported: string | number | undefined]

const comparedNames = (stored: StoredLine, reported: OrderLineDraft): [Names, Names, Names] => [
  [stored.item_id, reported.itemId],
  [stored.barcode, reported.barcode],
  [stored.article, reported.article],
]
const isEqual = ([stored, reported]: Names) => stored === reported
const isDifferent = ([stored, reported]: Names) =>
  stored !== null && reported !== undefined && stored !== reported

/** Replaces a barcode by a reported one that is nearer to the stock. */
function withNearerBarcode({ line, own }: Pair, rank: BarcodeRank): Pair {
  const [before, now] = [own?.barcode ?? undefined, line.barcode]
  if (own === undefined || before === undefined || now === undefined) return { line, own }
  return rank(now) < rank(before) ? { line, own: { ...own, barcode: now } } : { line, own }
}

function completed(stored: readonly StoredLine[], pairs: readonly Pair[]): StoredLine[] {
  const byLine = new Map(pairs.map((pair) => [pair.own?.line, pair]))
  return stored.map((line) => {
    const { own, line: draft } = byLine.get(line.line) ?? {}
    return filled(own ?? line, draft)
  })
}

function filled(own: StoredLine, reported: OrderLineDraft | undefined): StoredLine {
  return {
    ...own,
    barcode: own.barcode ?? reported?.barcode ?? null,
    article: own.article ?? reported?.article ?? null,
    item_id: own.item_id ?? reported?.itemId ?? null,
    required_marks: requiredMarks(own, reported),
    optional_marks: reported?.optionalMarks ?? own.optional_marks,
  }
}

function requiredMarks(
  { required_marks: known }: StoredLine,
  { requiredMarks: named, unnamedMarks = [] }: Partial<OrderLineDraft> = {},
): readonly MarkKind[] {
  if (named === undefined) return known
  return [...new Set([...named, ...known.filter((kind) => unnamedMarks.includes(kind))])]
}

const unknown = {
  barcode: null,
  article: null,
  item_id: null,
  required_marks: [],
  optional_marks: [],
}

function replaced(pairs: readonly Pair[]): StoredLine[] {
  return pairs.map(({ line, own }, index) => ({
    ...filled({ ...unknown, ...own, line: index + 1, quantity: line.quantity }, line),
  }))
}

function areEqual(stored: readonly StoredLine[], lines: readonly StoredLine[]): boolean {
  return (
    stored.length === lines.length &&
    stored.every((own, index) => {
      const other = lines[index]
      return (
        own.line === other?.line &&
        own.quantity === other.quantity &&
        own.barcode === other.barcode &&
        own.article === other.article &&
        own.item_id === other.item_id &&
        areSameMarks(own.required_marks, other.required_marks) &&
        areSameMarks(own.optional_marks, other.optional_marks)
      )
    })
  )
}

function areSameMarks(one: readonly MarkKind[], other: readonly MarkKind[]): boolean {
  return one.length === other.length && one.every((mark) => other.includes(mark))
}
