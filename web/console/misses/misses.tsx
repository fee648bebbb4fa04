import {
  type MissStatus,
  missStatusLabels as words,
} from '../../../src/warehouse/picking/miss-state.ts'
import type { Miss } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, Filters, oneOf } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { ClientFilter, clientColumn } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { Barcode } from '../parts/goods.tsx'
import type { SortOf } from '../parts/sort-of.ts'
import { pathOf } from '../paths.ts'
import { MissDecision } from './decision.tsx'
import { missChoiceOf, placeWords } from './words.ts'

export default function Misses() {
  const { query, hrefWith } = useAddress()
  const filter = {
    client_id: query.client_id,
    warehouse_code: query.warehouse_code,
    status: oneOf(query.status, Object.keys(words) as MissStatus[]),
    shipment_id: query.shipment_id,
    order_id: query.order_id,
  }
  const { decide } = query
  const form = decide && (
    <MissDecision key={decide} id={decide} choice={missChoiceOf(query.decision)} />
  )
  return (
    <div class="stack">
      <Heading
        title="Не нашли при сборке"
        about="Товары заказов, которых сборщик не нашёл на месте, и что с ними решили"
      />
      <Beside form={form}>
        <Filters>
          <ChoiceFilter name="status" label="Состояние" options={words} />
          <ClientFilter />
        </Filters>
        <List
          order="-created"
          name="Не нашли при сборке"
          of={`${JSON.stringify(filter)} ${decide ?? ''}`}
          columns={columnsWith((id) => hrefWith({ decide: id, decision: undefined }))}
          keyOf={({ id }) => id}
          ask={({ signal, ...page }) =>
            staff('GET /misses', { query: { ...filter, ...page }, signal })
          }
          files={<ExportLinks list="misses" filter={filter} />}
          empty="Таких товаров нет: сборщики всё нашли, делать ничего не нужно."
        />
      </Beside>
    </div>
  )
}

function columnsWith(
  decideHref: (id: string) => string,
): readonly Column<Miss, SortOf<'GET /misses'>>[] {
  return [
    {
      title: 'Товар',
      cell: ({ id, name, client_id: client, barcode }) => (
        <>
          <a href={decideHref(id)}>{name}</a>
          <div class="small">
            <Barcode client={client} barcode={barcode} />
          </div>
        </>
      ),
    },
    { title: 'Штук', end: true, cell: ({ qty }) => number(qty) },
    { title: 'Где искали', cell: ({ place }) => placeWords(place) },
    { title: 'Причина', cell: ({ reason_label: reason }) => reason },
    {
      title: 'Заказ',
      cell: (miss) => (
        <>
          <a href={pathOf('order', miss.order_id)}>{miss.order_external_id}</a>
          {miss.shipment_id !== null && (
            <div class="small quiet">
              отгрузка{' '}
              <a href={pathOf('shipment', miss.shipment_id)}>{miss.shipment_external_id}</a>
            </div>
          )}
        </>
      ),
    },
    clientColumn,
    { title: 'Сборщик', cell: ({ reported_by: login }) => login ?? '—' },
    { title: 'Когда', sort: '-created', cell: ({ at }) => <Moment at={at} /> },
    { title: 'Решение', cell: (miss) => <State miss={miss} /> },
  ]
}

const tones: Readonly<Record<MissStatus, Tone>> = { OPEN: 'bad', DECIDED: 'good', CLOSED: 'quiet' }

function State({ miss }: { readonly miss: Miss }) {
  return <Badge tone={tones[miss.status]} word={miss.outcome_label ?? miss.status_label} />
}
