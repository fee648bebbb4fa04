import { plural } from './format.ts'

/** A lot as all surfaces show it. */
interface ShownLot {
  readonly expires_on: string | null
  readonly number: string
  readonly days_left: number | null
  readonly state: 'expired' | 'soon' | 'good' | 'unknown'
}

export const lotStateWords = {
  expired: 'Срок истёк',
  soon: 'Скоро истечёт',
  good: 'Годен',
  unknown: 'Срок неизвестен',
} as const

/** What a list of lots is asked for. */
export const lotChoiceWords = { expiring: 'Истёк или скоро истечёт', ...lotStateWords } as const

/** «31.12.2027». */
export function dateText(date: string): string {
  return date.split('-').reverse().join('.')
}

/** «до 31.12.2027, партия A17». */
export function lotText({ expires_on: date, number }: Pick<ShownLot, 'expires_on' | 'number'>) {
  if (date === null) return 'срок неизвестен'
  return number === '' ? `до ${dateText(date)}` : `до ${dateText(date)}, партия ${number}`
}

export function daysLeftText({ days_left: days }: Pick<ShownLot, 'days_left'>): string {
  if (days === null) return '—'
  if (days < 0) return `просрочен ${plural(-days, 'день', 'дня', 'дней')}`
  return days === 0 ? 'последний день' : plural(days, 'день', 'дня', 'дней')
}
