import type { ScanException } from '../../api/staff-calls.ts'

/** Of a scan that came late. */
const exceptionDecisions = {
  accepted: 'Принять скан сейчас',
  entered: 'Уже учтено вручную',
  dismissed: 'Учитывать нечего',
} as const satisfies Readonly<Record<NonNullable<ScanException['decision']>, string>>

/** The same of a unit that was set aside, the usual one first. */
const asideDecisions = {
  dismissed: 'Не отгружать: заказу нужна другая единица',
  accepted: 'Вернуть единицу в заказ и отправить код снова',
  entered: 'Уже учтено вручную',
} as const satisfies Readonly<Record<keyof typeof exceptionDecisions, string>>

export function decisionsOf({ sent_by: by }: Pick<ScanException, 'sent_by'>) {
  return by.startsWith('staff:') ? exceptionDecisions : asideDecisions
}
