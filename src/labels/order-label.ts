import { labelPage, textLine } from './label.ts'
import { fitted, visibleText } from './line.ts'

/**
 * Draws our own label of an order, 58 × 40 mm, for cabinets whose marketplace prints none here: the order's number
 * as a barcode and in digits, marketplace, client and shipment.
 */

export interface OrderLabel {
  readonly number: string
  readonly marketplace: string
  readonly client: string
  /** The shipment's number; undefined for an order of none. */
  readonly shipment: string | undefined
}

const sheet = { width: 58, height: 40, margin: 3 } as const
const inner = sheet.width - 2 * sheet.margin
const title = { y: 5.5, size: 4 }
const client = { y: 10.25, size: 3 }
const shipment = { y: 14.25, size: 3 }
const number = { y: 37.5, size: 3.5 }
const bars = { y: 16.5, height: 17 }
/** Modules whose edges lie on dots of a 203 dpi printer (8 a millimetre), the widest first. */
const modules = [0.375, 0.25]

export async function orderLabelSvg(label: OrderLabel): Promise<string> {
  const line = (
    text: string,
    { y, size }: { y: number; size: number },
    anchor: 'start' | 'middle',
  ) => textLine(fitted(visibleText(text), inner / size), { y, size }, sheet.margin, inner, anchor)
  return labelPage(sheet, [
    line(`Заказ ${label.marketplace}`, title, 'start'),
    line(label.client, client, 'start'),
    line(label.shipment === undefined ? '' : `Отгрузка ${label.shipment}`, shipment, 'start'),
    await codeOf(label.number),
    line(label.number, number, 'middle'),
  ])
}

/** Code 128 where it fits, else a QR code, which holds any number. */
async function codeOf(text: string): Promise<string> {
  const { toSVG } = await import('@bwip-js/node')
  const scanned = visibleText(text)
  const isPlain = /^[ -~]+$/.test(scanned)
  const drawn = isPlain ? toSVG({ bcid: 'code128', text: scanned, scale: 1 }) : ''
  const columns = sizeOf(drawn)?.columns ?? Number.POSITIVE_INFINITY
  const module = modules.find((each) => each * columns <= inner)
  if (module !== undefined) return placed(drawn, columns * module, bars.height)
  return placed(toSVG({ bcid: 'qrcode', text: scanned || '?', scale: 1 }), bars.height, bars.height)
}

function sizeOf(drawn: string) {
  const page = /^<svg viewBox="0 0 (\d+) (\d+)"[^>]*>/.exec(drawn)
  if (page === null) return undefined
  const [opening, columns, rows] = page
  return { opening, columns: Number(columns), rows: Number(rows) }
}

function placed(drawn: string, width: number, height: number): string {
  const size = sizeOf(drawn)
  if (size === undefined) throw new Error('the barcode library has changed the form of its page')
  const x = Math.round(((sheet.width - width) / 2) * 8) / 8
  return `<svg x="${x}" y="${bars.y}" width="${width}" height="${height}" viewBox="0 0 ${size.columns} ${size.rows}" preserveAspectRatio="none" shape-rendering="crispEdges">${drawn.slice(size.opening.length).trim()}`
}

/** A label that says in words, up to four lines of them, why there is none to stick on. */
export function noteSvg(heading: string, text: string): string {
  const size = 3
  const rows = rowsOf(visibleText(text), 32).slice(0, 4)
  return labelPage(sheet, [
    textLine(fitted(visibleText(heading), inner / title.size), title, sheet.margin, inner, 'start'),
    ...rows.map((row, n) =>
      textLine(fitted(row, inner / size), { y: 14 + n * 4, size }, sheet.margin, inner, 'start'),
    ),
  ])
}

function rowsOf(text: string, lengthMax: number): string[] {
  const rows: string[] = []
  for (const word of text.split(' ')) {
    const last = rows.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= lengthMax) {
      rows[rows.length - 1] = `${last} ${word}`
    } else rows.push(word)
  }
  return rows
}
