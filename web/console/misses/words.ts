import type { Miss } from '../../api/staff-calls.ts'

/** What a manager decides, as the choice that he reads. */
export const missChoices = {
  look_elsewhere: 'Взять в другом месте',
  correct_stock: 'Исправить остаток: товара нет',
  remove_order: 'Убрать заказ из отгрузки',
  tell_seller: 'Собрать не из чего: убрать заказ и показать продавцу',
} as const
export type MissChoice = keyof typeof missChoices

export function missChoiceOf(text: string | undefined): MissChoice | undefined {
  return (Object.keys(missChoices) as MissChoice[]).find((choice) => choice === text)
}

const placeUnknown = 'место не названо'

export function placeWords(place: Miss['place']): string {
  if (place === null) return placeUnknown
  const box = place.sscc === undefined ? undefined : `короб …${place.sscc.slice(-5)}`
  return [place.location_code, box].filter((part) => part !== undefined).join(', ') || placeUnknown
}
