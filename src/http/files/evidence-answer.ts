import Type from 'typebox'
import { momentOnPaper } from '../../documents/papers/paper.ts'
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
import { type PhotoStore, photoBytes } from './photo-bytes.ts'

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
  const { photos, leftOut } = await photosOfOrder(db, clientId, orderId)
  const pictures: { caption: string; bytes: Buffer }[] = []
  for (const photo of photos) {
    const bytes = await photoBytes(photoStore, clientId, photo)
    const caption = `${photo.of === 'order' ? 'Заказ' : 'Возврат'}, ${momentOnPaper(photo.taken_at)}`
    if (bytes !== undefined) pictures.push({ caption, bytes })
  }
  const lost = photos.length - pictures.length
  const notes = [
    'Составлено складом по записям сервиса. Время московское, вместо имён указаны роли.',
    pictures.length === 0 ? 'Фото нет.' : `Фото: ${pictures.length}, на следующих страницах.`,
    ...(lost === 0 ? [] : [`Фото, которых нет в хранилище: ${lost}.`]),
    ...(leftOut === 0 ? [] : [`Фото, которые не поместились в файл: ${leftOut}.`]),
  ]
  return paperPdf({ ...evidencePaper(order, scans, weights), notes }, new Date(now), pictures)
}
