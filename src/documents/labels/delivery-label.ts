import { fitted, visibleText } from './line.ts'
import { drawCode, type LabelPage, type LabelText, sideOfWholeDots, smallSheet } from './page.ts'
import type { LabelDrawer } from './pdf.ts'

/**
 * Labels for the boxes of a delivery that is on its way. Each shows the receipt's number, the client,
 * which box of how many, and the receipt's id as QR, because numbers repeat from client to client.
 */
export interface BoxedDelivery {
  readonly id: string
  readonly number: string
  readonly client: string
}

const square = { y: 13.5, side: 24 } as const
const beside = smallSheet.margin + square.side + 2

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
  const line = (
    text: string,
    y: number,
    size: number,
    x: number = smallSheet.margin,
  ): LabelText => {
    const width = smallSheet.width - smallSheet.margin - x
    return {
      text: fitted(visibleText(text), width / size),
      ...{ x, y, size, width, anchor: 'start' },
    }
  }
  const side = sideOfWholeDots(code, square.side)
  const room = smallSheet.width - smallSheet.margin - beside
  return {
    width: smallSheet.width,
    height: smallSheet.height,
    parts: [
      line(`Приёмка ${number}`, 6.5, 4.5),
      line(client, 11, 3),
      { ...code, x: smallSheet.margin, y: square.y, width: side, height: side },
      line('Короб', 22, 4, beside),
      line(box, 30, Math.min(7, room / box.length / 0.64), beside),
    ],
  }
}
