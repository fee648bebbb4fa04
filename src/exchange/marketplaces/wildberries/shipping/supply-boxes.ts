import { chunksOf } from '../../calls/chunks.ts'
import { isRejected, rejection } from '../../calls/failure.ts'
import { listOf, textOf } from '../../calls/response-fields.ts'
import type { Sticker } from '../../connector.ts'
import { type WildberriesClient, wildberriesIdsMax } from '../client.ts'
import { parseSticker } from './stickers.ts'

/** Boxes of a supply that goes to a pickup point, or to a sorting centre that packs for WB; WB numbers them and prints their stickers. */

/** WB's code where a supply may have no boxes, or not so many. */
const tooManyBoxes = 'FailedToAddSupplyTrbx'

export async function listSupplyBoxes(client: WildberriesClient, supplyId: string) {
  const fields = await client.boxes(supplyId)
  // WB says null for none.
  const boxes = fields.trbxes == null ? [] : listOf(fields, 'trbxes')
  return boxes.map((box) => textOf(box, 'id'))
}

export async function addBoxes(
  client: WildberriesClient,
  supplyId: string,
  amount: number,
): Promise<void> {
  try {
    await client.addBoxes(supplyId, amount)
  } catch (error) {
    if (!isRejected(error) || error.code !== tooManyBoxes) throw error
    throw rejection(
      'WB не добавил грузоместа: их не больше половины числа заказов, и только в поставке до пункта выдачи или с услугой «Фулфилмент в СЦ»',
      error.code,
    )
  }
}

/** Boxes that are not there are no error. */
export async function removeBoxes(
  client: WildberriesClient,
  supplyId: string,
  boxes: readonly string[],
): Promise<void> {
  const present = new Set(await listSupplyBoxes(client, supplyId))
  const leaving = boxes.filter((box) => present.has(box))
  for (const ids of chunksOf(leaving, wildberriesIdsMax.boxes)) {
    await client.removeBoxes(supplyId, ids)
  }
}

/** One call per box: a sticker does not say which box it is of. */
export async function boxSticker(
  client: WildberriesClient,
  supplyId: string,
  box: string,
): Promise<Sticker | undefined> {
  const [sticker] = await client.boxStickers(supplyId, [box])
  return sticker && parseSticker(box, sticker)
}
