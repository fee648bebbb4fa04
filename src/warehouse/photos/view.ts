import Type, { type Static } from 'typebox'
import { moment, textOrNull } from '../../platform/kernel/schema.ts'
import type { PhotoRow } from './photos.ts'

/** Photos beside their object: for sellers without who took them. */

const shown = {
  id: Type.String({ description: 'Номер фото, который дал терминал.' }),
  photo: Type.String({ description: 'Адрес снимка на этом сервисе: JPEG.' }),
  taken_at: moment('Когда снято, по часам терминала.'),
  created_at: moment('Когда принято сервисом.'),
}

export const StaffPhoto = Type.Object(
  {
    ...shown,
    scan_id: textOrNull('Скан единицы, которая на фото; null, если фото обо всём объекте.'),
    created_by: Type.String({ description: 'Кем: `staff:<id>`.' }),
  },
  { $id: 'StaffPhoto', description: 'Фото, приложенное к объекту.' },
)
export type StaffPhoto = Static<typeof StaffPhoto>

export const AccountPhoto = Type.Object(shown, {
  $id: 'AccountPhoto',
  description: 'Фото, которое сделал склад.',
})
export type AccountPhoto = Static<typeof AccountPhoto>

export function staffPhotoView(row: PhotoRow, clientId: string): StaffPhoto {
  const { hash: _, ...photo } = row
  return { ...photo, photo: `/staff/v1/clients/${clientId}/photos/${row.id}` }
}

export function accountPhotoView({ id, taken_at, created_at }: PhotoRow): AccountPhoto {
  return { id, photo: `/account/v1/photos/${id}`, taken_at, created_at }
}
