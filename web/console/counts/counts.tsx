import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { countStatuses } from '../../../src/warehouse/counts/state.ts'
import type { StockCount } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Check, type FormValues, TextField } from '../../ui/forms/form.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, DaysFilter, Filters, oneOf } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { periodOf } from '../../ui/lists/period.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { number, plural } from '../../words/format.ts'
import { countWords } from '../../words/statuses.ts'
import { ClientFilter, clientColumn } from '../parts/client-filter.tsx'
import { ClientPicker } from '../parts/client-picker.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import type { SortOf } from '../parts/sort-of.ts'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { CountState, isCompared } from './count-state.tsx'

const columns: readonly Column<StockCount, SortOf<'GET /counts'>>[] = [
  {
    title: 'Пересчёт',
    cell: (count) => <a href={pathOf('count', count.id)}>{scopeWords(count)}</a>,
  },
  clientColumn,
  {
    title: 'Состояние',
    sort: 'status',
    main: true,
    cell: (count) => <CountState of={count} />,
  },
  { title: 'Товаров', end: true, cell: ({ goods_count: count }) => number(count) },
  { title: 'Единиц', end: true, cell: ({ units }) => number(units) },
  {
    title: 'Расходится',
    end: true,
    cell: (count) => (isCompared(count) ? number(count.differing ?? 0) : '—'),
  },
  {
    title: 'Не решено',
    end: true,
    cell: (count) => (isCompared(count) ? number(count.undecided ?? 0) : '—'),
  },
  { title: 'Заведён', sort: '-created', cell: ({ created_at: at }) => <Moment at={at} /> },
]

/** What is counted, in words. */
export function scopeWords({ scope }: StockCount): string {
  const parts = [
    scope.barcodes.length > 0 && plural(scope.barcodes.length, 'товар', 'товара', 'товаров'),
    scope.box_ids.length > 0 && plural(scope.box_ids.length, 'короб', 'короба', 'коробов'),
    scope.location_ids.length > 0 && plural(scope.location_ids.length, 'место', 'места', 'мест'),
  ].filter(Boolean)
  return parts.length === 0 ? 'Все товары' : parts.join(', ')
}

export default function Counts() {
  const manages = isAtLeast(useSession().user, 'manager')
  const { query, hrefWith } = useAddress()
  const filter = {
    client_id: query.client_id,
    warehouse_code: query.warehouse_code,
    status: oneOf(query.status, countStatuses),
    ...periodOf(query),
  }
  return (
    <div class="stack">
      <Heading title="Пересчёты">
        {manages && (
          <a class="button primary" href={hrefWith({ form: 'new' })}>
            Завести пересчёт
          </a>
        )}
      </Heading>
      <Beside form={manages && query.form === 'new' && <NewCount />}>
        <Filters>
          {manages && <ClientFilter />}
          <ChoiceFilter name="status" label="Состояние" options={countWords} />
          <DaysFilter names={['from', 'to']} label="Заведены с" />
        </Filters>
        <List
          order="-created"
          name="Пересчёты"
          of={JSON.stringify(filter)}
          columns={columns}
          keyOf={({ id }) => id}
          ask={({ signal, ...page }) =>
            staff('GET /counts', { query: { ...filter, ...page }, signal })
          }
          files={<ExportLinks list="counts" filter={filter} />}
          empty="Пересчётов не нашли. Сбросьте фильтры или начните пересчёт: кнопка справа вверху."
        />
      </Beside>
    </div>
  )
}

function NewCount() {
  const { route } = useLocation()
  const { query } = useAddress()
  const [client, setClient] = useState(query.client_id)
  return (
    <OpenedForm
      title="Новый пересчёт"
      submit="Завести"
      act={async (values) => {
        const count = await staff('POST /counts', {
          body: {
            client_id: client,
            scope: {
              barcodes: listed(values, 'scope.barcodes'),
              boxes: listed(values, 'scope.boxes'),
              locations: listed(values, 'scope.locations'),
            },
            blind: values.isChecked('blind'),
            for_client: values.isChecked('for_client'),
          },
        })
        route(pathOf('count', count.id))
      }}
    >
      <ClientPicker name="client_id" label="Чьи товары" clientId={client} onPick={setClient} />
      <p class="small quiet">Оставьте поля пустыми, чтобы посчитать все товары клиента.</p>
      <TextField name="scope.barcodes" label="Штрихкоды" hint="Через пробел или запятую" />
      <TextField name="scope.boxes" label="Короба" hint="Номера с этикеток" />
      <TextField name="scope.locations" label="Места" hint="Коды мест, с коробами на них" />
      <Check name="blind" label="Работники не видят, сколько числится" checked />
      <Check name="for_client" label="Клиент попросил: посчитанное начислить ему" />
    </OpenedForm>
  )
}

function listed(values: FormValues, name: string): string[] | undefined {
  const codes = values
    .text(name)
    .split(/[\s,;]+/)
    .filter((code) => code !== '')
  return codes.length === 0 ? undefined : codes
}
