import { day } from '../../platform/kernel/moscow-time.ts'

/** What a photo can be evidence of. */
export const photoKinds = [
  'receipt',
  'return',
  'order',
  'count',
  'stock_entry',
  'scan_exception',
] as const
export type PhotoKind = (typeof photoKinds)[number]

/** How long photos are kept after they came: as long as somebody may ask about what they show. */
export const photosKeptForMs: Readonly<Record<PhotoKind, number>> = {
  receipt: 365 * day,
  return: 365 * day,
  order: 365 * day,
  count: 90 * day,
  stock_entry: 365 * day,
  scan_exception: 365 * day,
}

/** What photos belong to. */
export interface PhotoSubject {
  readonly clientId: string
  readonly kind: PhotoKind
  /** Of a stock entry, the number that its caller gave it. */
  readonly objectId: string
}
