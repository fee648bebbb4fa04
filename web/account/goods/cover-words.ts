import type { Cover } from '../../api/account-calls.ts'

/** States of cover in the words of the pages. */
export const coverWords: Readonly<Record<Cover['state'], string>> = {
  out: 'Закончился',
  low: 'Скоро закончится',
  enough: 'Хватает',
  idle: 'Не продаётся',
}

/** What a page asks for as days: whole ones, as the service reads them; otherwise the user's own number. */
export function lowDaysIn(text: string | undefined, own: number): number {
  const days = Number(text ?? own)
  return Number.isInteger(days) && days >= 1 && days <= 90 ? days : own
}
