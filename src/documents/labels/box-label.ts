import { isSscc } from '../../platform/kernel/codes/gs1.ts'
import { type Instant, moscowDate } from '../../platform/kernel/moscow-time.ts'
import { fitted, visibleText } from './line.ts'
import { drawCode, type LabelPage, placedCode, svgOf } from './page.ts'

/**
 * The label of a box or pallet: a page in millimetres with the SSCC as GS1-128 and as
 * digits, the client's name and the date. All edges of bars lie on dots of a 203 dpi thermal
 * printer (8 a millimetre).
 */

export interface BoxLabel {
  readonly kind: 'box' | 'pallet'
  readonly sscc: string
  readonly client: string
  /** The label shows its Moscow date. */
  readonly createdAt: Instant
  /** By default `58x40` for a box and `100x150` for a pallet. */
  readonly size?: BoxLabelSize
}

export const boxLabelSizes = ['58x40', '100x150'] as const
type BoxLabelSize = (typeof boxLabelSizes)[number]

/** In millimetres; the y of a text is its baseline. */
interface Sheet {
  readonly width: number
  readonly height: number
  readonly margin: number
  /** The width of one module, the narrowest bar. */
  readonly module: number
  readonly bars: { readonly y: number; readonly height: number }
  readonly title: Line
  readonly client: Line
  readonly digits: Line
}

interface Line {
  readonly y: number
  readonly size: number
}

/**
 * GS1 requires modules of 0.495 mm and bars of 31.75 mm for logistic labels. The pallet label meets
 * this. The box label has modules of half that width, because the required ones do not fit; it is
 * read from arm's length.
 */
const sheets: Readonly<Record<BoxLabelSize, Sheet>> = {
  '58x40': {
    ...{ width: 58, height: 40, margin: 3, module: 0.25 },
    bars: { y: 12.5, height: 21 },
    title: { y: 5.5, size: 4 },
    client: { y: 10.25, size: 3 },
    digits: { y: 37.5, size: 3.5 },
  },
  '100x150': {
    ...{ width: 100, height: 150, margin: 5, module: 0.5 },
    bars: { y: 50, height: 70 },
    title: { y: 16, size: 7.5 },
    client: { y: 34, size: 6 },
    digits: { y: 132, size: 6.5 },
  },
}

const titles = { box: 'Короб', pallet: 'Паллета' } as const
const defaultSizes = { box: '58x40', pallet: '100x150' } as const

/** Throws RangeError if `sscc` is no SSCC. */
export async function boxLabelPage(label: BoxLabel): Promise<LabelPage> {
  if (!isSscc(label.sscc)) throw new RangeError(`no SSCC: ${label.sscc}`)
  const sheet = sheets[label.size ?? defaultSizes[label.kind]]
  const half = (sheet.width - 2 * sheet.margin) / 2
  const [year, month, day] = moscowDate(label.createdAt).split('-')
  const { title, client, digits, margin: x, bars } = sheet
  const name = fitted(visibleText(label.client), (2 * half) / client.size)
  const code = await drawCode('gs1-128', `(00)${label.sscc}`)
  const date = `${day}.${month}.${year}`
  return {
    width: sheet.width,
    height: sheet.height,
    parts: [
      { text: titles[label.kind], ...title, x, width: half, anchor: 'start' },
      { text: date, ...title, x: x + half, width: half, anchor: 'end' },
      { text: name, ...client, x, width: 2 * half, anchor: 'start' },
      placedCode(code, sheet, { ...bars, width: code.columns * sheet.module }),
      { text: `(00)${label.sscc}`, ...digits, x, width: 2 * half, anchor: 'middle' },
    ],
  }
}

/** The label as SVG. Throws RangeError if `sscc` is no SSCC. */
export async function boxLabelSvg(label: BoxLabel): Promise<string> {
  return svgOf(await boxLabelPage(label))
}
