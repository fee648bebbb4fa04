import { CallError } from '../../api/caller.ts'
import type { Box } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAddress } from '../../ui/address.ts'
import { Failure } from '../../ui/failure.tsx'
import { Filters, TextFilter } from '../../ui/filters.tsx'
import { Heading } from '../../ui/heading.tsx'
import { List } from '../../ui/list.tsx'
import { Moment } from '../../ui/moment.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { number } from '../../words/format.ts'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'

export const boxColumns: readonly Column<Box>[] = [
  { title: 'Короб', cell: ({ id, sscc }) => <a href={pathOf('box', id)}>{sscc ?? id}</a> },
  { title: 'Клиент', cell: ({ client_name: name }) => <span class="name">{name}</span> },
  { title: 'Единиц', cell: ({ units }) => number(units), end: true },
  { title: 'Товаров', cell: ({ sku_count: count }) => number(count), end: true },
  {
    title: 'Место',
    cell: ({ location_id: id, location_code: code }) =>
      id === null ? '—' : <a href={pathOf('location', id)}>{code}</a>,
  },
  {
    title: 'Паллета',
    cell: ({ pallet_id: id }) => (id === null ? '—' : <a href={pathOf('pallet', id)}>Открыть</a>),
  },
  { title: 'Заведён', cell: ({ created_at: at }) => <Moment at={at} /> },
]

/** Boxes of all clients, and the labels of those on the page. */
export default function Boxes() {
  const manages = isAtLeast(useSession().user, 'manager')
  const { query } = useAddress()
  const { client_id, barcode } = query
  const filter = { client_id, barcode }
  const cursor = query.cursor
  return (
    <div class="stack">
      <Heading title="Короба" about="Что в каком коробе и где он стоит">
        <ActionButton
          label="Этикетки этой страницы"
          busy="Готовим…"
          act={async () => {
            const shown = await staff('GET /boxes', { query: { ...filter, limit: 50, cursor } })
            const boxes = labelled(shown.items)
            saveFile(await staff('POST /labels/boxes', { body: { boxes } }), 'etiketki-korobov.pdf')
          }}
        />
      </Heading>
      <Filters>
        {manages && <ClientFilter />}
        <TextFilter name="barcode" label="Штрихкод товара" />
      </Filters>
      <List
        name="Короба"
        of={JSON.stringify(filter)}
        columns={boxColumns}
        keyOf={({ id }) => id}
        ask={({ signal, ...page }) =>
          staff('GET /boxes', { query: { ...filter, ...page }, signal })
        }
        files={<ExportLinks list="boxes" filter={filter} />}
        empty="Коробов нет: их заводят на терминале при приёмке или размещении."
      />
      <Pallets />
    </div>
  )
}

/** Those that can have a label. Throws where there are none. */
function labelled(stored: readonly { id: string; sscc: string | null }[]): string[] {
  const ids = stored.filter(({ sscc }) => sscc !== null).map(({ id }) => id)
  if (ids.length > 0) return ids
  throw new CallError('validation_error', 'На этой странице нет ничего с номером для этикетки')
}

/** The newest pallets; a filter of the address narrows them too. */
function Pallets() {
  const { client_id } = useAddress().query
  const { data, error, reload } = useAnswer(`pallets ${client_id ?? ''}`, (signal) =>
    staff('GET /pallets', { query: { client_id, limit: 50 }, signal }),
  )
  if (data === undefined || data.items.length === 0) return <Failure error={error} retry={reload} />
  return (
    <>
      <div class="row">
        <h2>Паллеты</h2>
        <ActionButton
          label="Этикетки этих паллет"
          busy="Готовим…"
          act={async () => {
            const pallets = labelled(data.items)
            saveFile(
              await staff('POST /labels/pallets', { body: { pallets } }),
              'etiketki-pallet.pdf',
            )
          }}
        />
      </div>
      <div class="stack list">
        <Table
          name="Паллеты"
          rows={data.items}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Паллета',
              cell: ({ id, sscc }) => <a href={pathOf('pallet', id)}>{sscc ?? id}</a>,
            },
            { title: 'Клиент', cell: ({ client_name: name }) => <span class="name">{name}</span> },
            { title: 'Коробов', cell: ({ boxes_count: count }) => number(count), end: true },
            { title: 'Единиц', cell: ({ units }) => number(units), end: true },
            { title: 'Место', cell: ({ location_code: code }) => code ?? '—' },
          ]}
        />
        <div class="list-foot">
          <ExportLinks list="pallets" filter={{ client_id }} />
        </div>
      </div>
    </>
  )
}
