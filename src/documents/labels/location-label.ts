import { innerWidth, lineAcross } from './line.ts'
import { drawCode, type LabelPage, placedCode, smallSheet, svgOf } from './page.ts'

/**
 * The label of a location: a page of 58 × 40 mm with the code as Code 128 and in letters that are read
 * from the aisle. Edges of bars lie on dots of a 203 dpi thermal printer (8 a millimetre).
 */

export interface LocationLabel {
  readonly code: string
  /** Empty without zones. */
  readonly zone: string
  readonly warehouse: string
}

const dot = 0.125

export async function locationLabelPage({
  code,
  zone,
  warehouse,
}: LocationLabel): Promise<LabelPage> {
  const size = Math.min(9, innerWidth / (code.length * 0.8))
  const bars = await drawCode('code128', code)
  const module = Math.max(1, Math.min(4, Math.floor(innerWidth / bars.columns / dot))) * dot
  const place = zone === '' ? warehouse : `${warehouse}, ${zone}`
  return {
    ...smallSheet,
    parts: [
      lineAcross(code, { y: 10, size }, 'middle'),
      placedCode(bars, smallSheet, { y: 13, width: bars.columns * module, height: 20 }),
      lineAcross(place, { y: 37.5, size: 3.5 }, 'middle'),
    ],
  }
}

export async function locationLabelSvg(label: LocationLabel): Promise<string> {
  return svgOf(await locationLabelPage(label))
}
