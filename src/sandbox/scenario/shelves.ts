import type { Work } from '../../db/work.ts'
import { putIntoBox } from '../../stock/boxed-units.ts'
import { addBox, addPallet } from '../../storage/boxes.ts'

/** Puts the scenario's goods into boxes, and knows which box to take them from. */
export class Shelves {
  readonly #clientId: string
  readonly #boxes = new Map<string, { boxId: string; units: number }[]>()
  #pallet: string | undefined
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
      this.#boxes.set(barcode, [...(this.#boxes.get(barcode) ?? []), { boxId, units: put }])
    }
  }

  /** The box to take the next unit from; undefined: only loose units are left. */
  takeOne(barcode: string): string | undefined {
    const boxes = this.#boxes.get(barcode) ?? []
    const box = boxes.find((each) => each.units > 0)
    if (box === undefined) return undefined
    box.units -= 1
    return box.boxId
  }

  async #nextPallet(work: Work): Promise<string> {
    if (this.#pallet === undefined || this.#boxesOnPallet === 8) {
      this.#pallet = await addPallet(work, this.#clientId)
      this.#boxesOnPallet = 0
    }
    this.#boxesOnPallet += 1
    return this.#pallet
  }
}
