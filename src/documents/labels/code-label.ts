import { lineAcross } from './line.ts'
import {
  drawCode,
  type LabelPage,
  type LabelText,
  placedCode,
  sideOfWholeDots,
  smallSheet,
} from './page.ts'

/** Labels with a code as QR, for the scanner of a handheld. */

interface BadgeLabel {
  readonly name: string
  readonly code: string
}

/** A person's badge. The code stands nowhere in letters, so nobody copies it by eye. */
export function badgeLabelPage({ name, code }: BadgeLabel): Promise<LabelPage> {
  return codeLabelPage(code, { y: 7.5, sideMax: 25 }, [
    { text: name, y: 5, size: 4 },
    { text: 'Бейдж для входа: отсканируйте и введите PIN', y: 37, size: 2.25 },
  ])
}

interface DeviceLabel extends BadgeLabel {
  /** As people read it. */
  readonly until: string
}

/** Of a handheld that waits to be enrolled: its name, its code also in letters, and until when it holds. */
export function deviceLabelPage({ name, code, until }: DeviceLabel): Promise<LabelPage> {
  return codeLabelPage(code, { y: 7, sideMax: 21 }, [
    { text: name, y: 5, size: 3.5 },
    { text: code, y: 33, size: 4.5 },
    { text: `Введите на терминале до ${until}`, y: 38, size: 2.75 },
  ])
}

async function codeLabelPage(
  code: string,
  { y, sideMax }: { readonly y: number; readonly sideMax: number },
  lines: readonly Pick<LabelText, 'text' | 'y' | 'size'>[],
): Promise<LabelPage> {
  const drawn = await drawCode('qrcode', code)
  const side = sideOfWholeDots(drawn, sideMax)
  const texts = lines.map(({ text, ...line }) => lineAcross(text, line, 'middle'))
  return {
    ...smallSheet,
    parts: [...texts, placedCode(drawn, smallSheet, { y, width: side, height: side })],
  }
}
