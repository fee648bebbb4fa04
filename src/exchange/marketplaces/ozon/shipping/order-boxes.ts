import { isRejected, rejection } from '../../calls/failure.ts'
import { integerOrNone } from '../../calls/response-fields.ts'
import { parsePosting } from '../answers/postings.ts'
import type { OzonClient } from '../client.ts'
import { namesError } from '../errors.ts'
import { awaitsPacking } from '../status.ts'
import { describePostingState } from './packing.ts'

/**
 * The number of boxes of a posting. OZON asks for it where goods are too large for one box, before it
 * packs the posting, and refuses it for all other goods.
 */
export async function setPostingBoxes(
  client: OzonClient,
  number: string,
  count: number,
): Promise<void> {
  try {
    if (await client.setBoxes(number, count)) return
  } catch (error) {
    if (!isRejected(error)) throw error
    if (namesError(error, /DOES_NOT_HAVE_MULTI_BOX/)) {
      throw rejection(
        `OZON не считает товары заказа ${number} многокоробочными: если единиц несколько, разделите заказ по коробкам`,
        error.code,
      )
    }
    const posting = parsePosting(await client.posting(number))
    if (awaitsPacking(posting.status)) throw error
    throw rejection(`${describePostingState(posting)}: число коробок меняют до сборки`, error.code)
  }
  throw rejection(`OZON не принял число коробок заказа ${number}: укажите его в кабинете OZON`)
}

export async function postingBoxes(
  client: OzonClient,
  number: string,
): Promise<number | undefined> {
  return integerOrNone(await client.posting(number), 'multi_box_qty')
}
