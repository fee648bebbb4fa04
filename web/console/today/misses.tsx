import type { Today } from '../../api/staff-calls.ts'
import { moment, number, untilDeadline } from '../../words/format.ts'
import { DecisionLinks } from '../misses/waiting.tsx'
import { placeWords } from '../misses/words.ts'
import { pathOf } from '../paths.ts'
import { type Item, Thing } from './section.tsx'

/** A picker stands before an empty place, and a shipment can't leave. */
export function MissCard({ miss }: { readonly miss: Item<Today['misses']> }) {
  return (
    <>
      <Thing href={pathOf('order', miss.order_id)} title={`${miss.name} × ${number(miss.qty)}`}>
        <strong class="problem">{miss.reason_label}</strong> · {placeWords(miss.place)} · заказ{' '}
        {miss.order_external_id}
        {miss.deadline && ` · ${untilDeadline(miss.deadline)}`} · отгрузка{' '}
        {miss.shipment_external_id} · {miss.client_name} · {moment(miss.at)}
      </Thing>
      <DecisionLinks miss={{ id: miss.miss_id, name: miss.name }} />
    </>
  )
}
