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
  { mayChange, isStored }: Changing,
): KnownLine[] | undefined {
  const left = new Set(known)
  const take = (line: OrderLineDraft, fits: Fit) => {
    const found = [...left].find((other) => fits(other, line))
    if (found !== undefined) left.delete(found)
    return found
  }
  const pairs = told.map((line) => ({
    line,
    own: take(line, areSameUnits) ?? take(line, areSame),
  }))
  // Goods that no name tells apart: what is left of each, in their order.
  const paired = pairs.map(({ line, own }) => ({ line, own: own ?? take(line, mayBeSame) }))
  const alike = left.size === 0 && paired.every(({ line, own }) => own?.quantity === line.quantity)
  const better = paired.map((pair) => (mayChange ? withStored(pair, isStored) : pair))
  const lines = alike || !mayChange ? completed(known, better) : replaced(better)
  return isSame(known, lines) ? undefined : lines
}

export interface Changing {
  /** Whether goods, quantities and barcodes may become others. */
  readonly mayChange: boolean
  /** Whether the warehouse has goods under a barcode. */
  readonly isStored: (barcode: string) => boolean
}

interface Pair {
  readonly line: OrderLineDraft
  readonly own: KnownLine | undefined
}

type Fit = (known: KnownLine, told: OrderLineDraft) => boolean

const areSameUnits: Fit = (known, told) => known.quantity === told.quantity && areSame(known, told)

/** The marketplace's own number decides, where both have it. */
const areSame: Fit = (known, told) => {
  if (known.item_id !== null && told.itemId !== undefined) return known.item_id === told.itemId
  return isShared(known.barcode, told.barcode) || isShared(known.article, told.article)
}

const mayBeSame: Fit = (known, told) =>
  !isOther(known.item_id, told.itemId) &&
  !isOther(known.barcode, told.barcode) &&
  !isOther(known.article, told.article)

function isShared<T>(known: T | null, told: T | undefined): boolean {
  return known !== null && known === told
}

function isOther<T>(known: T | null, told: T | undefined): boolean {
  return known !== null && told !== undefined && known !== told
}

/** A barcode under which there is nothing gives way to one under which there is. */
function withStored({ line, own }: Pair, isStored: Changing['isStored']): Pair {
  const [before, now] = [own?.barcode ?? undefined, line.barcode]
  if (own === undefined || before === undefined || now === undefined) return { line, own }
  return isStored(now) && !isStored(before)
    ? { line, own: { ...own, barcode: now } }
    : { line, own }
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

function isSame(known: readonly KnownLine[], lines: readonly KnownLine[]): boolean {
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
