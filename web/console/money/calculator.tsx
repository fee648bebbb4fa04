import type { TariffTrial } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Table } from '../../ui/lists/table.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { monthFromNow, monthName, quantityWords, roublesText } from '../../words/money.ts'
import { ClientFilter } from '../parts/client-filter.tsx'

/** What the last month of a client would have cost by the version that is shown. */
export function Calculator({ version }: { readonly version: number }) {
  const { query } = useAddress()
  const month = monthFromNow(-1)
  return (
    <section class="stack" aria-label="Калькулятор">
      <h2>Сколько вышло бы у клиента за прошлый месяц</h2>
      <div class="row">
        <ClientFilter />
      </div>
      {query.client_id === undefined ? (
        <p class="quiet">
          Выберите клиента: посчитаем {monthName(month).toLowerCase()} по версии {version} и сравним
          с начисленным.
        </p>
      ) : (
        <Trial clientId={query.client_id} version={version} month={month} />
      )}
    </section>
  )
}

interface TrialProps {
  readonly clientId: string
  readonly version: number
  readonly month: string
}

function Trial({ clientId, version, month }: TrialProps) {
  const { data, error, reload } = useAnswer(`trial ${clientId} ${version} ${month}`, (signal) =>
    staff('GET /clients/{id}/tariff-trials/{version}', {
      path: { id: clientId, version: String(version) },
      query: { period: month },
      signal,
    }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  if (data.services.length === 0) return <p>{monthName(month)}: считать нечего.</p>
  return (
    <>
      <p>
        {monthName(month)} по версии {version}: <strong>{roublesText(data.amount)}</strong>,{' '}
        {comparison(data)}. Свои цены клиента учтены.
      </p>
      <Table
        name="По услугам"
        rows={data.services}
        keyOf={({ service }) => service}
        columns={[
          { title: 'Услуга', main: true, cell: ({ service_name }) => service_name },
          { title: 'Единица', cell: ({ unit }) => unit || '—' },
          { title: 'Количество', end: true, cell: ({ quantity }) => quantityWords(quantity) },
          { title: 'По версии', end: true, cell: ({ amount }) => roublesText(amount) },
          { title: 'Начислено', end: true, cell: ({ charged }) => roublesText(charged) },
        ]}
      />
    </>
  )
}

function comparison({ difference, charged }: TariffTrial): string {
  const more = Number(difference)
  if (more === 0) return 'столько же, сколько начислено'
  const by = roublesText(String(Math.abs(more)))
  return `на ${by} ${more > 0 ? 'больше' : 'меньше'} начисленных ${roublesText(charged)}`
}
