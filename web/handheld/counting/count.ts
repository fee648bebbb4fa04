import { readGoodsBarcode } from '../../../src/platform/kernel/codes/goods-barcode.ts'
import { readSscc } from '../../../src/platform/kernel/codes/gs1.ts'
import { readMarkingCode } from '../../../src/platform/kernel/codes/marking-code.ts'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import { readLocationCode } from '../../../src/warehouse/storage/location-code.ts'
import type { StockCount } from '../../api/staff-calls.ts'
import { hasGtin, meantGoods } from '../scan/meant-goods.ts'
import { strayItem } from '../scan/stray.ts'
import type { WrongItem } from '../scan/verdict.ts'
import { foldPart, type PartEffect } from './own-part.ts'

/** Where units are counted: a box by its SSCC, or a location by its code. */
export interface CountPlace {
  readonly kind: 'box' | 'location'
  readonly code: string
}

export interface CountedGoods {
  /** As the scanner sent it. */
  readonly code: string
  readonly barcode: string
  readonly name: string
  /** One certain unit: it is never counted as a number. */
  readonly isMarked: boolean
}

/** What a scanned code means in a count. Pure. */
export type CountReading =
  | { readonly kind: 'place'; readonly place: CountPlace }
  | { readonly kind: 'goods'; readonly goods: CountedGoods }
  /** A location or goods that only the warehouse knows. */
  | { readonly kind: 'unknown' }
  | WrongItem

export function notCounted({ client_id: clientId }: StockCount, code: string): WrongItem {
  return strayItem({ code, clientId, reason: 'сейчас не считают', action: 'Положите обратно' })
}

export function readCount(count: StockCount, code: string): CountReading {
  const { places = [], scope } = count
  const sscc = readSscc(code)
  if (sscc !== undefined) return boxOf(count, sscc)
  const location = readLocationCode(code)
  const isHere = places.some(
    ({ box_id: box, location_code: each }) => box === null && each === location,
  )
  if (isHere && location !== undefined) {
    return { kind: 'place', place: { kind: 'location', code: location } }
  }
  const marking = readMarkingCode(code)
  const known = [
    ...new Set([...namedGoods(count).map(({ barcode }) => barcode), ...scope.barcodes]),
  ]
  const others = new Map(count.other_barcodes?.map((each) => [each.barcode, each.others]))
  const goods = known.map((each) => ({ barcode: each, other_barcodes: others.get(each) ?? [] }))
  const [barcode] = marking.ok
    ? goods.flatMap((each) => (hasGtin(each, marking.gtin) ? [each.barcode] : []))
    : meantGoods(code, goods)
  if (barcode !== undefined) return goodsOf(count, code, barcode, marking.ok)
  if (!marking.ok && code.length > 25) return { kind: 'wrong', sentence: marking.problem }
  const isGoods = marking.ok || readGoodsBarcode(code).alike.length > 0
  if (!isGoods) return { kind: 'unknown' }
  if (scope.barcodes.length > 0) return notCounted(count, code)
  const shown = marking.ok ? marking.gtin : code
  return { kind: 'goods', goods: { code, barcode: shown, name: shown, isMarked: marking.ok } }
}

/** A box stands at a location of the count, or is one of its boxes; the warehouse knows which stand where. */
function boxOf({ places = [], scope }: StockCount, sscc: string): CountReading {
  const isForeign =
    places.length > 0 &&
    scope.location_ids.length === 0 &&
    places.every((place) => place.sscc !== sscc)
  if (isForeign) return { kind: 'wrong', sentence: `Короб …${sscc.slice(-5)} не считают` }
  return { kind: 'place', place: { kind: 'box', code: sscc } }
}

/** Goods whose names the count says, also those that nobody has counted yet. */
function namedGoods({
  lines = [],
  recount = [],
  uncounted = [],
  dated_goods: dated = [],
}: StockCount): { readonly barcode: string; readonly name: string }[] {
  return [...lines, ...recount, ...uncounted, ...dated]
}

function goodsOf(
  count: StockCount,
  code: string,
  barcode: string,
  isMarked: boolean,
): CountReading {
  const line = count.lines?.find((each) => each.barcode === barcode)
  const name = namedGoods(count).find((each) => each.barcode === barcode)?.name ?? barcode
  if (line?.settled === true) {
    return { kind: 'wrong', sentence: `${quoted(name)} уже посчитан, сейчас считают другие товары` }
  }
  return { kind: 'goods', goods: { code, barcode, name, isMarked } }
}

/** What a scan does to the count that is shown. */
export interface CountEffect {
  readonly barcode: string
  readonly name: string
  readonly qty: number
  readonly place?: CountPlace | undefined
}

type Line = NonNullable<StockCount['lines']>[number]

/** The count after a scan; `times` is -1 where it is undone. */
export function foldCount(
  count: StockCount,
  effect: CountEffect | PartEffect,
  times: 1 | -1,
): StockCount {
  if ('actor' in effect) return foldPart(count, effect)
  const { barcode, name, qty, place } = effect
  const lines = count.lines ?? []
  const isKnown = lines.some((line) => line.barcode === barcode)
  const all = isKnown ? lines : [...lines, newLine(barcode, name)]
  const places = count.places?.map((each) =>
    isAt(each, place) ? { ...each, scans: each.scans + times } : each,
  )
  return {
    ...count,
    units: count.units + qty * times,
    scans: count.scans + times,
    ...(places === undefined ? {} : { places }),
    lines: all.map((line) =>
      line.barcode === barcode ? withUnits(line, place, qty * times, times) : line,
    ),
  }
}

function newLine(barcode: string, name: string): Line {
  return { barcode, name, counted: 0, scans: 0, settled: false, places: [] }
}

function withUnits(line: Line, place: CountPlace | undefined, qty: number, scans: number): Line {
  const isKnown = line.places.some((each) => isAt(each, place))
  const places = isKnown ? line.places : [...line.places, newPlace(place)]
  return {
    ...line,
    counted: line.counted + qty,
    scans: line.scans + scans,
    places: places.map((each) =>
      isAt(each, place) ? { ...each, counted: each.counted + qty } : each,
    ),
  }
}

function newPlace(place: CountPlace | undefined): Line['places'][number] {
  return {
    box_id: null,
    sscc: place?.kind === 'box' ? place.code : null,
    location_id: null,
    location_code: place?.kind === 'location' ? place.code : null,
    counted: 0,
  }
}

interface Spot {
  readonly box_id: string | null
  readonly sscc: string | null
  readonly location_code: string | null
}

function isAt({ box_id: box, sscc, location_code: location }: Spot, place?: CountPlace): boolean {
  if (place?.kind === 'box') return sscc === place.code
  return box === null && sscc === null && location === (place?.code ?? null)
}

/** How many units of the goods were counted at the place. */
export function countedAt(count: StockCount, barcode: string, place?: CountPlace): number {
  const line = count.lines?.find((each) => each.barcode === barcode)
  return line?.places.find((each) => isAt(each, place))?.counted ?? 0
}

/** How many units of the goods were counted everywhere. */
export function countedOf({ lines = [] }: StockCount, barcode: string): number {
  return lines.find((each) => each.barcode === barcode)?.counted ?? 0
}

/** Goods that were counted at the place. */
export function linesAt(count: StockCount, place?: CountPlace): Line[] {
  return (count.lines ?? []).filter(
    (line) => !line.settled && line.places.some((each) => isAt(each, place)),
  )
}

/** The place that a scanned code names: a box has an SSCC. */
export function placeOfCode(code: string | undefined): CountPlace | undefined {
  if (code === undefined) return undefined
  return { kind: readSscc(code) === undefined ? 'location' : 'box', code }
}

export function placeName({ kind, code }: CountPlace): string {
  return kind === 'box' ? `Короб …${code.slice(-5)}` : code
}
