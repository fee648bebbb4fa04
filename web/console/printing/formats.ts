import type { PrintStation } from '../../api/staff-calls.ts'

export type PrintFormat = PrintStation['formats'][number]

/** What a station can print, in words. */
export const formatWords: Readonly<Record<PrintFormat, string>> = {
  '58x40': 'этикетки 58 × 40 мм',
  A4: 'документы A4',
}
