import { fitted, visibleText } from './line.ts'
import { drawCode, type LabelPage, type LabelText, placedCode, svgOf } from './page.ts'

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

const width = 58
const height = 40
const margin = 3
const dot = 0.125

export async function locationLabelPage({
  code,
  zone,
  warehouse,
}: LocationLabel): Promise<LabelPage> {
  const room = width - 2 * margin
  const line = (text: string, y: number, size: number): LabelText => ({
    text: fitted(visibleText(text), room / size),
    ...{ x: margin, y, size, width: room, anchor: 'middle' },
  })
  const size = Math.min(9, room / (code.length * 0.8))
  const bars = await drawCode('code128', code)
  const module = Math.max(1, Math.min(4, Math.floor(room / bars.columns / dot))) * dot
  return {
    width,
    height,
    parts: [
      line(code, 10, size),
      placedCode(bars, { width }, { y: 13, width: bars.columns * module, height: 20 }),
      line(zone === '' ? warehouse : `${warehouse}, ${zone}`, 37.5, 3.5),
    ],
  }
}

export async function locationLabelSvg(label: LocationLabel): Promise<string> {
  return svgOf(await locationLabelPage(label))
}
