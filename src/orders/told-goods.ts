import type { BarcodeRank } from '../stock/barcodes.ts'
import type { OrderLineDraft } from './verbs.ts'

/** A line as it is kept. */
export interface KnownLine {
  readonly line: number
  readonly barcode: string | null
  readonly article: string | null
  readonly item_id: number | null
  readonly quantity: number
}

/**
 * The lines of an order that is told of again. Marketplaces keep no order of goods, so each told line
 * is looked for by what names it; what a known line lacks it gets, and what it has stays. Where goods
 * or quantities are others now, the told ones count if they may still change; undefined where nothing
 * does.
 */
export function toldAgain(
  known: readonly KnownLine[],
  told: readonly OrderLineDraft[],
  { mayChange, rank }: Changing,
): KnownLine[] | undefined {
  const bettered = (pair: Pair) => (mayChange ? withNearer(pair, rank) : pair)
  const inPlace = told.map((line, index) => bettered({ line, own: known[index] }))
  if (areAlike(known, inPlace) && areSame(known, completed(known, inPlace))) return undefined
  const pairs = byNames(known, told).map(bettered)
  const lines = areAlike(known, pairs) || !mayChange ? completed(known, pairs) : replaced(pairs)
  if (areSame(known, lines)) return undefined
  // A line with more names may agree with another one now: names are only added, so this ends.
  return toldAgain(lines, told, { mayChange, rank }) ?? lines
}

export interface Changing {
  /** Whether goods, quantities and barcodes may become others. */
  readonly mayChange: boolean
  readonly rank: BarcodeRank
}

interface Pair {
  readonly line: OrderLineDraft
  readonly own: KnownLine | undefined
}

/** Lines that agree best find each other first, so that a vague line takes no clear one's goods. */
function byNames(known: readonly KnownLine[], told: readonly OrderLineDraft[]): Pair[] {
  const left = new Set(known)
  const owns = new Map<OrderLineDraft, KnownLine>()
  for (let wanted = bestAgreement; wanted >= 0; wanted -= 1) {
    for (const line of told) {
      if (owns.has(line)) continue
      const own = [...left].find((other) => agreement(other, line) === wanted)
      if (own === undefined) continue
      owns.set(line, own)
      left.delete(own)
    }
  }
  return told.map((line) => ({ line, own: owns.get(line) }))
}

/** The same goods in the same quantities. */
function areAlike(known: readonly KnownLine[], pairs: readonly Pair[]): boolean {
  return (
    known.length === pairs.length &&
    pairs.every(
      ({ line, own }) => own?.quantity === line.quantity && agreement(own, line) !== undefined,
    )
  )
}

const bestAgreement = 7

/**
 * How well a known and a told line agree: by names first, then by quantity. Undefined for other goods:
 * the marketplace's own number decides where both have it, else one name that both have.
 */
function agreement(known: KnownLine, told: OrderLineDraft): number | undefined {
  const names = comparedNames(known, told)
  const [number] = names
  const same = names.filter(isSame).length
  if (isOther(number) || (same === 0 && names.some(isOther))) return undefined
  return 2 * same + (known.quantity === told.quantity ? 1 : 0)
}

type Compared = readonly [known: string | number | null, told: string | number | undefined]

const comparedNames = (known: KnownLine, told: OrderLineDraft): [Compared, Compared, Compared] => [
  [known.item_id, told.itemId],
  [known.barcode, told.barcode],
  [known.article, told.article],
]
const isSame = ([known, told]: Compared) => known === told
const isOther = ([known, told]: Compared) => known !== null && told !== undefined && known !== told

/** A barcode gives way to one that is nearer to what lies in the warehouse. */
function withNearer({ line, own }: Pair, rank: BarcodeRank): Pair {
  const [before, now] = [own?.barcode ?? undefined, line.barcode]
  if (own === undefined || before === undefined || now === undefined) return { line, own }
  return rank(now) < rank(before) ? { line, own: { ...own, barcode: now } } : { line, own }
}

function completed(known: readonly KnownLine[], pairs: readonly Pair[]): KnownLine[] {
  const told = new Map(pairs.map((pair) => [pair.own?.line, pair]))
  return known.map((line) => {
    const { own, line: draft } = told.get(line.line) ?? {}
    return filled(own ?? line, draft)
  })
}

function filled(own: KnownLine, told: OrderLineDraft | undefined): KnownLine {
  return {
    ...own,
    barcode: own.barcode ?? told?.barcode ?? null,
    article: own.article ?? told?.article ?? null,
    item_id: own.item_id ?? told?.itemId ?? null,
  }
}

const unknown = { barcode: null, article: null, item_id: null }

function replaced(pairs: readonly Pair[]): KnownLine[] {
  return pairs.map(({ line, own }, index) => ({
    ...filled({ ...unknown, ...own, line: index + 1, quantity: line.quantity }, line),
  }))
}

function areSame(known: readonly KnownLine[], lines: readonly KnownLine[]): boolean {
  return (
    known.length === lines.length &&
    known.every((own, index) => {
      const other = lines[index]
      return (
        own.line === other?.line &&
        own.quantity === other.quantity &&
        own.barcode === other.barcode &&
        own.article === other.article &&
        own.item_id === other.item_id
      )
    })
  )
}
