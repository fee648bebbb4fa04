import type { Cover } from '../../api/account-calls.ts'

/** States of cover in the words of the pages. */
export const coverWords: Readonly<Record<Cover['state'], string>> = {
  out: 'Закончился',
  low: 'Скоро закончится',
  enough: 'Хватает',
  idle: 'Не продаётся',
}

/** Stock for fewer days than these runs out soon. */
export const usualLowDays = 14

/** What a page asks for as days: whole ones, as the service reads them. */
export function lowDaysIn(text: string | undefined): number {
  const days = Number(text ?? usualLowDays)
  return Number.isInteger(days) && days >= 1 && days <= 90 ? days : usualLowDays
}
