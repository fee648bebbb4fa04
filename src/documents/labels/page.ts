import { nextTurn } from '../../platform/concurrency/loop-turns.ts'
import { plainHtml } from '../../platform/kernel/plain-html.ts'

/**
 * A label before it is drawn: a page in millimetres with lines of text and codes. `svgOf` draws it for the browser,
 * `pdf.ts` for documents of many labels.
 */
export interface LabelPage {
  readonly width: number
  readonly height: number
  readonly parts: readonly LabelPart[]
}

export type LabelPart = LabelText | LabelCode

export interface LabelText {
  readonly text: string
  readonly x: number
  /** Of the baseline. */
  readonly y: number
  readonly size: number
  readonly width: number
  readonly anchor: 'start' | 'middle' | 'end'
}

/** The sheet of every label but a pallet's, in millimetres. */
export const smallSheet = { width: 58, height: 40, margin: 3 } as const

/** A code as the barcode library drew it: `columns` by `rows` modules, to be stretched over an area of the page. */
export interface LabelCode {
  readonly drawn: string
  readonly columns: number
  readonly rows: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type CodeKind = 'gs1-128' | 'code128' | 'ean13' | 'ean8' | 'qrcode'

/**
 * A code without its place, drawn in turns with whatever else the process does. The library is loaded with the first one,
 * because loading takes long.
 */
export async function drawCode(
  bcid: CodeKind,
  text: string,
): Promise<Pick<LabelCode, 'drawn' | 'columns' | 'rows'>> {
  const { toSVG } = await import('@bwip-js/node')
  await nextTurn()
  const svg = toSVG({ bcid, text, scale: 1 })
  const page = /^<svg viewBox="0 0 (\d+) (\d+)"[^>]*>([\s\S]*)<\/svg>\s*$/.exec(svg)
  if (page === null) throw new Error('the barcode library has changed the form of its page')
  const [, columns, rows, drawn = ''] = page
  return { drawn: drawn.trim(), columns: Number(columns), rows: Number(rows) }
}

/** Of a 203 dpi printer, which has 8 a millimetre. */
const dot = 0.125

/** The side of the largest QR code within `room` millimetres whose modules are whole dots. */
export function sideOfWholeDots({ columns }: Pick<LabelCode, 'columns'>, room: number): number {
  return columns * Math.floor(room / columns / dot) * dot
}

/** A code in the middle of a page as wide as `width`; its left edge lies on a dot of a 203 dpi printer. */
export function placedCode(
  code: Pick<LabelCode, 'drawn' | 'columns' | 'rows'>,
  page: { readonly width: number },
  { y, width, height }: { readonly y: number; readonly width: number; readonly height: number },
): LabelCode {
  return { ...code, x: Math.round(((page.width - width) / 2) * 8) / 8, y, width, height }
}

/** An SVG page in millimetres. */
export function svgOf({ width, height, parts }: LabelPage): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...parts.map((part) => ('drawn' in part ? codeSvg(part) : textSvg(part))),
    '</svg>',
    '',
  ].join('\n')
}

/** A nested SVG as wide as the line may be: with any font no text runs into another. */
function textSvg({ text, x, y, size, width, anchor }: LabelText): string {
  const at = { start: 0, middle: width / 2, end: width }[anchor]
  return `<svg x="${x}" y="${y - size}" width="${width}" height="${size * 1.25}"><text x="${at}" y="${size}" font-family="Arial, Liberation Sans, DejaVu Sans, sans-serif" font-size="${size}" text-anchor="${anchor}">${plainHtml(text)}</text></svg>`
}

function codeSvg({ drawn, columns, rows, x, y, width, height }: LabelCode): string {
  return `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="0 0 ${columns} ${rows}" preserveAspectRatio="none" shape-rendering="crispEdges">${drawn}</svg>`
}

/** A QR code for a screen, as SVG: dark on white with the quiet zone around it, so that dark pages show it readably too. */
export async function qrPicture(text: string): Promise<string> {
  const [width, quiet] = [50, 5]
  const side = width + 2 * quiet
  const place = { y: quiet, width, height: width }
  const code = placedCode(await drawCode('qrcode', text), { width: side }, place)
  return svgOf({ width: side, height: side, parts: [code] })
}

/** A printable document of labels: an HTML page list, each label on a sheet of its own. */

export type LabelImage =
  /** Drawn here. */
  | { readonly svg: string }
  /** From a marketplace: shown as an image, so that nothing in it runs. */
  | { readonly contentType: 'image/svg+xml' | 'image/png'; readonly bytes: Buffer }

export function labelsHtml(title: string, labels: readonly LabelImage[]): string {
  const [width, height] = [`${smallSheet.width}mm`, `${smallSheet.height}mm`]
  const style =
    `@page{size:${width} ${height};margin:0}body{margin:0}` +
    `div{width:${width};height:${height};overflow:hidden;break-after:page}` +
    `svg,img{display:block;width:${width};height:${height};object-fit:contain}`
  const sheets = labels.map((label) => `<div>${imageOf(label)}</div>`)
  return (
    `<!doctype html>\n<html lang="ru"><head><meta charset="utf-8"><title>${plainHtml(title)}</title>` +
    `<style>${style}</style></head><body>\n${sheets.join('\n')}\n</body></html>\n`
  )
}

function imageOf(label: LabelImage): string {
  if ('svg' in label) return label.svg
  return `<img alt="" src="data:${label.contentType};base64,${label.bytes.toString('base64')}">`
}
