import type { FlowStage } from '../../../src/warehouse/orders/flow-stages.ts'
import type { Today } from '../../api/staff-calls.ts'
import { useAddress } from '../../ui/address.ts'
import { Deadline } from '../../ui/deadline.tsx'
import { oneOf } from '../../ui/lists/filters.tsx'
import { number } from '../../words/format.ts'
import { listOf, paths } from '../paths.ts'
import { FlowTable, flowGroupTitles } from './flow-table.tsx'
import { stageWords } from './stages.ts'

type Parts = Today['flow']['items']

/** The way of orders through the warehouse: how many are where, and which deadline comes next. */
export function FlowLine({ flow }: { readonly flow: Today['flow'] }) {
  const { query, hrefWith } = useAddress()
  const by = oneOf(query.by, Object.keys(flowGroupTitles) as (keyof typeof flowGroupTitles)[])
  return (
    <section class="stack" aria-label="Путь заказов">
      <ol class="flow">
        {stageWords.map(([stage, title]) => (
          <li key={stage}>
            <StageFigure
              stage={stage}
              title={title}
              parts={flow.items.filter((part) => part.stage === stage)}
            />
          </li>
        ))}
      </ol>
      <nav class="row small" aria-label="Разбить путь заказов">
        {Object.entries(flowGroupTitles).map(([group, title]) => (
          <a
            key={group}
            aria-current={group === by ? 'true' : undefined}
            href={hrefWith({ by: group === by ? undefined : group })}
          >
            {title}
          </a>
        ))}
      </nav>
      {by && <FlowTable by={by} />}
    </section>
  )
}

interface StageFigureProps {
  readonly stage: FlowStage
  readonly title: string
  readonly parts: Parts
}

/** Its list shows the same number of orders. */
function StageFigure({ stage, title, parts }: StageFigureProps) {
  const orders = sumOf(parts, 'orders_count')
  const [deadline] = parts.flatMap((part) => part.deadline ?? []).toSorted()
  return (
    <a class="panel day-figure" href={listOf(paths.orders, { stage })}>
      <span class="quiet">{title}</span>
      <strong>{number(orders)}</strong>
      <span class="small quiet">{aboutOf(parts)}</span>
      {deadline && <Deadline at={deadline} />}
    </a>
  )
}

function sumOf(parts: Parts, field: 'orders_count' | 'units'): number {
  return parts.reduce((sum, part) => sum + part[field], 0)
}

/** Units, and the marketplaces where there are several. */
function aboutOf(parts: Parts): string {
  const units = `${number(sumOf(parts, 'units'))}\u00a0шт.`
  if (parts.length < 2) return units
  const each = parts.map(
    ({ marketplace, orders_count: orders }) => `${marketplace}\u00a0${number(orders)}`,
  )
  return [units, ...each].join(' · ')
}
