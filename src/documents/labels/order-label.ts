import { fitted, visibleText } from './line.ts'
import {
  drawCode,
  type LabelCode,
  type LabelPage,
  type LabelText,
  placedCode,
  svgOf,
} from './page.ts'

/**
 * Our own label of an order, 58 × 40 mm, for cabinets whose marketplace prints none here: the order's number
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

export async function orderLabelPage(label: OrderLabel): Promise<LabelPage> {
  return {
    ...sheet,
    parts: [
      line(`Заказ ${label.marketplace}`, title, 'start'),
      line(label.client, client, 'start'),
      line(label.shipment === undefined ? '' : `Отгрузка ${label.shipment}`, shipment, 'start'),
      await codeOf(label.number),
      line(label.number, number, 'middle'),
    ],
  }
}

export async function orderLabelSvg(label: OrderLabel): Promise<string> {
  return svgOf(await orderLabelPage(label))
}

function line(
  text: string,
  { y, size }: { readonly y: number; readonly size: number },
  anchor: LabelText['anchor'],
): LabelText {
  const shown = fitted(visibleText(text), inner / size)
  return { text: shown, x: sheet.margin, y, size, width: inner, anchor }
}

/** Code 128 where it fits, else a QR code, which holds any number. */
async function codeOf(text: string): Promise<LabelCode> {
  const scanned = visibleText(text)
  const drawn = /^[ -~]+$/.test(scanned) ? await drawCode('code128', scanned) : undefined
  const columns = drawn?.columns ?? Number.POSITIVE_INFINITY
  const module = modules.find((each) => each * columns <= inner)
  if (drawn !== undefined && module !== undefined) {
    return placedCode(drawn, sheet, { ...bars, width: columns * module })
  }
  const square = await drawCode('qrcode', scanned || '?')
  return placedCode(square, sheet, { ...bars, width: bars.height })
}

/** A label that says in words, up to six lines of them, why there is none to stick on. */
export function notePage(heading: string, text: string): LabelPage {
  const size = 3
  const rows = rowsOf(visibleText(text), inner / size).slice(0, 6)
  return {
    ...sheet,
    parts: [
      line(heading, title, 'start'),
      ...rows.map((row, n) => line(row, { y: 14 + n * 4, size }, 'start')),
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
