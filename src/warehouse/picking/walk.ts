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
}

export interface PickSource {
  location_id?: string
  location_code?: string
  zone?: string
  box_id?: string
  sscc?: string
  qty: number
}

interface WantedLine {
  readonly barcode: string
  readonly qty: number
  readonly picked: number
  readonly order_status: string
}

/**
 * Gives each line the places that its missing units come from; `places` are in walking order, and a unit is given
 * to one line only. Lines without a location keep their order behind the others.
 */
export function planWalk<Line extends WantedLine>(
  lines: readonly Line[],
  places: readonly PickPlace[],
): (Line & { from: PickSource[] })[] {
  const left = places.map(({ qty }) => qty)
  const planned = lines.map((line) => {
    let missing = line.order_status === 'CANCELLED' ? 0 : line.qty - line.picked
    let step = Number.POSITIVE_INFINITY
    const from: PickSource[] = []
    for (const [n, place] of places.entries()) {
      const taken = place.barcode === line.barcode ? Math.min(missing, left[n] ?? 0) : 0
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

function sourceOf(place: PickPlace, qty: number): PickSource {
  return {
    ...(place.location_id === null ? {} : { location_id: place.location_id }),
    ...(place.location_code === null ? {} : { location_code: place.location_code }),
    ...(place.zone ? { zone: place.zone } : {}),
    ...(place.box_id === null ? {} : { box_id: place.box_id }),
    ...(place.sscc === null ? {} : { sscc: place.sscc }),
    qty,
  }
}
