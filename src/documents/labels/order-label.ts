import { fitted, innerWidth, lineAcross, visibleText } from './line.ts'
import { drawCode, type LabelCode, type LabelPage, placedCode, smallSheet, svgOf } from './page.ts'

/**
 * Our own label of an order, 58 × 40 mm, for cabinets whose marketplace prints none here: the order's number
 * as a barcode and in digits, marketplace, client and shipment.
 */

export interface OrderLabel {
  readonly number: string
  readonly marketplace: string
  readonly client: string
  /** The shipment's number; undefined for an order without one. */
  readonly shipment: string | undefined
}

const title = { y: 5.5, size: 4 }
const client = { y: 10.25, size: 3 }
const shipment = { y: 14.25, size: 3 }
const number = { y: 37.5, size: 3.5 }
const bars = { y: 16.5, height: 17 }
/** Widths of a module in millimetres, the widest first: whole dots of a 203 dpi printer (8 a millimetre). */
const modules = [0.375, 0.25]

export async function orderLabelPage(label: OrderLabel): Promise<LabelPage> {
  return {
    ...smallSheet,
    parts: [
      lineAcross(`Заказ ${label.marketplace}`, title, 'start'),
      lineAcross(label.client, client, 'start'),
      lineAcross(
        label.shipment === undefined ? '' : `Отгрузка ${label.shipment}`,
        shipment,
        'start',
      ),
      await codeOf(label.number),
      lineAcross(label.number, number, 'middle'),
    ],
  }
}

export async function orderLabelSvg(label: OrderLabel): Promise<string> {
  return svgOf(await orderLabelPage(label))
}

/** Code 128 where it fits, else a QR code, which holds any number. */
async function codeOf(text: string): Promise<LabelCode> {
  const scanned = visibleText(text)
  const drawn = /^[ -~]+$/.test(scanned) ? await drawCode('code128', scanned) : undefined
  const columns = drawn?.columns ?? Number.POSITIVE_INFINITY
  const module = modules.find((each) => each * columns <= innerWidth)
  if (drawn !== undefined && module !== undefined) {
    return placedCode(drawn, smallSheet, { ...bars, width: columns * module })
  }
  const square = await drawCode('qrcode', scanned || '?')
  return placedCode(square, smallSheet, { ...bars, width: bars.height })
}

/** Stands in for a label that can't be made, and says why in up to six lines. */
export function notePage(heading: string, text: string): LabelPage {
  const size = 3
  const rows = rowsOf(visibleText(text), innerWidth / size).slice(0, 6)
  return {
    ...smallSheet,
    parts: [
      lineAcross(heading, title, 'start'),
      ...rows.map((row, n) => lineAcross(row, { y: 14 + n * 4, size }, 'start')),
    ],
  }
}

export function noteSvg(heading: string, text: string): string {
  return svgOf(notePage(heading, text))
}

function rowsOf(text: string, ems: number): string[] {
  const rows: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${rows.at(-1)} ${word}`
    if (rows.length > 0 && fitted(longer, ems) === longer) rows[rows.length - 1] = longer
    else rows.push(word)
  }
  return rows
}
