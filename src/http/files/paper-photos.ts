import { momentOnPaper } from '../../documents/papers/paper.ts'
import type { PaperPhoto } from '../../documents/papers/pdf.ts'
import type { PhotoKind } from '../../warehouse/photos/kinds.ts'
import type { PhotosOnPaper } from '../../warehouse/photos/photos-on-paper.ts'
import { type PhotoStore, photoBytes } from './photo-bytes.ts'

export interface PaperPictures {
  readonly pictures: readonly PaperPhoto[]
  /** How many there are, and which are missing; empty where there is no photo. */
  readonly notes: readonly string[]
}

const captions: Readonly<Record<PhotoKind, string>> = {
  receipt: 'Приёмка',
  return: 'Возврат',
  order: 'Заказ',
  count: 'Пересчёт',
  stock_entry: 'Запись об остатке',
  scan_exception: 'Исключение',
}

/** The photos for the last pages of a paper. */
export async function paperPictures(
  store: PhotoStore,
  clientId: string,
  { photos, leftOut }: PhotosOnPaper,
): Promise<PaperPictures> {
  const pictures: PaperPhoto[] = []
  for (const photo of photos) {
    const bytes = await photoBytes(store, clientId, photo)
    const caption = `${captions[photo.of]}, ${momentOnPaper(photo.taken_at)}`
    if (bytes !== undefined) pictures.push({ caption, bytes })
  }
  const lost = photos.length - pictures.length
  const notes = [
    ...(pictures.length === 0 ? [] : [`Фото: ${pictures.length}, на следующих страницах.`]),
    ...(lost === 0 ? [] : [`Фото, которых нет в хранилище: ${lost}.`]),
    ...(leftOut === 0 ? [] : [`Фото, которые не поместились в файл: ${leftOut}.`]),
  ]
  return { pictures, notes }
}
