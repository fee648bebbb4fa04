import { type Fields, textsOf } from './answer.ts'

/** As long as one of a delivery may be, in characters. */
const lengthMax = 64

/** Barcodes of goods; what no delivery could have is none. */
export function barcodesOf(fields: Fields, name: string): string[] {
  return textsOf(fields, name).filter((barcode) => [...barcode].length <= lengthMax)
}
