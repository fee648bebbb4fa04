import { isSscc } from '../kernel/gs1.ts'
import { type Instant, moscowDate } from '../kernel/moscow-time.ts'
import { fitted, visibleText } from './line.ts'

/**
 * Draws the label of a box or pallet: an SVG page in millimetres with the SSCC as GS1-128 and as
 * digits, the client's name and the date. All edges of bars lie on dots of a 203 dpi thermal
 * printer (8 a millimetre).
 */

export interface Label {
  readonly kind: 'box' | 'pallet'
  readonly sscc: string
  readonly client: string
  /** The label shows its Moscow date. */
  readonly packedAt: Instant
  /** By default `58x40` for a box and `100x150` for a pallet. */
  readonly size?: LabelSize
}

export type LabelSize = '58x40' | '100x150'

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
const sheets: Readonly<Record<LabelSize, Sheet>> = {
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
export async function labelSvg(label: Label): Promise<string> {
  if (!isSscc(label.sscc)) throw new RangeError(`no SSCC: ${label.sscc}`)
  const sheet = sheets[label.size ?? defaultSizes[label.kind]]
  const half = (sheet.width - 2 * sheet.margin) / 2
  const [year, month, day] = moscowDate(label.packedAt).split('-')
  const { title, client, digits } = sheet
  const name = fitted(visibleText(label.client), (2 * half) / client.size)
  return labelPage(sheet, [
    textLine(titles[label.kind], title, sheet.margin, half, 'start'),
    textLine(`${day}.${month}.${year}`, title, sheet.margin + half, half, 'end'),
    textLine(name, client, sheet.margin, 2 * half, 'start'),
    await barcodeSvg(
      { bcid: 'gs1-128', text: `(00)${label.sscc}` },
      { ...sheet, moduleOf: () => sheet.module },
    ),
    textLine(`(00)${label.sscc}`, digits, sheet.margin, 2 * half, 'middle'),
  ])
}

/** An SVG page in millimetres. */
export function labelPage(
  { width, height }: { readonly width: number; readonly height: number },
  parts: readonly string[],
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}

/** A nested SVG as wide as the line may be: with any font no text runs into another. */
export function textLine(
  text: string,
  { y, size }: Line,
  x: number,
  width: number,
  anchor: 'start' | 'middle' | 'end',
): string {
  const at = { start: 0, middle: width / 2, end: width }[anchor]
  return `<svg x="${x}" y="${y - size}" width="${width}" height="${size * 1.25}"><text x="${at}" y="${size}" font-family="Arial, Liberation Sans, DejaVu Sans, sans-serif" font-size="${size}" text-anchor="${anchor}">${escaped(text)}</text></svg>`
}

interface Barcode {
  readonly bcid: 'gs1-128' | 'code128'
  readonly text: string
}

interface BarArea {
  readonly width: number
  readonly bars: { readonly y: number; readonly height: number }
  /** The width of one module, by how many there are. */
  readonly moduleOf: (modules: number) => number
}

/**
 * The library draws one module as one unit; its page becomes a nested SVG of our size. It is loaded
 * with the first label, because loading takes long and most processes print none.
 */
export async function barcodeSvg({ bcid, text }: Barcode, area: BarArea): Promise<string> {
  const { toSVG } = await import('@bwip-js/node')
  const drawn = toSVG({ bcid, text, scale: 1 })
  const page = /^<svg viewBox="0 0 (\d+) (\d+)"[^>]*>/.exec(drawn)
  if (page === null) throw new Error('the barcode library has changed the form of its page')
  const [opening, modules, rows] = page
  const width = Number(modules) * area.moduleOf(Number(modules))
  const x = Math.round(((area.width - width) / 2) * 8) / 8
  const { y, height } = area.bars
  return `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="0 0 ${modules} ${rows}" preserveAspectRatio="none" shape-rendering="crispEdges">${drawn.slice(opening.length).trim()}`
}

export function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
  return text.replace(/[&<>]/g, (character) => names[character] ?? character)
}
