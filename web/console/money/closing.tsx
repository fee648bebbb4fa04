import type { Client, ClosingState } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { monthName, quantityWords, roublesText } from '../../words/money.ts'
import { listOf, paths } from '../paths.ts'

interface ClosingProps {
  readonly client: Client
  readonly month: string
  readonly amount: string
  readonly onClosed: () => void
}

/** What closing a month needs and leaves out, before anybody closes it. */
export function Closing({ client, month, amount, onClosed }: ClosingProps) {
  const path = { id: client.id, month }
  const { data, error, reload } = useAnswer(`closing ${client.id} ${month}`, (signal) =>
    staff('GET /clients/{id}/billing-periods/{month}', { path, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  const name = monthName(month)
  return (
    <section class="stack" aria-label="Закрытие месяца">
      <Unpriced unpriced={data.unpriced} />
      <Missing client={client} state={data} />
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

interface MissingProps {
  readonly client: Client
  readonly state: ClosingState
}

/** What hinders the closing, what is charged by guess, and where each is mended. */
function Missing({ client, state }: MissingProps) {
  const { path } = useAddress()
  const { problems, unpriced, without_provider: codes, unmeasured } = state
  const tariff = { warehouse: client.warehouse_code, form: 'tariff' }
  return (
    <>
      {problems.length > 0 && (
        <p class="small quiet">Закрыть пока нельзя. {problems.join('. ')}.</p>
      )}
      {unmeasured > 0 && (
        <p class="small quiet">
          Хранение по литрам: товаров без размеров — {quantityWords(unmeasured)}, их литры считаются
          по условиям клиента.
        </p>
      )}
      <div class="row">
        {codes.map((code) => (
          <a
            key={code}
            class="button"
            href={listOf(paths.tariffs, { warehouse: code, form: 'provider' })}
          >
            Заполнить исполнителя {code}
          </a>
        ))}
        {unpriced.length > 0 && (
          <>
            <a class="button" href={listOf(paths.tariffs, tariff)}>
              Назвать цены склада
            </a>
            <a class="button" href={`${path}?tab=money&part=tariff&form=tariff`}>
              Назвать цены клиента
            </a>
          </>
        )}
        {unmeasured > 0 && (
          <a class="button" href={`${path}?tab=products&measured=false&form=measures`}>
            Измерить товары
          </a>
        )}
      </div>
    </>
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
