import type { MovementKind } from './ledger.ts'

/** What a movement did to the goods, in words for their seller. Pure. */

interface Moved {
  readonly kind: MovementKind
  readonly delta: number
  readonly question_delta: number
}

/** What is said where units came or were set aside, and where that was taken back. */
const deeds: Readonly<Record<MovementKind, readonly [forth: string, back: string]>> = {
  acceptance: ['Принято', 'Приёмка поправлена'],
  shipment: ['Отгрузка отменена', 'Отгружено'],
  return: ['Вернулось', 'Возврат отменён'],
  correction: ['Остаток исправлен', 'Остаток исправлен'],
  write_off: ['Списание отменено', 'Списано'],
  question: ['Отложено под вопрос', 'Проверено и снова в продаже'],
}

export function movementWords({ kind, delta, question_delta: question }: Moved): string {
  const [forth, back] = deeds[kind]
  const words = (delta === 0 ? question : delta) > 0 ? forth : back
  if (kind === 'question' || question <= 0 || delta <= 0) return words
  return question >= delta ? `${words} под вопрос` : `${words}, под вопросом ${question}`
}
