import type { Flow } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { daysIn, type Period, periodBefore } from '../../ui/days.ts'
import { Bars } from '../../ui/figures/bars.tsx'
import { Chart, type Slot, soFar } from '../../ui/figures/chart.tsx'
import { AnswerFailure, WaitingFor } from '../../ui/forms/refusal.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Ranges, usePeriod } from '../../ui/lists/ranges.tsx'
import { hourOf, shortDay } from '../../words/format.ts'
import { paths } from '../paths.ts'
import { Now } from './now.tsx'
import { Workers } from './workers.tsx'

/** Days of a period at most for which the journal answers who did what. */
const workersDaysMax = 31

/** How the warehouse works: a day by hours or a period by days, beside the one before. */
export default function WarehouseFigures() {
  const period = usePeriod(1)
  const { from: before } = periodBefore(period)
  return (
    <div class="stack">
      <Heading title="Склад в цифрах" about="Рядом с каждым числом — прошлый такой же период">
        <a class="button" href={paths.shifts}>
          Смены
        </a>
      </Heading>
      <Ranges usual={1} />
      <FlowPictures period={period} />
      <Now />
      {(daysIn(period) ?? 0) <= workersDaysMax ? (
        <Workers before={before} {...period} />
      ) : (
        <p class="quiet">Сотрудники видны за период не длиннее {workersDaysMax} дня.</p>
      )}
    </div>
  )
}

function FlowPictures({ period }: { readonly period: Period }) {
  const { from, to } = period
  const step = daysIn(period) === 1 ? 'hour' : 'day'
  const answer = useAnswer(
    `flow ${from} ${to}`,
    async (signal) => {
      const ask = (bounds: Period) =>
        staff('GET /figures/flow', { query: { ...bounds, step }, signal })
      const [now, earlier] = await Promise.all([ask(period), ask(periodBefore(period))])
      return { now, earlier }
    },
    { refreshMs: 60_000 },
  )
  if (answer.data === undefined) return <WaitingFor answer={answer} />
  const { now, earlier } = answer.data
  return (
    <>
      <AnswerFailure answer={answer} />
      <section class="pictures" aria-label="Поток единиц">
        {flows.map(({ title, of }) => (
          <div key={of} class="panel">
            <Chart title={title} slots={slotsOf(now, earlier, of)} />
          </div>
        ))}
      </section>
      <section class="pictures" aria-label="Чего не хватило">
        <Reasons title="Недостача по причинам" now={now.shortages} earlier={earlier.shortages} />
        <Reasons title="Не найдено при сборке" now={now.not_found} earlier={earlier.not_found} />
      </section>
    </>
  )
}

const flows = [
  { title: 'Принято единиц', of: 'received' },
  { title: 'Отгружено единиц', of: 'shipped' },
  { title: 'Вернулось единиц', of: 'returned' },
] as const

function slotsOf(now: Flow, earlier: Flow, of: (typeof flows)[number]['of']): Slot[] {
  const label = now.step === 'hour' ? hourOf : shortDay
  return now.items.map((slot, index) => ({
    label: label(slot.at),
    ...soFar(slot.at, now.step, slot[of]),
    before: earlier.items[index]?.[of] ?? 0,
  }))
}

interface ReasonsProps {
  readonly title: string
  readonly now: Flow['shortages']
  readonly earlier: Flow['shortages']
}

function Reasons({ title, now, earlier }: ReasonsProps) {
  const before = new Map(earlier.map(({ reason, count }) => [reason, count]))
  return (
    <section class="panel stack">
      <h2>{title}</h2>
      {now.length === 0 ? (
        <p class="quiet">За период ничего.</p>
      ) : (
        <Bars
          name={title}
          bars={now.map(({ reason, label, count }) => ({
            label,
            value: count,
            before: before.get(reason) ?? 0,
          }))}
        />
      )}
    </section>
  )
}
