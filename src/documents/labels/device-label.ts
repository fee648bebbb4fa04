import { fitted, visibleText } from './line.ts'
import { drawCode, type LabelPage, type LabelText, placedCode, sideOfWholeDots } from './page.ts'

/**
 * The label of a handheld that waits to be enrolled, 58 × 40 mm: its name, its code as QR for the handheld's own scanner
 * and in letters, and until when it holds.
 */
export interface DeviceLabel {
  readonly name: string
  readonly code: string
  /** As people read it. */
  readonly until: string
}

const sheet = { width: 58, height: 40, margin: 3 } as const
const inner = sheet.width - 2 * sheet.margin
const square = 21

export async function deviceLabelPage({ name, code, until }: DeviceLabel): Promise<LabelPage> {
  const line = (text: string, y: number, size: number): LabelText => ({
    text: fitted(visibleText(text), inner / size),
    ...{ x: sheet.margin, y, size, width: inner, anchor: 'middle' },
  })
  const drawn = await drawCode('qrcode', code)
  const side = sideOfWholeDots(drawn, square)
  return {
    width: sheet.width,
    height: sheet.height,
    parts: [
      line(name, 5, 3.5),
      placedCode(drawn, sheet, { y: 7, width: side, height: side }),
      line(code, 33, 4.5),
      line(`Введите на терминале до ${until}`, 38, 2.75),
    ],
  }
}
