import { fitted, visibleText } from './line.ts'
import { drawCode, type LabelPage, type LabelText, sideOfWholeDots } from './page.ts'
import type { LabelDrawer } from './pdf.ts'

/**
 * Labels for the boxes of a delivery that is on its way, 58 × 40 mm. Each shows the receipt's number, the client,
 * which box of how many, and the receipt's id as QR, because numbers repeat from client to client.
 */
export interface BoxedDelivery {
  readonly id: string
  readonly number: string
  readonly client: string
}

const sheet = { width: 58, height: 40, margin: 3 } as const
const inner = sheet.width - 2 * sheet.margin
const square = { y: 13.5, side: 24 } as const
const beside = sheet.margin + square.side + 2

/** One label for each box; the code is the same on all, so it is drawn once. */
export function deliveryLabels(delivery: BoxedDelivery, boxes: number): LabelDrawer[] {
  let code: ReturnType<typeof drawCode> | undefined
  return Array.from({ length: boxes }, (_, index) => async () => {
    code ??= drawCode('qrcode', delivery.id)
    return deliveryLabelPage(delivery, `${index + 1} из ${boxes}`, await code)
  })
}

function deliveryLabelPage(
  { number, client }: BoxedDelivery,
  box: string,
  code: Awaited<ReturnType<typeof drawCode>>,
): LabelPage {
  const line = (text: string, y: number, size: number, x: number = sheet.margin): LabelText => {
    const width = inner + sheet.margin - x
    return {
      text: fitted(visibleText(text), width / size),
      ...{ x, y, size, width, anchor: 'start' },
    }
  }
  const side = sideOfWholeDots(code, square.side)
  const room = sheet.width - sheet.margin - beside
  return {
    width: sheet.width,
    height: sheet.height,
    parts: [
      line(`Приёмка ${number}`, 6.5, 4.5),
      line(client, 11, 3),
      { ...code, x: sheet.margin, y: square.y, width: side, height: side },
      line('Короб', 22, 4, beside),
      line(box, 30, Math.min(7, room / box.length / 0.64), beside),
    ],
  }
}
