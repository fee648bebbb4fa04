import { fitted, visibleText } from './line.ts'
import { drawCode, type LabelPage, type LabelText, placedCode, sideOfWholeDots } from './page.ts'

/**
 * A badge, 58 × 40 mm: the person and the code as QR. The code stands nowhere in letters, so nobody copies it by eye.
 */
export interface BadgeLabel {
  readonly name: string
  readonly code: string
}

const sheet = { width: 58, height: 40, margin: 3 } as const
const inner = sheet.width - 2 * sheet.margin
const square = 25

export async function badgeLabelPage({ name, code }: BadgeLabel): Promise<LabelPage> {
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
      line(name, 5, 4),
      placedCode(drawn, sheet, { y: 7.5, width: side, height: side }),
      line('Бейдж для входа: отсканируйте и введите PIN', 37, 2.25),
    ],
  }
}
