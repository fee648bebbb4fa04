import { useAnswer } from '../../api/use-answer.ts'
import { roublesText } from '../../words/money.ts'
import { account } from '../api.ts'

/** What an announced delivery would cost; nothing where the warehouse has no prices for it. */
export function PlannedCost({ id }: { readonly id: string }) {
  const { data } = useAnswer(`cost of ${id}`, (signal) =>
    account('GET /receipts/{id}/cost', { path: { id }, signal }),
  )
  const parts = [
    data?.receiving && `приёмка ${roublesText(data.receiving)}`,
    data?.storage_day && `хранение ${roublesText(data.storage_day)} в день`,
  ].filter((part) => !!part)
  if (parts.length === 0) return null
  return <p>По ценам на сегодня: {parts.join(', ')}.</p>
}
