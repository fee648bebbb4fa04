import { type Fields, textOf, textOrNone } from '../calls/response-fields.ts'
import type { Sticker } from '../connector.ts'

/**
 * A picture and the content of its code; `externalId` is the number of the order or of the supply.
 */
export function parseSticker(externalId: string, sticker: Fields): Sticker {
  return {
    externalId,
    contentType: 'image/svg+xml',
    bytes: Buffer.from(textOf(sticker, 'file'), 'base64'),
    code: textOrNone(sticker, 'barcode'),
  }
}
