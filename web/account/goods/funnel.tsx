import type { Metrics } from '../../api/account-calls.ts'
import { number } from '../../words/format.ts'

/** The way of the units through a period: a bar for each step, and a thin one for the period before. */

const steps = [
  ['accepted', 'Принято на склад'],
  ['shipped', 'Отгружено'],
  ['sorted_by_marketplace', 'Принято маркетплейсом'],
  ['delivered', 'Доставлено покупателям'],
] as const

const full = 1_000

interface FunnelProps {
  readonly now: Metrics['funnel']
  readonly before: Metrics['funnel'] | undefined
}

export function Funnel({ now, before }: FunnelProps) {
  const most = Math.max(1, ...steps.flatMap(([name]) => [now[name], before?.[name] ?? 0]))
  const lengthOf = (value: number) => (value / most) * full
  return (
    <figure class="funnel">
      <dl>
        {steps.map(([name, words]) => (
          <div key={name}>
            <dt>{words}</dt>
            <dd>
              <strong>{number(now[name])}</strong>{' '}
              {before && <span class="small quiet">было {number(before[name])}</span>}
            </dd>
            <svg viewBox={`0 0 ${full} 24`} preserveAspectRatio="none" aria-hidden="true">
              <rect class="funnel-track" width={full} height="17" />
              <rect class="funnel-now" width={lengthOf(now[name])} height="17" />
              {before && (
                <rect class="funnel-before" y="20" width={lengthOf(before[name])} height="4" />
              )}
            </svg>
          </div>
        ))}
      </dl>
      {before && (
        <figcaption class="small quiet">Тонкая полоса — прошлый период такой же длины.</figcaption>
      )}
    </figure>
  )
}
