import { useLocation } from 'preact-iso'
import { returnBatchStatuses } from '../../../src/warehouse/returns/state.ts'
import type { ReturnBatch } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { TextField } from '../../ui/forms/form.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, DaysFilter, Filters, oneOf, TextFilter } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { periodOf } from '../../ui/lists/period.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number } from '../../words/format.ts'
import { returnBatchTones, returnBatchWords } from '../../words/statuses.ts'
import { ClientFilter, clientColumn } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import type { SortOf } from '../parts/sort-of.ts'
import { pathOf } from '../paths.ts'
import { GoodsOwner } from '../receipts/goods-owner.tsx'
import { clientOf } from '../receipts/new-receipt.tsx'
import { isAtLeast } from '../rooms.ts'

const columns: readonly Column<ReturnBatch, SortOf<'GET /returns'>>[] = [
  {
    title: 'Приём возвратов',
    cell: ({ id, number: name }) => <a href={pathOf('return', id)}>{name}</a>,
  },
  clientColumn,
  {
    title: 'Состояние',
    sort: 'status',
    main: true,
    cell: ({ status }) => <Badge tone={returnBatchTones[status]} word={returnBatchWords[status]} />,
  },
  { title: 'Ждали', end: true, cell: ({ expected_qty: qty }) => number(qty) },
  { title: 'Приехало', end: true, cell: ({ came_qty: qty }) => number(qty) },
  { title: 'Продать можно', end: true, cell: ({ sellable_qty: qty }) => number(qty) },
  { title: 'Повреждено', end: true, cell: ({ damaged_qty: qty }) => number(qty) },
  { title: 'Не осмотрено', end: true, cell: ({ unknown_qty: qty }) => number(qty) },
  { title: 'Начат', sort: '-created', cell: ({ created_at: at }) => <Moment at={at} /> },
]

export default function Returns() {
  const manages = isAtLeast(useSession().user, 'manager')
  const { query, hrefWith } = useAddress()
  const filter = {
    client_id: query.client_id,
    warehouse_code: query.warehouse_code,
    number: query.number,
    status: oneOf(query.status, returnBatchStatuses),
    ...periodOf(query),
  }
  return (
    <div class="stack">
      <Heading title="Возвраты">
        {manages && (
          <a class="button primary" href={hrefWith({ form: 'new' })}>
            Начать приём
          </a>
        )}
      </Heading>
      <Beside form={manages && query.form === 'new' && <NewReturn />}>
        <Filters>
          <TextFilter name="number" label="Номер" />
          {manages && <ClientFilter />}
          <ChoiceFilter name="status" label="Состояние" options={returnBatchWords} />
          <DaysFilter names={['from', 'to']} label="Начаты с" />
        </Filters>
        <List
          order="-created"
          name="Приёмы возвратов"
          of={JSON.stringify(filter)}
          columns={columns}
          keyOf={({ id }) => id}
          ask={({ signal, ...page }) =>
            staff('GET /returns', { query: { ...filter, ...page }, signal })
          }
          files={<ExportLinks list="returns" filter={filter} />}
          empty="Приёмов возвратов не нашли. Начните приём, когда товар привезут."
        />
      </Beside>
    </div>
  )
}

function NewReturn() {
  const { route } = useLocation()
  return (
    <OpenedForm
      title="Новый приём возвратов"
      submit="Начать"
      act={async (values) => {
        const batch = await staff('POST /returns', {
          body: {
            client_id: clientOf(values),
            cabinet_id: values.optional('cabinet_id'),
            comment: values.optional('comment'),
          },
        })
        route(pathOf('return', batch.id))
      }}
    >
      <GoodsOwner />
      <TextField name="comment" label="Комментарий" />
    </OpenedForm>
  )
}
