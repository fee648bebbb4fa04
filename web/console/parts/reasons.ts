import type { Reason } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'

interface Option {
  readonly value: string
  readonly text: string
}

/** The warehouse's reasons, of one kind or all, for a choice. */
export function useReasons(kind?: Reason['kind']): readonly Option[] {
  const { data } = useAnswer(`reasons ${kind ?? ''}`, (signal) =>
    staff('GET /reasons', { query: { kind, limit: 200 }, signal }),
  )
  return (data?.items ?? []).map(({ code, label }) => ({ value: code, text: label }))
}
