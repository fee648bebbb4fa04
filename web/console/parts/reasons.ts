import type { Reason } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import type { ChoiceOptions } from '../../ui/forms/form.tsx'

export const asksReason = 'Выберите причину'

/** The warehouse's reasons, of one kind or all, for a choice. */
export function useReasons(kind?: Reason['kind']): ChoiceOptions {
  const { data, error } = useAnswer(`reasons ${kind ?? ''}`, (signal) =>
    staff('GET /reasons', { query: { kind, limit: 200 }, signal }),
  )
  return { options: data?.items.map(({ code, label }) => ({ value: code, text: label })), error }
}

/** Of the reasons of a correction those by which units go. */
export function lossesOf({ options, error }: ChoiceOptions): ChoiceOptions {
  return { options: options?.filter(({ value }) => value !== 'FOUND'), error }
}
