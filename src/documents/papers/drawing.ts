import { atOnce } from '../../platform/concurrency/at-once.ts'

/** A large document in the making takes about fifteen megabytes. */
const largeOnes = atOnce(2)
const smallMax = 20

/** Draws a document of so many labels, rows or parts. Few large ones are in the making at once; a small one does not wait. */
export function drawing<T>(size: number, draw: () => Promise<T>): Promise<T> {
  return size <= smallMax ? draw() : largeOnes(draw)
}
