import Type from 'typebox'
import { paperPdf } from '../../documents/papers/pdf.ts'
import type { Database } from '../../platform/db/connection.ts'
import { type Instant, moscowDate } from '../../platform/kernel/moscow-time.ts'
import { findStaffOrderWithHistory } from '../../warehouse/orders/staff-queries.ts'
import {
  photosOfOrder,
  scansOfOrder,
  weightsOfOrder,
} from '../../warehouse/photos/order-evidence.ts'
import { found } from '../route/list.ts'
import { evidencePaper } from './evidence-paper.ts'
import { paperPictures } from './paper-photos.ts'
import type { PhotoStore } from './photo-bytes.ts'

export const evidenceAnswer = {
  description: 'Файл.',
  media: { 'application/pdf': Type.String({ format: 'binary' }) },
}

/** The file for a dispute: an order, everything that was done with it, by roles without names, and its photos. */
export async function evidencePdf(
  { db, photoStore }: { readonly db: Database; readonly photoStore: PhotoStore },
  { clientId, orderId }: { readonly clientId: string; readonly orderId: string },
  now: Instant,
) {
  const order = found(await findStaffOrderWithHistory(db, clientId, orderId))
  const scans = await scansOfOrder(db, clientId, orderId)
  const weights = await weightsOfOrder(db, clientId, orderId, moscowDate(now))
  const photos = await photosOfOrder(db, clientId, orderId)
  const { pictures, notes } = await paperPictures(photoStore, clientId, photos)
  const said = [
    'Составлено складом по записям сервиса. Время московское, вместо имён указаны роли.',
    ...(pictures.length === 0 ? ['Фото нет.'] : []),
    ...notes,
  ]
  return paperPdf({ ...evidencePaper(order, scans, weights), notes: said }, new Date(now), pictures)
}
