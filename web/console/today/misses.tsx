import type { Today } from '../../api/staff-calls.ts'
import { moment, number, untilDeadline } from '../../words/format.ts'
import { DecisionLinks } from '../misses/waiting.tsx'
import { placeWords } from '../misses/words.ts'
import { listOf, pathOf, paths } from '../paths.ts'
import { Section, Thing } from './section.tsx'

/** A picker stands before an empty place, and a shipment can't leave: this burns. */
export function Misses({ misses }: { readonly misses: NonNullable<Today['misses']> }) {
  return (
    <Section
      title="Не нашли при сборке"
      burns
      href={listOf(paths.misses, { status: 'OPEN' })}
      {...misses}
      keyOf={({ miss_id: id }) => id}
      item={(miss) => (
        <>
          <Thing href={pathOf('order', miss.order_id)} title={`${miss.name} × ${number(miss.qty)}`}>
            <strong class="problem">{miss.reason_label}</strong> · {placeWords(miss.place)} · заказ{' '}
            {miss.order_external_id}
            {miss.deadline && ` · ${untilDeadline(miss.deadline)}`} · отгрузка{' '}
            {miss.shipment_external_id} · {miss.client_name} · {moment(miss.at)}
          </Thing>
          <DecisionLinks miss={{ id: miss.miss_id, name: miss.name }} />
        </>
      )}
    />
  )
}
