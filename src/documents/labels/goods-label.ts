import { gtinOf } from '../../platform/kernel/codes/gs1.ts'
import type { Lot } from '../../platform/kernel/codes/lot.ts'
import { dottedDate } from '../../platform/kernel/moscow-time.ts'
import { fitted, innerWidth, lineAcross, visibleText } from './line.ts'
import { type CodeKind, drawCode, type LabelPage, placedCode, smallSheet } from './page.ts'

/**
 * The label of goods, 58 × 40 mm: name, article, expiry date, barcode and its digits. An EAN is printed as one, any other barcode as
 * Code 128, or as a QR code where that does not fit.
 */
export interface GoodsLabel {
  readonly barcode: string
  readonly name: string
  readonly article: string | undefined
  /** The units of this lot. */
  readonly lot?: Lot | undefined
}

const bars = { y: 14.5, height: 19 }
/** Modules whose edges lie on dots of a 203 dpi printer (8 a millimetre), the widest first. */
const modules = [0.375, 0.25]
const nameSize = 3
const lineEnds = [5, 8.75, 12.75]

export async function goodsLabelPage(goods: GoodsLabel): Promise<LabelPage> {
  const { barcode, name, article, lot } = goods
  const [first, second] = twoLines(visibleText(name))
  const ofArticle = article === undefined ? '' : `Артикул ${article}`
  const lines = lot === undefined ? [first, second, ofArticle] : [name, ofArticle, wordsOf(lot)]
  return {
    ...smallSheet,
    parts: [
      ...lines.map((text, at) =>
        lineAcross(text, { y: lineEnds[at] ?? 0, size: nameSize }, 'start'),
      ),
      await codeOf(visibleText(barcode)),
      lineAcross(barcode, { y: 37.5, size: 3.5 }, 'middle'),
    ],
  }
}

function wordsOf({ expiresOn, number }: Lot): string {
  const date = dottedDate(expiresOn)
  return number === '' ? `Годен до ${date}` : `До ${date}, партия ${number}`
}

/** A long name goes on in a second line, between words where it can. */
function twoLines(name: string): [string, string] {
  const words = name.split(' ')
  let first = ''
  while (words.length > 0) {
    const next = first === '' ? (words[0] ?? '') : `${first} ${words[0]}`
    if (fitted(next, innerWidth / nameSize) !== next) break
    first = next
    words.shift()
  }
  return first === '' ? [name, ''] : [first, words.join(' ')]
}

async function codeOf(barcode: string) {
  for (const kind of kindsFor(barcode)) {
    const drawn = await drawCode(kind, barcode)
    const module = modules.find((each) => each * drawn.columns <= innerWidth)
    if (module !== undefined) {
      return placedCode(drawn, smallSheet, { ...bars, width: drawn.columns * module })
    }
  }
  const square = await drawCode('qrcode', barcode || '?')
  return placedCode(square, smallSheet, { ...bars, width: bars.height })
}

function kindsFor(barcode: string): CodeKind[] {
  const isEan = gtinOf(barcode) !== undefined
  if (isEan && barcode.length === 13) return ['ean13']
  if (isEan && barcode.length === 8) return ['ean8']
  return /^[ -~]+$/.test(barcode) ? ['code128'] : []
}
