import type { TodayCurve } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Chart, type Slot } from '../../ui/figures/chart.tsx'
import { hourOf } from '../../words/format.ts'
import { readScope } from '../scope/kept.ts'

const refreshMs = 60_000

const curves = [
  { title: 'Собрано заказов', of: 'packed' },
  { title: 'Передано заказов', of: 'handed_over' },
] as const

/** How the day goes, hour by hour, beside yesterday; nothing where neither day had an order. */
export function DayCurve() {
  const scope = readScope(useAddress().query)
  const { data } = useAnswer(
    `curve of ${JSON.stringify(scope)}`,
    (signal) => staff('GET /today/curve', { query: scope, signal }),
    { refreshMs },
  )
  if (data === undefined || data.items.every(isEmpty)) return null
  return (
    <section class="pictures" aria-label="Как идёт день">
      {curves.map(({ title, of }) => (
        <div key={of} class="panel">
          <Chart
            title={title}
            slots={slotsOf(data, of)}
            before="вчера за весь день"
            dashes="вчера"
          />
        </div>
      ))}
    </section>
  )
}

type Hour = TodayCurve['items'][number]

function isEmpty({ packed, handed_over: gone, yesterday }: Hour): boolean {
  return packed + gone + yesterday.packed + yesterday.handed_over === 0
}

/** Hours to come have yesterday's figure alone. */
function slotsOf(
  { items, counted_at: now }: TodayCurve,
  of: (typeof curves)[number]['of'],
): Slot[] {
  const runs = items.findLastIndex(({ at }) => Date.parse(at) <= Date.parse(now))
  return items.map((hour, n) => ({
    label: hourOf(hour.at),
    value: n > runs ? undefined : hour[of],
    isRunning: n === runs,
    before: hour.yesterday[of],
  }))
}
