import type { ComponentChildren } from 'preact'
import type { BillingPeriod } from '../../api/staff-calls.ts'
import { monthName, roublesText } from '../../words/money.ts'
import { useAddress } from '../address.ts'
import { Table } from '../lists/table.tsx'
import { Moment } from '../moment.tsx'

interface MonthsProps {
  readonly periods: readonly BillingPeriod[]
  readonly shown: string
  /** Why there is none yet. */
  readonly none: string
  /** Links to all of them as a file. */
  readonly files: ComponentChildren
}

/** More of them are folded. */
const openMax = 6

/** The months of a client, the last first. A press on one shows it. */
export function Months({ periods, shown, none, files }: MonthsProps) {
  if (periods.length === 0) return <p class="notice">{none}</p>
  const [latest, earlier] = [periods.slice(0, openMax), periods.slice(openMax)]
  return (
    <>
      <MonthTable name="Месяцы" periods={latest} shown={shown} files={files} />
      {earlier.length > 0 && (
        <details open={earlier.some(({ period }) => period === shown)}>
          <summary>Прежние месяцы</summary>
          <MonthTable name="Прежние месяцы" periods={earlier} shown={shown} />
        </details>
      )}
    </>
  )
}

interface MonthTableProps extends Pick<MonthsProps, 'periods' | 'shown'> {
  readonly name: string
  readonly files?: ComponentChildren
}

function MonthTable({ name, periods, shown, files }: MonthTableProps) {
  const { hrefWith } = useAddress()
  const others = { service: undefined, day: undefined, cursor: undefined, form: undefined }
  return (
    <Table
      name={name}
      rows={periods}
      keyOf={({ period }) => period}
      files={files}
      columns={[
        {
          title: 'Месяц',
          cell: ({ period }) => (
            <a
              href={hrefWith({ month: period, ...others })}
              aria-current={period === shown ? 'true' : undefined}
            >
              {monthName(period)}
            </a>
          ),
        },
        {
          title: 'Состояние',
          cell: ({ closed_at }) => (closed_at === null ? 'открыт' : 'закрыт'),
        },
        {
          title: 'Посчитан',
          cell: ({ computed_at }) => <Moment at={computed_at} none="ещё нет" />,
        },
        { title: 'Начислено', end: true, main: true, cell: ({ amount }) => roublesText(amount) },
      ]}
    />
  )
}
