import type { Flow } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Bars } from '../../ui/bars.tsx'
import { Columns, type Slot } from '../../ui/columns.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { hourOf, moscowDay, shortDay } from '../../words/format.ts'
import { paths } from '../paths.ts'
import { Now } from './now.tsx'
import { Workers } from './workers.tsx'

const periods = {
  day: { title: 'Сегодня по часам', days: 1, step: 'hour' },
  month: { title: '30 дней по дням', days: 30, step: 'day' },
} as const
type Period = (typeof periods)[keyof typeof periods]

const dayMs = 86_400_000

/** How the warehouse works: a day or a month beside the one before. */
export default function WarehouseFigures() {
  const { query, hrefWith } = useAddress()
  const chosen = query.period === 'month' ? 'month' : 'day'
  return (
    <div class="stack">
      <Heading title="Склад в цифрах" about="Рядом с каждым числом — прошлый такой же период">
        <a class="button" href={paths.shifts}>
          Смены
        </a>
      </Heading>
      <nav class="row" aria-label="Период">
        {(['day', 'month'] as const).map((name) => (
          <a
            key={name}
            class={name === chosen ? 'button primary' : 'button'}
            aria-current={name === chosen ? 'true' : undefined}
            href={hrefWith({ period: name })}
          >
            {periods[name].title}
          </a>
        ))}
      </nav>
      <FlowPictures period={periods[chosen]} />
      <Now />
      <Workers {...boundsOf(periods[chosen])} />
    </div>
  )
}

function boundsOf({ days }: Period) {
  const end = Date.parse(moscowDay(new Date())) + dayMs
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
  return {
    before: dayOf(end - 2 * days * dayMs),
    from: dayOf(end - days * dayMs),
    to: dayOf(end),
  }
}

function FlowPictures({ period }: { readonly period: Period }) {
  const { before, from, to } = boundsOf(period)
  const { data, error, reload } = useAnswer(
    `flow ${from} ${to}`,
    async (signal) => {
      const ask = (bounds: { from: string; to: string }) =>
        staff('GET /figures/flow', { query: { ...bounds, step: period.step }, signal })
      const [now, earlier] = await Promise.all([ask({ from, to }), ask({ from: before, to: from })])
      return { now, earlier }
    },
    { refreshMs: 60_000 },
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  const { now, earlier } = data
  return (
    <>
      <Failure error={error} retry={reload} />
      <section class="pictures" aria-label="Поток единиц">
        {flows.map(({ title, of }) => (
          <div key={of} class="panel">
            <Columns title={title} slots={slotsOf(now, earlier, of)} />
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
    value: slot[of],
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
