import { barcodesOfGtin, GS, gtinOf } from './gs1.ts'

/**
 * A barcode of goods as a scanner sends it: it may have an AIM identifier before it, line ends
 * after it, and other leading zeros than the product's barcode (UPC-A has 12 or 13 digits, GTIN-14
 * has 14). A product whose barcode is exactly the scanned text takes precedence.
 */
export interface GoodsBarcode {
  /** The scanned text, and the text without the scanner's additions; in order of precedence. */
  readonly exact: readonly string[]
  /** All spellings of the same GTIN; empty if the text is no GTIN. */
  readonly alike: readonly string[]
}

/**
 * For example `]E0` for EAN-13, `]E4` for EAN-8, `]C1` for GS1-128, whose FNC1 may arrive as GS.
 */
const AIM_PREFIX = new RegExp(String.raw`^\][A-Za-z]\d${GS}?`)

export function readGoodsBarcode(text: string): GoodsBarcode {
  const bare = text.trim().replace(AIM_PREFIX, '')
  const gtin = gtinOf(bare)
  const exact = bare === '' || bare === text ? [text] : [text, bare]
  return { exact, alike: gtin === undefined ? [] : barcodesOfGtin(gtin) }
}

/** All barcodes that the scanned product may have in the database. */
export function spellingsOf({ exact, alike }: GoodsBarcode): string[] {
  return [...new Set([...exact, ...alike])]
}

/** The known barcodes that match the scan; several if several products share the GTIN. */
export function matchingBarcodes(
  { exact, alike }: GoodsBarcode,
  known: readonly string[],
): string[] {
  const same = exact.find((barcode) => known.includes(barcode))
  return same === undefined ? alike.filter((barcode) => known.includes(barcode)) : [same]
}

/**
 * Finds repeated barcodes. Call the returned function with each barcode and its place, in order. It
 * returns the place at which the barcode first occurred; for a new barcode that is the given place.
 */
export function firstPlaces<Place>(): (barcode: string, place: Place) => Place {
  const places = new Map<string, Place>()
  return (barcode, place) => {
    const first = places.get(barcode) ?? place
    places.set(barcode, first)
    return first
  }
}
