import type { Location } from '../../api/staff-calls.ts'

/** Places of a warehouse as they stand: zones, in them racks, in them shelves. Codes say it: A-01-2 is shelf 2 of rack A-01. */

type Place = Pick<Location, 'id' | 'code' | 'zone' | 'order' | 'active' | 'units'>

export interface Rack<P extends Place = Place> {
  readonly name: string
  readonly places: readonly P[]
}

export interface Zone<P extends Place = Place> {
  readonly name: string
  readonly racks: readonly Rack<P>[]
}

export function zonesOf<P extends Place>(places: readonly P[]): Zone<P>[] {
  const zones = groupBy(places, ({ zone }) => zone)
  return [...zones].map(([name, inZone]) => ({
    name,
    racks: [...groupBy(inZone, ({ code }) => rackOf(code))].map(([rack, inRack]) => ({
      name: rack,
      places: inRack.toSorted((one, other) => compare(one.code, other.code)),
    })),
  }))
}

/** The code without its last part; a code of one part is a place of its own kind. */
export function rackOf(code: string): string {
  return code.replace(/[-._][^-._]*$/, '')
}

/** The last part of a code, which is short enough for a cell. */
export function shelfOf(code: string): string {
  return code.slice(rackOf(code).length).replace(/^[-._]/, '') || code
}

/** How full a place is beside the fullest of the map. */
export function fillOf({ units, active }: Place, most: number): 'closed' | 'free' | 'low' | 'high' {
  if (!active) return 'closed'
  if (units === 0) return 'free'
  return units * 2 > most ? 'high' : 'low'
}

const collator = new Intl.Collator('ru', { numeric: true })
const compare = (one: string, other: string) => collator.compare(one, other)

function groupBy<P>(items: readonly P[], nameOf: (item: P) => string): Map<string, P[]> {
  const groups = new Map<string, P[]>()
  for (const item of items) {
    const name = nameOf(item)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [item])
    else group.push(item)
  }
  return new Map([...groups].toSorted(([one], [other]) => compare(one, other)))
}
