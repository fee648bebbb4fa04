import type { ClientFlow } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { daysIn, type Period, periodBefore } from '../../ui/days.ts'
import { Chart, type Slot, soFar } from '../../ui/figures/chart.tsx'
import { Ranges, useIsCompared, usePeriod } from '../../ui/lists/ranges.tsx'
import { hourOf, shortDay } from '../../words/format.ts'
import { account } from '../api.ts'
import { Loaded } from '../parts/page.tsx'

const refreshMs = 60_000

const curves = [
  { title: 'Заказано единиц', of: 'ordered' },
  { title: 'Отгружено единиц', of: 'shipped' },
  { title: 'Принято единиц', of: 'received' },
  { title: 'Вернулось единиц', of: 'returned' },
] as const

interface CurvesProps {
  /** Of one product; of all without. */
  readonly barcode?: string
  /** The days that are shown where the address names none. */
  readonly usual: number
}

/** What was ordered, shipped, received and came back, over the days that are chosen above the curves. */
export function Curves({ barcode, usual }: CurvesProps) {
  const period = usePeriod(usual)
  const isCompared = useIsCompared()
  const step = daysIn(period) === 1 ? 'hour' : 'day'
  const answer = useAnswer(
    `flow ${barcode ?? ''} ${period.from} ${period.to} ${isCompared}`,
    async (signal) => {
      const ask = (days: Period) =>
        account('GET /flow', { query: { ...days, step, barcode }, signal })
      const [now, before] = await Promise.all([
        ask(period),
        isCompared ? ask(periodBefore(period)) : undefined,
      ])
      return { now, before }
    },
    { refreshMs },
  )
  return (
    <section class="stack" aria-label="Кривые">
      <Ranges usual={usual} canCompare />
      <Loaded answer={answer}>
        {({ now, before }) => (
          <div class="pictures curves">
            {curves.map(({ title, of }) => (
              <div key={of} class="panel">
                <Chart title={title} slots={slotsOf(now, before, of)} />
              </div>
            ))}
          </div>
        )}
      </Loaded>
    </section>
  )
}

function slotsOf(
  now: ClientFlow,
  before: ClientFlow | undefined,
  of: (typeof curves)[number]['of'],
): Slot[] {
  const label = now.step === 'hour' ? hourOf : shortDay
  // A new client has nothing to compare with.
  const isEmpty = before?.items.every((slot) => slot[of] === 0)
  return now.items.map((slot, index) => ({
    label: label(slot.at),
    ...soFar(slot.at, now.step, slot[of]),
    before: before && !isEmpty ? (before.items[index]?.[of] ?? 0) : undefined,
  }))
}
