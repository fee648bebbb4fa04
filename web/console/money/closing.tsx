import type { ClosingState } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { monthName, quantityWords, roublesText } from '../../words/money.ts'

interface ClosingProps {
  readonly clientId: string
  readonly month: string
  readonly amount: string
  readonly onClosed: () => void
}

/** What closing a month needs and leaves out, before anybody closes it. */
export function Closing({ clientId, month, amount, onClosed }: ClosingProps) {
  const path = { id: clientId, month }
  const { data, error, reload } = useAnswer(`closing ${clientId} ${month}`, (signal) =>
    staff('GET /clients/{id}/billing-periods/{month}', { path, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  const name = monthName(month)
  return (
    <section class="stack" aria-label="Закрытие месяца">
      <Unpriced unpriced={data.unpriced} />
      {data.problems.length > 0 && (
        <p class="small quiet">Закрыть пока нельзя. {data.problems.join('. ')}.</p>
      )}
      <div>
        <ConfirmButton
          label="Закрыть месяц"
          question={`Закрыть месяц: ${name}?`}
          consequence={`Начисления на ${roublesText(amount)} больше не изменятся, составится акт. Что выяснится позже, станет поправкой в следующем месяце.`}
          because={data.problems.length > 0 ? data.problems.join('. ') : undefined}
          act={async () => {
            await staff('POST /clients/{id}/billing-periods/{month}/close', { path })
            onClosed()
          }}
        >
          <Unpriced unpriced={data.unpriced} />
        </ConfirmButton>
      </div>
    </section>
  )
}

function Unpriced({ unpriced }: Pick<ClosingState, 'unpriced'>) {
  if (unpriced.length === 0) return null
  return (
    <div class="notice">
      <p>Не начислено, потому что у услуги нет цены:</p>
      <ul>
        {unpriced.map(({ name, quantity }) => (
          <li key={name}>
            {name}: {quantityWords(quantity)}
          </li>
        ))}
      </ul>
    </div>
  )
}
