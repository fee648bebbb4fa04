import { type Fields, textOf, textOrNone } from '../calls/response-fields.ts'
import type { Sticker } from '../connector.ts'

/**
 * A picture and the content of its code; `externalId` is the number of the order or of the supply.
 */
export function parseSticker(externalId: string, sticker: Fields): Sticker {
  return {
    externalId,
    contentType: 'image/svg+xml',
    bytes: pictureOf(textOf(sticker, 'file')),
    code: textOrNone(sticker, 'barcode'),
  }
}

/** What is on the sticker of an order: beside the barcode WB prints a number in two parts, apart or as one. */
export function stickerCodes(sticker: Fields): string[] {
  const barcode = textOrNone(sticker, 'barcode')
  const [partA, partB] = [textOrNone(sticker, 'partA'), textOrNone(sticker, 'partB')]
  const parts =
    partA === undefined || partB === undefined ? [] : [`${partA} ${partB}`, partA + partB]
  return [barcode, ...parts].flatMap((code) => code ?? [])
}

/** WB sends the picture in base64 or as it is; base64 has no angle brackets. */
function pictureOf(file: string): Buffer {
  return /^\s*</.test(file) ? Buffer.from(file) : Buffer.from(file, 'base64')
}
