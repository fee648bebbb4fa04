import { chunksOf } from '../../calls/chunks.ts'
import { isFailure } from '../../calls/failure.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import { type Fields, listOrNone, textOf, textOrNone } from '../../calls/response-fields.ts'
import type { Sticker } from '../../connector.ts'
import { type WildberriesClient, wildberriesIdsMax } from '../client.ts'
import { type Bisection, bisect, type RefusedNumbers } from './bisect.ts'

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

/** WB's code for orders that cross a border without a declaration: it then prints no sticker of the call. */
const customsRequired = 'CustomsDeclarationIsRequired'

/**
 * The stickers that WB prints of these orders. It refuses a whole call because of one order without a customs declaration
 * and does not say which; what it knows of their marks does. Where that names none, the call is halved.
 */
export async function printStickers(
  client: WildberriesClient,
  externalIds: readonly string[],
): Promise<Bisection<readonly Fields[]>> {
  const groups: (readonly string[])[] = []
  const refused: RefusedNumbers[] = []
  const results: (readonly Fields[])[] = []
  for (const ids of chunksOf(externalIds, wildberriesIdsMax.stickers)) {
    try {
      results.push(await client.stickers(ids))
    } catch (error) {
      if (!isFailure(error, 'rejected') || error.code !== customsRequired) throw error
      const undeclared = ids.length === 1 ? new Set(ids) : await undeclaredAmong(client, ids)
      for (const id of undeclared) refused.push({ numbers: [id], error })
      const declared = ids.filter((id) => !undeclared.has(id))
      if (declared.length > 0) groups.push(declared)
    }
  }
  const others = await bisect(groups, client.stickers, ({ code }) => code === customsRequired)
  return {
    results: [...results, ...others.results],
    refused: [...refused, ...others.refused],
  }
}

/** The orders that WB wants a declaration of and has none. */
async function undeclaredAmong(
  client: WildberriesClient,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const reader = openPartialReader()
  const named = reader.each(await client.orderMeta(ids), (order) => ({
    id: textOf(order, 'id'),
    isLacking: listOrNone(order, 'metaDetails').some(
      ({ key, decision }) => key === 'customsDeclaration' && decision === 'required',
    ),
  }))
  return new Set(named.flatMap(({ id, isLacking }) => (isLacking && ids.includes(id) ? id : [])))
}

/** What is on the stickers of these orders. WB has one once an order is in a supply; unreadable ones are left out. */
export async function wildberriesLabelCodes(
  client: WildberriesClient,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { results } = await printStickers(client, externalIds)
  const reader = openPartialReader()
  const codes = reader.each(results.flat(), (sticker) => ({
    number: textOf(sticker, 'orderId'),
    codes: stickerCodes(sticker),
  }))
  return new Map(codes.map(({ number, codes: own }) => [number, own]))
}
