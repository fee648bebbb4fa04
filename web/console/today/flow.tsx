import type { Today } from '../../api/staff-calls.ts'
import { Deadline } from '../../ui/deadline.tsx'
import { number } from '../../words/format.ts'
import { listOf, paths } from '../paths.ts'

type Parts = Today['flow']['items']
type Stage = Parts[number]['stage']

const open = listOf(paths.shipments, { status: 'ASSEMBLING', sort: 'deadline' })

const stages: readonly { readonly of: Stage; readonly title: string; readonly href: string }[] = [
  { of: 'to_pick', title: 'Ждут сборки', href: listOf(paths.orders, { status: 'NEW' }) },
  { of: 'picking', title: 'Собирают', href: open },
  { of: 'checking', title: 'Проверяют упаковку', href: open },
  { of: 'ready', title: 'Готовы к передаче', href: open },
  {
    of: 'handed_over',
    title: 'Переданы сегодня',
    href: listOf(paths.shipments, { status: 'HANDED_OVER' }),
  },
  {
    of: 'accepted',
    title: 'Приняты сегодня',
    href: listOf(paths.shipments, { status: 'ACCEPTED' }),
  },
]

/** The way of orders through the warehouse: how many are where, and which deadline comes next. */
export function FlowLine({ flow }: { readonly flow: Today['flow'] }) {
  return (
    <nav class="flow" aria-label="Путь заказов">
      {stages.map(({ of, title, href }) => {
        const parts = flow.items.filter(({ stage }) => stage === of)
        return (
          <a key={of} class="panel day-figure" href={href}>
            <span class="quiet">{title}</span>
            <strong>{number(sumOf(parts, 'orders_count'))}</strong>
            <span class="small quiet">{aboutOf(parts)}</span>
            <NextDeadline parts={parts} />
          </a>
        )
      })}
    </nav>
  )
}

function NextDeadline({ parts }: { readonly parts: Parts }) {
  const [at] = parts.flatMap(({ deadline }) => deadline ?? []).toSorted()
  return at === undefined ? null : <Deadline at={at} />
}

function sumOf(parts: Parts, field: 'orders_count' | 'units'): number {
  return parts.reduce((sum, part) => sum + part[field], 0)
}

/** Units, and the marketplaces where there are several. */
function aboutOf(parts: Parts): string {
  const units = `${number(sumOf(parts, 'units'))} шт.`
  if (parts.length < 2) return units
  const each = parts.map(
    ({ marketplace, orders_count: orders }) => `${marketplace} ${number(orders)}`,
  )
  return [units, ...each].join(' · ')
}
