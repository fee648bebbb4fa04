import type { Metrics } from '../../api/account-calls.ts'
import { number } from '../../words/format.ts'
import { FigureByApi } from '../parts/copy.tsx'
import { funnel, funnelNow } from './figures.ts'

/** The way of the units through a period: a bar for each step, and a thin one for the period before. */

const full = 1_000

interface FunnelProps {
  readonly now: Metrics
  readonly before: Metrics
  /** The call that answers with the figures. */
  readonly path: string
}

export function Funnel({ now, before, path }: FunnelProps) {
  const steps = [...funnelNow, ...funnel]
  const most = Math.max(1, ...steps.map(({ of }) => of(now)), ...funnel.map(({ of }) => of(before)))
  const lengthOf = (value: number) => (value / most) * full
  return (
    <figure class="funnel">
      <dl>
        {steps.map((figure) => {
          const { name, field, of } = figure
          const isOfNow = funnelNow.includes(figure)
          return (
            <div key={field} class={isOfNow ? 'funnel-stored' : undefined}>
              <dt>{name}</dt>
              <dd>
                <strong>{number(of(now))}</strong>{' '}
                {!isOfNow && of(before) > 0 && (
                  <span class="small quiet">было {number(of(before))}</span>
                )}{' '}
                <FigureByApi name={name} field={field} path={path} />
              </dd>
              <svg viewBox={`0 0 ${full} 24`} preserveAspectRatio="none" aria-hidden="true">
                <rect class="funnel-track" width={full} height="17" />
                <rect class="funnel-now" width={lengthOf(of(now))} height="17" />
                {!isOfNow && (
                  <rect class="funnel-before" y="20" width={lengthOf(of(before))} height="4" />
                )}
              </svg>
            </div>
          )
        })}
      </dl>
      <figcaption class="small quiet">Тонкая полоса — прошлый период такой же длины.</figcaption>
    </figure>
  )
}
