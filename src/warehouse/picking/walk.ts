/**
 * The walk of a picker: from which place each line's missing units come, and the lines in the order in which
 * their places are passed. Pure.
 */

/** Units of a product at one place: in a box or loose, at a location or nowhere that is known. */
export interface PickPlace {
  readonly barcode: string
  readonly location_id: string | null
  readonly location_code: string | null
  readonly zone: string | null
  readonly box_id: string | null
  readonly sscc: string | null
  readonly qty: number
  /** The last good day of these units; none where it is not known or not kept. */
  readonly expires_on?: string | null
}

export interface PickSource {
  location_id?: string
  location_code?: string
  zone?: string
  box_id?: string
  sscc?: string
  qty: number
  expires_on?: string
}

interface WantedLine {
  readonly order_id: string
  readonly barcode: string
  readonly qty: number
  readonly picked: number
  readonly order_status: string
}

/** A place where goods of an order were not found, and the one where a manager wants them to be looked for. */
export interface WalkHint {
  readonly order_id: string
  readonly barcode: string
  readonly location_id: string | null
  readonly box_id: string | null
  readonly to_location_id: string | null
  readonly to_box_id: string | null
}

/**
 * Gives each line the places from which its missing units come; `places` are in walking order, and a unit is given to
 * one line only. Of goods with expiry dates the first to expire come first, and units of unknown date before them.
 * Lines without a location keep their order behind the others. A place that a manager named for a line comes first, and
 * one where its goods were not found comes last.
 */
export function planWalk<Line extends WantedLine>(
  lines: readonly Line[],
  places: readonly PickPlace[],
  hints: readonly WalkHint[] = [],
): (Line & { from: PickSource[] })[] {
  const left = places.map(({ qty }) => qty)
  const byGoods = Map.groupBy(places.entries(), ([, { barcode }]) => barcode)
  const rank = rankByHints(hints)
  const planned = lines.map((line) => {
    let missing = line.order_status === 'CANCELLED' ? 0 : line.qty - line.picked
    let step = Number.POSITIVE_INFINITY
    const from: PickSource[] = []
    const firstExpired = (byGoods.get(line.barcode) ?? []).toSorted(byExpiry)
    for (const [n, place] of rank(line, firstExpired)) {
      const taken = Math.min(missing, left[n] ?? 0)
      if (taken <= 0) continue
      missing -= taken
      left[n] = (left[n] ?? 0) - taken
      from.push(sourceOf(place, taken))
      if (place.location_id !== null) step = Math.min(step, n)
    }
    return { line: { ...line, from }, step }
  })
  return planned.sort((a, b) => (a.step === b.step ? 0 : a.step - b.step)).map(({ line }) => line)
}

type Numbered = [n: number, place: PickPlace]

function byExpiry([, a]: Numbered, [, b]: Numbered): number {
  const [first, second] = [a.expires_on ?? '', b.expires_on ?? '']
  if (first === second) return 0
  return first < second ? -1 : 1
}

/** Sorts the places of a line's goods. `hints` are the oldest first, and the last word about a line counts. */
function rankByHints(hints: readonly WalkHint[]) {
  const byGoods = Map.groupBy(hints, ({ barcode }) => barcode)
  return (line: WantedLine, places: Numbered[]): Numbered[] => {
    const ofGoods = byGoods.get(line.barcode)
    if (ofGoods === undefined) return places
    const last = ofGoods.findLast(({ order_id: id }) => id === line.order_id)
    const rankOf = (place: PickPlace) => {
      if (last !== undefined && isAt(place, last.to_location_id, last.to_box_id)) return 0
      return ofGoods.some((hint) => isAt(place, hint.location_id, hint.box_id)) ? 2 : 1
    }
    return places.toSorted(([, a], [, b]) => rankOf(a) - rankOf(b))
  }
}

function isAt(place: PickPlace, location: string | null, box: string | null): boolean {
  if (box !== null) return place.box_id === box
  return location !== null && place.box_id === null && place.location_id === location
}

function sourceOf(place: PickPlace, qty: number): PickSource {
  return {
    ...(place.location_id === null ? {} : { location_id: place.location_id }),
    ...(place.location_code === null ? {} : { location_code: place.location_code }),
    ...(place.zone ? { zone: place.zone } : {}),
    ...(place.box_id === null ? {} : { box_id: place.box_id }),
    ...(place.sscc === null ? {} : { sscc: place.sscc }),
    ...(place.expires_on ? { expires_on: place.expires_on } : {}),
    qty,
  }
}
