import { exceptionKindLabels } from '../../../src/warehouse/exceptions/kinds.ts'
import type { ScanException } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, DaysFilter, Filters, oneOf } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { periodOf } from '../../ui/lists/period.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ClientFilter, clientColumn } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import type { SortOf } from '../parts/sort-of.ts'
import { pathOf } from '../paths.ts'
import { Decision, decisionsOf } from './decision.tsx'

export default function Exceptions() {
  const { query, hrefWith } = useAddress()
  const filter = {
    client_id: query.client_id,
    warehouse_code: query.warehouse_code,
    status: oneOf(query.status, ['OPEN', 'RESOLVED']),
    kind: oneOf(query.kind, Object.keys(exceptionKindLabels) as ScanException['kind'][]),
    ...periodOf(query),
  }
  const columns = columnsWith((id) => hrefWith({ decide: id }))
  return (
    <div class="stack">
      <Heading
        title="Исключения"
        about="Сканы из очередей терминалов, которые склад не смог принять сам"
      />
      <Beside form={query.decide && <Decision key={query.decide} id={query.decide} />}>
        <Filters>
          <ChoiceFilter
            name="status"
            label="Состояние"
            options={{ OPEN: 'Ждут решения', RESOLVED: 'Решены' }}
          />
          <ChoiceFilter name="kind" label="Что сканировали" options={exceptionKindLabels} />
          <ClientFilter />
          <DaysFilter names={['from', 'to']} label="Пришли с" />
        </Filters>
        <List
          order="-created"
          name="Исключения"
          of={`${JSON.stringify(filter)} ${query.decide ?? ''}`}
          columns={columns}
          keyOf={({ id }) => id}
          ask={({ signal, ...page }) =>
            staff('GET /exceptions', { query: { ...filter, ...page }, signal })
          }
          files={<ExportLinks list="exceptions" filter={filter} />}
          empty="Исключений нет: все сканы приняты, делать ничего не нужно."
        />
      </Beside>
    </div>
  )
}

function columnsWith(
  decideHref: (id: string) => string,
): readonly Column<ScanException, SortOf<'GET /exceptions'>>[] {
  return [
    {
      title: 'Что',
      cell: ({ id, kind }) => <a href={decideHref(id)}>{exceptionKindLabels[kind]}</a>,
    },
    { title: 'Почему не принят', cell: ({ reason }) => reason },
    clientColumn,
    { title: 'Объект', cell: (exception) => <ObjectLink of={exception} /> },
    {
      title: 'Сотрудник',
      cell: ({ queued_by_name: name, queued_by: login }) => name ?? login ?? '—',
    },
    { title: 'Отсканировано', cell: ({ queued_at: at }) => <Moment at={at} /> },
    { title: 'Пришло', sort: '-created', cell: ({ created_at: at }) => <Moment at={at} /> },
    { title: 'Решение', cell: (exception) => <State of={exception} /> },
  ]
}

function State({ of }: { readonly of: ScanException }) {
  if (of.decision === null) return <Badge tone="warn" word="Ждёт решения" />
  return <Badge tone="good" word={decisionsOf(of)[of.decision]} />
}

export function ObjectLink({ of: { kind, object_id: id } }: { readonly of: ScanException }) {
  if (kind === 'receipt_scan') return <a href={pathOf('receipt', id)}>приёмка</a>
  if (kind === 'pick') return <a href={pathOf('pickingTask', id)}>задание</a>
  if (kind === 'pack_check') return <a href={pathOf('shipment', id)}>отгрузка</a>
  if (kind === 'return_scan') return <a href={pathOf('return', id)}>приём возвратов</a>
  if (kind === 'count_scan') return <a href={pathOf('count', id)}>пересчёт</a>
  if (kind.startsWith('location_')) return <a href={pathOf('location', id)}>место</a>
  return <span class="quiet">—</span>
}
