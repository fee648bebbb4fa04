import { barcodesOfGtin, GS, gtinOf } from './gs1.ts'

/**
 * Barcodes of goods as scanners send them: with line ends behind, an AIM identifier in front, and a
 * GTIN with more or fewer zeros than the list of goods has (UPC-A is 12 digits or 13, GTIN-14 has one
 * more). What is known exactly as it was scanned is always that.
 */
export interface GoodsBarcode {
  /** As it was scanned, and without the scanner's own marks; in the order of precedence. */
  readonly exact: readonly string[]
  /** All ways of writing the same GTIN; none where it is no GTIN. */
  readonly alike: readonly string[]
}

/** `]E0` of EAN-13, `]E4` of EAN-8, `]C1` of GS1-128, whose FNC1 may come as GS, and so on. */
const AIM_PREFIX = new RegExp(String.raw`^\][A-Za-z]\d${GS}?`)

export function readGoodsBarcode(text: string): GoodsBarcode {
  const bare = text.trim().replace(AIM_PREFIX, '')
  const gtin = gtinOf(bare)
  const exact = bare === '' || bare === text ? [text] : [text, bare]
  return { exact, alike: gtin === undefined ? [] : barcodesOfGtin(gtin) }
}

/** All barcodes by which the goods may be known. */
export function spellingsOf({ exact, alike }: GoodsBarcode): string[] {
  return [...new Set([...exact, ...alike])]
}

/** Those of the known barcodes that were meant; more than one where the GTIN is of several. */
export function meantOf({ exact, alike }: GoodsBarcode, known: readonly string[]): string[] {
  const same = exact.find((barcode) => known.includes(barcode))
  return same === undefined ? alike.filter((barcode) => known.includes(barcode)) : [same]
}
