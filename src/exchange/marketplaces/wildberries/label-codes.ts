import { chunksOf } from '../calls/pages.ts'
import { openPartialReader } from '../calls/partial-reader.ts'
import { textOf } from '../calls/response-fields.ts'
import { bisect } from './bisect.ts'
import { type WildberriesClient, wildberriesIdsMax } from './client.ts'
import { stickerCodes } from './parse-sticker.ts'

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
