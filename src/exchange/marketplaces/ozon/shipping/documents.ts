import { excerpt } from '../../../../platform/kernel/errors.ts'
import { isRejected, MarketplaceError, rejection, unlessRejected } from '../../calls/failure.ts'
import { textOrNone } from '../../calls/response-fields.ts'
import type { ShipmentDocument, Sticker } from '../../connector.ts'
import type { OzonContext } from '../context.ts'
import { stickerFrom } from '../files.ts'
import { inspect } from './carriages.ts'

/** Papers of carriages. OZON makes them some time after the hand-over. */

export async function printDocument(
  context: OzonContext,
  id: string,
  document: ShipmentDocument,
): Promise<Sticker> {
  try {
    const file = await context.client.carriageDocument(document, id)
    return stickerFrom(id, file)
  } catch (error) {
    if (!isRejected(error)) throw error
    throw (await explainMissing(context, id, document)) ?? error
  }
}

const retryAfterSeconds = 30

/** Why OZON has no such document; undefined where its own words say it best. */
async function explainMissing(
  { client }: OzonContext,
  id: string,
  document: ShipmentDocument,
): Promise<MarketplaceError | undefined> {
  const carriage = await unlessRejected(inspect(client, id))
  if (carriage?.state === 'gone') return rejection(`Отгрузки ${id} на OZON больше нет`)
  if (carriage?.state === 'open' && document !== 'containers') {
    return rejection('OZON печатает документы переданной отгрузки: сначала закройте отгрузку')
  }
  if (document === 'containers' && carriage !== undefined && carriage.places === undefined) {
    return rejection(
      'У этой отгрузки на OZON нет грузовых мест: укажите их число в кабинете OZON, если они есть',
    )
  }
  if (document === 'discrepancy') {
    return rejection('OZON не составил акта о расхождениях для этой отгрузки')
  }
  const progress = await unlessRejected(client.documentsStatus(id))
  const status = progress && textOrNone(progress, 'status')
  if (status === 'in_process') {
    const message = `OZON ещё готовит документы отгрузки: повторите через ${retryAfterSeconds} с`
    return new MarketplaceError('rejected', message, { retryAfterSeconds })
  }
  if (status === 'error' || status === 'cancelled') {
    return rejection('OZON не составил документы отгрузки: запросите их в кабинете OZON', status)
  }
  return status === undefined || status === 'ready'
    ? undefined
    : rejection(`OZON не составил документы отгрузки: ${excerpt(status, 200)}`)
}
