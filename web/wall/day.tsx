import type { TodayCurve } from '../api/staff-calls.ts'
import { hourOf, number } from '../words/format.ts'

type Hour = TodayCurve['items'][number]

const slot = 10
const height = 100

/** The orders that left in each hour of the day, over those of yesterday; nothing while neither day has any. */
export function Day({ curve: { items, counted_at: now } }: { readonly curve: TodayCurve }) {
  const most = Math.max(...items.flatMap((hour) => [hour.handed_over, hour.yesterday.handed_over]))
  if (most === 0) return null
  const runs = items.findLastIndex(({ at }) => Date.parse(at) <= Date.parse(now))
  const gone = sum(items, ({ handed_over }) => handed_over)
  const before = ({ yesterday }: Hour) => yesterday.handed_over
  const words = `вчера к этому часу ${number(sum(items.slice(0, runs), before))}, за весь день ${number(sum(items, before))}`
  return (
    <section class="panel day" aria-label="Как идёт день">
      <h2>
        Передано сегодня <b>{number(gone)}</b>
      </h2>
      <p class="quiet">{words}</p>
      <svg
        viewBox={`0 0 ${slot * items.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`По часам: сегодня ${number(gone)}, ${words}`}
      >
        {items.map((hour, n) => (
          <g key={hour.at} transform={`translate(${n * slot} 0)`}>
            <Bar class="before" of={before(hour) / most} from={0.5} to={9.5} />
            <Bar class="now" of={hour.handed_over / most} from={2} to={8} />
          </g>
        ))}
      </svg>
      <div class="hours quiet" aria-hidden="true">
        {items.map(({ at }, n) => n % 3 === 0 && <span key={at}>{hourOf(at)}</span>)}
      </div>
    </section>
  )
}

function sum(items: readonly Hour[], of: (hour: Hour) => number): number {
  return items.reduce((all, hour) => all + of(hour), 0)
}

interface BarProps {
  readonly class: string
  /** Its share of the height. */
  readonly of: number
  readonly from: number
  readonly to: number
}

function Bar({ class: name, of, from, to }: BarProps) {
  const high = of * height
  return <rect class={name} x={from} y={height - high} width={to - from} height={high} />
}
