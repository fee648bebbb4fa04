import type { ScanException } from '../../api/staff-calls.ts'

export const exceptionDecisions = {
  accepted: 'Принять скан сейчас',
  entered: 'Уже учтено вручную',
  dismissed: 'Учитывать нечего',
} as const satisfies Readonly<Record<NonNullable<ScanException['decision']>, string>>
