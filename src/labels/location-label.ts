import { barcodeSvg, textLine } from './label.ts'
import { fitted, visibleText } from './line.ts'

/**
 * Draws the label of a location: an SVG page of 58 × 40 mm with the code as Code 128 and in letters that are read
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

export async function locationLabelSvg({ code, zone, warehouse }: LocationLabel): Promise<string> {
  const room = width - 2 * margin
  const line = (text: string, size: number) => fitted(visibleText(text), room / size)
  const size = Math.min(9, room / (code.length * 0.8))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    textLine(line(code, size), { y: 10, size }, margin, room, 'middle'),
    await barcodeSvg(
      { bcid: 'code128', text: code },
      {
        width,
        bars: { y: 13, height: 20 },
        moduleOf: (modules) => Math.max(1, Math.min(4, Math.floor(room / modules / dot))) * dot,
      },
    ),
    textLine(
      line(zone === '' ? warehouse : `${warehouse}, ${zone}`, 3.5),
      { y: 37.5, size: 3.5 },
      margin,
      room,
      'middle',
    ),
    '</svg>',
    '',
  ].join('\n')
}
