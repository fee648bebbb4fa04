import Type from 'typebox'
import { momentOnPaper } from '../../documents/papers/paper.ts'
import { paperPdf } from '../../documents/papers/pdf.ts'
import type { Database } from '../../platform/db/connection.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { findStaffOrderWithHistory } from '../../warehouse/orders/staff-queries.ts'
import { photosOfOrder, scansOfOrder } from '../../warehouse/photos/order-evidence.ts'
import { found } from '../route/list.ts'
import { evidencePaper } from './evidence-paper.ts'

export const evidenceAnswer = {
  description: 'Файл.',
  media: { 'application/pdf': Type.String({ format: 'binary' }) },
}

/** The file for a dispute: an order, everything that was done with it, by roles without names, and its photos. */
export async function evidencePdf(
  db: Database,
  { clientId, orderId }: { readonly clientId: string; readonly orderId: string },
  now: Instant,
) {
  const order = found(await findStaffOrderWithHistory(db, clientId, orderId))
  const scans = await scansOfOrder(db, clientId, orderId)
  const { photos, leftOut } = await photosOfOrder(db, clientId, orderId)
  const pictures = photos.map(({ of, taken_at, bytes }) => ({
    caption: `${of === 'order' ? 'Заказ' : 'Возврат'}, ${momentOnPaper(taken_at)}`,
    bytes,
  }))
  const notes = [
    'Составлено складом по записям сервиса. Время московское, вместо имён указаны роли.',
    photos.length === 0 ? 'Фото нет.' : `Фото: ${photos.length}, на следующих страницах.`,
    ...(leftOut === 0 ? [] : [`Фото, которые не поместились в файл: ${leftOut}.`]),
  ]
  return paperPdf({ ...evidencePaper(order, scans), notes }, new Date(now), pictures)
}
