import type { Shift } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { type Bar, Bars } from '../../ui/figures/bars.tsx'
import { AnswerFailure, WaitingFor } from '../../ui/forms/refusal.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Filters, midnightOf } from '../../ui/lists/filters.tsx'
import { PeriodFilter } from '../../ui/lists/period.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { hourOf, moscowDay, number } from '../../words/format.ts'
import { picksPerHour } from '../figures/picks.ts'
import { ExportLinks } from '../parts/export-links.tsx'

/** A figure stands out among the noughts of what somebody else did. */
function Figure({ of }: { readonly of: number }) {
  return of === 0 ? <span class="quiet">0</span> : number(of)
}

const isOneDay = (from: string, to: string) => dayOf(from) === dayOf(to)
const dayOf = (at: string) => moscowDay(new Date(at))

const columns: readonly Column<Shift>[] = [
  { title: 'Сотрудник', cell: ({ name }) => name },
  {
    title: 'Работает',
    cell: ({ first_at: from, last_at: to }) => (
      <>
        <Moment at={from} /> – {isOneDay(from, to) ? hourOf(to) : <Moment at={to} />}
      </>
    ),
  },
  { title: 'Приёмок', cell: ({ receipts }) => <Figure of={receipts} />, end: true },
  { title: 'Принял единиц', cell: (shift) => <Figure of={shift.scanned_units} />, end: true },
  { title: 'Собрал единиц', cell: ({ picks }) => <Figure of={picks} />, end: true },
  { title: 'Сборка в час', cell: (shift) => <Figure of={picksPerHour(shift)} />, end: true },
  { title: 'Проверил', cell: ({ checks }) => <Figure of={checks} />, end: true },
  { title: 'Не нашёл', cell: ({ misses }) => <Figure of={misses} />, end: true },
  { title: 'Пересчёт', cell: ({ counts }) => <Figure of={counts} />, end: true },
  { title: 'Возвраты', cell: ({ returns }) => <Figure of={returns} />, end: true },
  { title: 'Отгрузок', cell: ({ shipments }) => <Figure of={shipments} />, end: true },
  {
    title: 'Отмен',
    cell: (shift) => <Figure of={shift.undone_scans + shift.undone_picks} />,
    end: true,
  },
]

const shownMax = 12

function mostFirst(shifts: readonly Shift[]): Bar[] {
  return shifts
    .map((shift) => ({
      label: shift.name,
      value: shift.scanned_units + shift.picks + shift.checks + shift.returns,
    }))
    .toSorted((one, other) => other.value - one.value)
}

/** Who did what in a period: today unless the address names another. */
export default function Shifts() {
  const { query } = useAddress()
  const from = query.from ?? moscowDay(new Date())
  const to = query.to ?? from
  const period = { from, to: midnightOf(to, 1) }
  const answer = useAnswer(
    `shifts ${from} ${to}`,
    (signal) => staff('GET /shifts', { query: period, signal }),
    { refreshMs: 30_000 },
  )
  const { data } = answer
  return (
    <div class="stack">
      <Heading title="Смены" about="Что сделали сотрудники; без дат — сегодня" />
      <Filters>
        <PeriodFilter />
      </Filters>
      {data === undefined ? <WaitingFor answer={answer} /> : <AnswerFailure answer={answer} />}
      {data?.items.length === 0 && (
        <p class="empty">За это время никто ничего не делал. Выберите другие дни.</p>
      )}
      {data !== undefined && data.items.length > 0 && (
        <>
          <section class="panel stack">
            <h2>Единиц через руки</h2>
            <Bars
              name="Единиц через руки по сотрудникам"
              bars={mostFirst(data.items).slice(0, shownMax)}
            />
          </section>
          <Table
            name="Сотрудники"
            rows={data.items}
            columns={columns}
            keyOf={({ user_id: id }) => id}
            files={<ExportLinks list="shifts" filter={period} />}
          />
        </>
      )}
    </div>
  )
}
