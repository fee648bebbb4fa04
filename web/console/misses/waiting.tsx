import type { Miss } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { number } from '../../words/format.ts'
import { listOf, pathOf, paths } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { type MissChoice, placeWords } from './words.ts'

/** Of a shipment or of an order. */
type MissesOf = { readonly shipment_id: string } | { readonly order_id: string }

interface WaitingMissesProps {
  readonly of: MissesOf
  /** How many the object says that there are. */
  readonly count: number
}

const shownMax = 10

/** What pickers did not find, on the page of the object that it holds up. */
export function WaitingMisses({ of, count }: WaitingMissesProps) {
  return count === 0 ? null : <Waiting of={of} count={count} />
}

function Waiting({ of, count }: WaitingMissesProps) {
  const { data } = useAnswer(`misses ${JSON.stringify(of)} ${count}`, (signal) =>
    staff('GET /misses', { query: { ...of, status: 'OPEN', limit: shownMax }, signal }),
  )
  const manages = isAtLeast(useSession().user, 'manager')
  return (
    <section class="notice bad stack" aria-label="Не нашли при сборке">
      <strong>Не нашли при сборке: {number(count)}</strong>
      {data?.items.map((miss) => (
        <div key={miss.id} class="row">
          <span>
            <a href={pathOf('order', miss.order_id)}>{miss.order_external_id}</a> · {miss.name} ·{' '}
            {number(miss.qty)} шт. · {placeWords(miss.place)}
          </span>
          {manages && <DecisionLinks miss={miss} />}
        </div>
      ))}
      {manages && count > shownMax && (
        <a href={listOf(paths.misses, { ...of, status: 'OPEN' })}>Все</a>
      )}
      {!manages && <span>Что делать, решит менеджер.</span>}
    </section>
  )
}

const links: readonly (readonly [choice: MissChoice, label: string])[] = [
  ['look_elsewhere', 'Другое место'],
  ['correct_stock', 'Исправить остаток'],
  ['remove_order', 'Убрать заказ'],
]

/** The decisions, each of which opens its form. */
export function DecisionLinks({ miss }: { readonly miss: Pick<Miss, 'id' | 'name'> }) {
  return (
    <div class="row decisions">
      {links.map(([decision, label]) => (
        <a
          key={decision}
          class="button"
          href={listOf(paths.misses, { status: 'OPEN', decide: miss.id, decision })}
        >
          {label}
          <span class="visually-hidden"> {miss.name}</span>
        </a>
      ))}
    </div>
  )
}
