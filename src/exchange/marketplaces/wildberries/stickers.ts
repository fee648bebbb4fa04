import { chunksOf, openPartialReader } from '../calls/partial-reader.ts'
import { type Fields, textOf, textOrNone } from '../calls/response-fields.ts'
import type { Sticker } from '../connector.ts'
import { bisect } from './bisect.ts'
import { type WildberriesClient, wildberriesIdsMax } from './client.ts'

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

/** WB's code for orders that leave Russia without a declaration: it then prints no sticker of the call. */
export const customsRequired = 'CustomsDeclarationIsRequired'

/** What is on the stickers of these orders. WB has one once an order is in a supply; unreadable ones are left out. */
export async function wildberriesLabelCodes(
  client: WildberriesClient,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { results } = await bisect(
    [...chunksOf(externalIds, wildberriesIdsMax.stickers)],
    client.stickers,
    ({ code }) => code === customsRequired,
  )
  const reader = openPartialReader()
  const codes = reader.each(results.flat(), (sticker) => ({
    number: textOf(sticker, 'orderId'),
    codes: stickerCodes(sticker),
  }))
  return new Map(codes.map(({ number, codes: own }) => [number, own]))
}
