import { useState } from 'preact/hooks'
import { allowsReceiptVerb, receiptStatuses } from '../../../src/warehouse/receipts/state.ts'
import type { GoodsFileCheck, StaffReceipt } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import type { BulkAction } from '../../ui/lists/bulk.tsx'
import {
  ChoiceFilter,
  DaysFilter,
  Filters,
  MoreFilters,
  oneOf,
  TextFilter,
} from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { periodOf } from '../../ui/lists/period.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number, plural } from '../../words/format.ts'
import { receiptTones, receiptWords } from '../../words/statuses.ts'
import { ClientFilter, clientColumn } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import type { SortOf } from '../parts/sort-of.ts'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { FileReceipt } from './file-receipt.tsx'
import { GoodsFileTable } from './goods-file-table.tsx'
import { NewReceipt } from './new-receipt.tsx'

const columns: readonly Column<StaffReceipt, SortOf<'GET /receipts'>>[] = [
  {
    title: 'Приёмка',
    cell: ({ id, number: name, external_ref: ref }) => (
      <>
        <a href={pathOf('receipt', id)}>{name}</a>
        {ref && <div class="small quiet name">{ref}</div>}
      </>
    ),
  },
  clientColumn,
  {
    title: 'Состояние',
    sort: 'status',
    main: true,
    cell: ({ status }) => <Badge tone={receiptTones[status]} word={receiptWords[status]} />,
  },
  {
    title: 'Принято',
    end: true,
    cell: ({ expected_qty: expected, accepted_qty: accepted }) =>
      `${number(accepted)} из ${number(expected)}`,
  },
  {
    title: 'Расхождение',
    end: true,
    cell: ({ short_qty: short, surplus_qty: surplus }) => (
      <>
        {short > 0 && <b class="problem">−{number(short)}</b>}
        {short > 0 && surplus > 0 && ' '}
        {surplus > 0 && <b>+{number(surplus)}</b>}
        {short + surplus === 0 && '0'}
      </>
    ),
  },
  { title: 'Ждут', sort: 'planned', cell: ({ planned_date: at }) => at && <Moment at={at} /> },
  { title: 'Создана', sort: '-created', cell: ({ created_at: at }) => <Moment at={at} /> },
]

const confirmAll: BulkAction<StaffReceipt> = {
  label: 'Подтвердить',
  question: (count) => `Подтвердить ${plural(count, 'заявку', 'заявки', 'заявок')}?`,
  consequence: 'Склад увидит их и будет ждать товар, продавцы узнают о подтверждении.',
  titleOf: ({ number: name }) => name,
  because: ({ status }) =>
    allowsReceiptVerb(status, 'confirm')
      ? undefined
      : 'Среди выбранных нет заявок, которые ждут подтверждения',
  act: ({ id, version }) =>
    staff('POST /receipts/{id}/confirm', { path: { id }, body: { version } }),
}

export default function Receipts() {
  const { user } = useSession()
  const { query, hrefWith } = useAddress()
  const manages = isAtLeast(user, 'manager')
  const [checked, setChecked] = useState<GoodsFileCheck>()
  const isFromFile = manages && query.form === 'file'
  return (
    <div class="stack">
      <Heading title="Приёмки">
        {manages && (
          <>
            <a class="button" href={hrefWith({ form: 'file' })}>
              Из файла
            </a>
            <a class="button primary" href={hrefWith({ form: 'new' })}>
              Завести приёмку
            </a>
          </>
        )}
      </Heading>
      {isFromFile ? (
        <Beside form={<FileReceipt onChecked={setChecked} />}>
          <GoodsFileTable check={checked} />
        </Beside>
      ) : (
        <Beside form={manages && query.form === 'new' && <NewReceipt />}>
          <ReceiptFilters />
          <ReceiptList manages={manages} />
        </Beside>
      )}
    </div>
  )
}

function ReceiptFilters() {
  const { user } = useSession()
  return (
    <Filters>
      <TextFilter name="number" label="Номер приёмки" />
      {isAtLeast(user, 'manager') && <ClientFilter />}
      <ChoiceFilter name="status" label="Состояние" options={receiptWords} />
      <MoreFilters>
        <ChoiceFilter
          name="approval"
          label="Без документа"
          options={{ waiting: 'Ждут одобрения', approved: 'Одобрены' }}
        />
        <DaysFilter names={['from', 'to']} label="Созданы с" />
      </MoreFilters>
    </Filters>
  )
}

function ReceiptList({ manages }: { readonly manages: boolean }) {
  const { query } = useAddress()
  const filter = {
    client_id: query.client_id,
    warehouse_code: query.warehouse_code,
    number: query.number,
    status: oneOf(query.status, receiptStatuses),
    approval: oneOf(query.approval, ['waiting', 'approved']),
    ...periodOf(query),
  }
  return (
    <List
      order="-created"
      name="Приёмки"
      of={JSON.stringify(filter)}
      columns={columns}
      keyOf={({ id }) => id}
      bulk={manages ? [confirmAll] : undefined}
      ask={({ signal, ...page }) =>
        staff('GET /receipts', { query: { ...filter, ...page }, signal })
      }
      files={<ExportLinks list="receipts" filter={filter} />}
      empty="Приёмок не нашли. Сбросьте фильтры или заведите приёмку: кнопка справа вверху."
    />
  )
}
