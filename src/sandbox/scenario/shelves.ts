import type { Work } from '../../platform/db/work.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { putIntoBox } from '../../warehouse/stock/boxed-units.ts'
import { handleShelf } from '../../warehouse/stock/put-away.ts'
import { addBox, addPallet } from '../../warehouse/storage/boxes.ts'
import { placePalletAtLocation } from '../../warehouse/storage/location-places.ts'
import { layOutWarehouse, palletZone, shelfZone } from './founding.ts'

/** Where a unit lies: in a box, or loose at a location. */
export type Shelf = { readonly boxId: string } | { readonly locationId: string }

/** Puts the scenario's goods into boxes and onto shelves, and knows where to take them from. */
export class Shelves {
  readonly #clientId: string
  readonly #units = new Map<string, { shelf: Shelf; units: number }[]>()
  readonly #shelves = new Map<string, string>()
  #places: { readonly pallets: string[]; readonly shelves: string[] } | undefined
  #pallet: string | undefined
  #palletsMade = 0
  #boxesOnPallet = 0

  constructor(clientId: string) {
    this.#clientId = clientId
  }

  /** Puts counted units into boxes of at most `boxUnits`, eight boxes per pallet. */
  async putAway(work: Work, barcode: string, units: number, boxUnits: number): Promise<void> {
    for (let left = units; left > 0; left -= boxUnits) {
      const boxId = await addBox(work, this.#clientId, await this.#nextPallet(work))
      const put = Math.min(left, boxUnits)
      await putIntoBox(work, this.#clientId, { boxId, barcode, units: put })
      this.#note(barcode, { boxId }, put)
    }
  }

  /** Puts counted units loose on the shelf of their goods. */
  async putOnShelf(work: Work, barcode: string, units: number): Promise<void> {
    if (units === 0) return
    const { shelves } = await this.#locations(work)
    const locationId = this.#shelves.get(barcode) ?? shelves[this.#shelves.size % shelves.length]
    if (locationId === undefined) return
    this.#shelves.set(barcode, locationId)
    const shelf = { clientId: this.#clientId, locationId, code: barcode, units }
    await handleShelf(work, { ...shelf, kind: 'put', scanId: newId() })
    this.#note(barcode, { locationId }, units)
  }

  /** Where to take the next unit from; undefined: only units that lie nowhere are left. */
  takeOne(barcode: string): Shelf | undefined {
    const known = this.#units.get(barcode)?.find((each) => each.units > 0)
    if (known === undefined) return undefined
    known.units -= 1
    return known.shelf
  }

  #note(barcode: string, shelf: Shelf, units: number): void {
    this.#units.set(barcode, [...(this.#units.get(barcode) ?? []), { shelf, units }])
  }

  async #nextPallet(work: Work): Promise<string> {
    if (this.#pallet === undefined || this.#boxesOnPallet === 8) {
      this.#pallet = await addPallet(work, this.#clientId)
      this.#boxesOnPallet = 0
      const { pallets } = await this.#locations(work)
      const locationId = pallets[this.#palletsMade++ % pallets.length]
      if (locationId !== undefined) {
        await placePalletAtLocation(work, this.#clientId, this.#pallet, locationId)
      }
    }
    this.#boxesOnPallet += 1
    return this.#pallet
  }

  async #locations(work: Work) {
    if (this.#places !== undefined) return this.#places
    const known = await layOutWarehouse(work)
    const idsOf = (zone: string) => known.filter((each) => each.zone === zone).map(({ id }) => id)
    this.#places = { pallets: idsOf(palletZone), shelves: idsOf(shelfZone) }
    return this.#places
  }
}
