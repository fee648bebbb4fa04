import { drawCode, placedCode, svgOf } from './page.ts'

/** A QR code for a screen, as SVG: dark on white with the quiet zone around it, so that dark pages show it readably too. */
export async function qrPicture(text: string): Promise<string> {
  const [width, quiet] = [50, 5]
  const side = width + 2 * quiet
  const place = { y: quiet, width, height: width }
  const code = placedCode(await drawCode('qrcode', text), { width: side }, place)
  return svgOf({ width: side, height: side, parts: [code] })
}
