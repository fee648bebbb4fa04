import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Table } from '../../ui/lists/table.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { monthName, roublesText } from '../../words/money.ts'
import { listOf, pathOf } from '../paths.ts'

function useDueMonths(code: string) {
  return useAnswer(`due months ${code}`, (signal) =>
    staff('GET /warehouses/{code}/due-billing-periods', { path: { code }, signal }),
  )
}

interface DueMonth {
  readonly client_id: string
  readonly period: string
}

const hrefOf = ({ client_id, period }: DueMonth) =>
  listOf(pathOf('client', client_id), { tab: 'money', month: period })

/** Months of all clients of a warehouse that wait to be closed. A press leads to one. */
export function DueMonths({ code }: { readonly code: string }) {
  const { data, error, reload } = useDueMonths(code)
  if (data === undefined) return <Waiting error={error} retry={reload} />
  if (data.items.length === 0) return null
  return (
    <>
      <h2>Пора закрыть</h2>
      <Table
        name="Пора закрыть"
        rows={data.items}
        keyOf={({ client_id, period }) => `${client_id} ${period}`}
        columns={[
          {
            title: 'Клиент',
            cell: (due) => <a href={hrefOf(due)}>{due.client_name}</a>,
          },
          { title: 'Месяц', cell: ({ period }) => monthName(period) },
          { title: 'Начислено', end: true, main: true, cell: ({ amount }) => roublesText(amount) },
        ]}
      />
    </>
  )
}

/** Below a month that is closed: the one that waits next. */
export function NextDueMonth({ code }: { readonly code: string }) {
  const [next] = useDueMonths(code).data?.items ?? []
  if (next === undefined) return null
  return (
    <p>
      Пора закрыть следующий:{' '}
      <a href={hrefOf(next)}>
        {next.client_name}, {monthName(next.period).toLowerCase()}
      </a>
    </p>
  )
}
