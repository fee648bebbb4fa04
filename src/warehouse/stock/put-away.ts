import {
  decideAlone,
  resultOf,
  type Verdict,
  verdictOf,
  withoutRepeats,
} from '../../platform/db/together.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import type { Actor } from '../../platform/kernel/actor.ts'
import { knownProductsOfScans } from '../catalogue/products.ts'
import { storedUnits } from '../storage/excess.ts'
import { knownLocationScans, recordLocationScans } from '../storage/location-places.ts'
import { type ClientLocation, refuseClosed, shareLocations } from '../storage/locations.ts'
import {
  addToPlaces,
  holdsLess,
  type LocatedUnits,
  lineKey,
  takeOffPlaces,
  unitsAtPlaces,
} from '../storage/place-contents.ts'
import { type Balance, lockBalances, unknownProduct } from './balances.ts'
import { looseUnitsLess } from './loose-units.ts'

/**
 * Putting loose units at locations and taking them off: scans of many workers in one transaction. Locks are taken in
 * the order of a single scan: client, then balances in barcode order. A scan finds what those before it have put or
 * taken of the same goods.
 */

export interface ShelfScan {
  readonly kind: 'put' | 'take'
  readonly locationId: string
  /** As it was scanned: any spelling of the product's barcode. */
  readonly code: string
  readonly units: number
  readonly clientId: string
  /** Made by the handheld; a second scan with the same id at the location changes nothing. */
  readonly scanId: string
  readonly actor: Actor
}

/** The units of the product that lie loose at the location. */
export interface ShelfOutcome {
  readonly barcode: string
  readonly before: number
  readonly after: number
  /** False for a scan that was recorded before. */
  readonly isNew: boolean
}

/** Puts or takes units by one scan. Throws what `handleShelves` refuses it with. */
export async function handleShelf(
  work: Work,
  scan: Omit<ShelfScan, 'actor'>,
): Promise<ShelfOutcome> {
  return resultOf(await decideAlone(work, handleShelves, { ...scan, actor: work.actor }))
}

/**
 * Scans at any locations of any clients, with a verdict on each. Two scans with one id do not go together. A scan is
 * refused with validation_error, not_found or conflict.
 */
export async function handleShelves(
  work: SharedWork,
  received: readonly ShelfScan[],
): Promise<Verdict<ShelfOutcome>[]> {
  // Copies: a verdict belongs to one scan, even where the caller names an object twice.
  const scans = received.map((scan) => ({ ...scan }))
  const separate = withoutRepeats(scans, ({ clientId, locationId, scanId }) => [
    `${clientId} ${locationId} ${scanId}`,
  ])
  const clients = [...Map.groupBy(separate, ({ clientId }) => clientId)]
  const sorted = clients.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const decided = await Promise.all(
    sorted.map(([clientId, ofClient]) => handleOfClient(work, clientId, ofClient)),
  )
  const verdicts = new Map(decided.flat())
  return scans.map((scan) => verdicts.get(scan) ?? { kind: 'apart' })
}

type Decided = readonly [ShelfScan, Verdict<ShelfOutcome>]

async function handleOfClient(
  work: SharedWork,
  clientId: string,
  scans: readonly ShelfScan[],
): Promise<Decided[]> {
  const codes = [...new Set(scans.map(({ code }) => code))]
  const known = await knownProductsOfScans(work.tx, clientId, codes)
  const read = scans.map((scan) => ({ ...scan, barcode: known.get(scan.code) ?? scan.code }))
  const shelves = await openShelves(work, clientId, read)
  const before = new Map(shelves.lines)
  const verdicts: Verdict<ShelfOutcome>[] = []
  for (const scan of read) verdicts.push(await verdictOf(() => handle(scan, shelves)))
  const written = read.filter((_, n) => {
    const verdict = verdicts[n]
    return verdict?.kind === 'done' && verdict.result.isNew
  })
  await recordLocationScans(work, clientId, written)
  const changed = new Map(written.map((scan) => [lineKey(scan, scan.barcode), scan]))
  const moved = [...changed].map(([key, { locationId, barcode }]) => {
    const units = (shelves.lines.get(key) ?? 0) - (before.get(key) ?? 0)
    return { locationId, barcode, units }
  })
  await addToPlaces(
    work,
    clientId,
    moved.filter(({ units }) => units > 0),
  )
  await takeOffPlaces(
    work,
    clientId,
    moved.flatMap((entry) => (entry.units < 0 ? [{ ...entry, units: -entry.units }] : [])),
  )
  return scans.map((scan, n) => [scan, verdicts[n] ?? { kind: 'apart' }])
}

/** A scan whose product is known. */
interface ReadScan extends ShelfScan, LocatedUnits {}

/** What the scans of a client are compared with. Scans change `loose` and `lines`. */
interface Shelves {
  readonly locations: ReadonlyMap<string, ClientLocation>
  readonly balances: ReadonlyMap<string, Balance>
  readonly recorded: ReadonlySet<string>
  /** Units in no box and at no location, by barcode. */
  readonly loose: Map<string, number>
  /** Units of a product at a location, by `lineKey`. */
  readonly lines: Map<string, number>
}

async function openShelves(
  work: SharedWork,
  clientId: string,
  scans: readonly ReadScan[],
): Promise<Shelves> {
  const barcodes = [...new Set(scans.map(({ barcode }) => barcode))]
  const ids = [...new Set(scans.map(({ locationId }) => locationId))]
  // Sent at once, in the order of the locks.
  const [locations, balances] = await Promise.all([
    shareLocations(work, clientId, ids),
    lockBalances(work, clientId, barcodes),
  ])
  const absent = barcodes.filter((barcode) => !balances.has(barcode))
  if (absent.length > 0) await work.tx`select refuse_merged(${clientId}, ${absent})`
  const [recorded, stored, lines] = await Promise.all([
    knownLocationScans(work.tx, clientId, scans),
    storedUnits(work, clientId, barcodes),
    unitsAtPlaces(work.tx, clientId, scans, barcodes),
  ])
  const loose = [...balances.values()].map(
    ({ barcode, quantity }) => [barcode, quantity - (stored.get(barcode) ?? 0)] as const,
  )
  return { locations, balances, recorded, loose: new Map(loose), lines }
}

function handle(
  scan: ReadScan,
  { locations, balances, recorded, loose, lines }: Shelves,
): ShelfOutcome {
  const { kind, barcode, units, locationId, scanId } = scan
  const key = lineKey(scan, barcode)
  const before = lines.get(key) ?? 0
  if (recorded.has(`${locationId} ${scanId}`))
    return { barcode, before, after: before, isNew: false }
  if (kind === 'put') refuseClosed(locations.get(locationId))
  if (!balances.has(barcode)) throw unknownProduct(barcode)
  const free = loose.get(barcode) ?? 0
  if (kind === 'put' && units > free) throw looseUnitsLess(barcode, free)
  if (kind === 'take' && units > before) throw holdsLess(scan, barcode, before)
  const after = kind === 'put' ? before + units : before - units
  lines.set(key, after)
  loose.set(barcode, free + before - after)
  return { barcode, before, after, isNew: true }
}
