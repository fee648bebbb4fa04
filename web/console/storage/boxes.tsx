import { CallError } from '../../api/caller.ts'
import type { Box, Pallet } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Filters, TextFilter } from '../../ui/lists/filters.tsx'
import { List, type PageAsked } from '../../ui/lists/list.tsx'
import { pageSize, placeIn } from '../../ui/lists/list-pages.tsx'
import { saveFile } from '../../ui/lists/save-file.ts'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { number } from '../../words/format.ts'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { pathOf } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { scopeNames } from '../scope/kept.ts'
import { numberOf } from './stored.tsx'

export const boxColumns: readonly Column<Box>[] = [
  { title: 'Короб', cell: (box) => <a href={pathOf('box', box.id)}>{numberOf(box)}</a> },
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

const palletColumns: readonly Column<Pallet>[] = [
  {
    title: 'Паллета',
    cell: (pallet) => <a href={pathOf('pallet', pallet.id)}>{numberOf(pallet)}</a>,
  },
  { title: 'Клиент', cell: ({ client_name: name }) => <span class="name">{name}</span> },
  { title: 'Коробов', cell: ({ boxes_count: count }) => number(count), end: true },
  { title: 'Единиц', cell: ({ units }) => number(units), end: true },
  {
    title: 'Место',
    cell: ({ location_id: id, location_code: code }) =>
      id === null ? '—' : <a href={pathOf('location', id)}>{code}</a>,
  },
  { title: 'Заведена', cell: ({ created_at: at }) => <Moment at={at} /> },
]

const tabs = { boxes: 'Короба', pallets: 'Паллеты' } as const

/** Boxes of all clients, or pallets, and the labels of those on the page. */
export default function Boxes() {
  const { query } = useAddress()
  const tab = query.tab === 'pallets' ? 'pallets' : 'boxes'
  return (
    <div class="stack">
      <Heading title="Короба и паллеты" about="Что в каком коробе и где он стоит">
        {tab === 'boxes' ? <BoxLabels /> : <PalletLabels />}
      </Heading>
      <Tabs name="Короба и паллеты" tabs={tabs} current={tab} shared={scopeNames} />
      {tab === 'boxes' ? <BoxList /> : <PalletList />}
    </div>
  )
}

function useFilter() {
  const { client_id, warehouse_code, barcode } = useAddress().query
  const scope = { client_id, warehouse_code }
  return { ofPallets: scope, ofBoxes: { ...scope, barcode } }
}

/** Managers see all clients and may choose one. */
function OwnClientFilter() {
  return isAtLeast(useSession().user, 'manager') && <ClientFilter />
}

function BoxList() {
  const { ofBoxes: filter } = useFilter()
  return (
    <>
      <Filters>
        <OwnClientFilter />
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
    </>
  )
}

function PalletList() {
  const { ofPallets: filter } = useFilter()
  return (
    <>
      <Filters>
        <OwnClientFilter />
      </Filters>
      <List
        name="Паллеты"
        of={JSON.stringify(filter)}
        columns={palletColumns}
        keyOf={({ id }) => id}
        ask={({ signal, ...page }) =>
          staff('GET /pallets', { query: { ...filter, ...page }, signal })
        }
        files={<ExportLinks list="pallets" filter={filter} />}
        empty="Паллет нет: их заводят на терминале при приёмке или размещении."
      />
    </>
  )
}

function BoxLabels() {
  const { ofBoxes: filter } = useFilter()
  return (
    <Labels
      save={async (page) => {
        const { items } = await staff('GET /boxes', { query: { ...filter, ...page } })
        const boxes = labelled(items)
        saveFile(await staff('POST /labels/boxes', { body: { boxes } }), 'etiketki-korobov.pdf')
      }}
    />
  )
}

function PalletLabels() {
  const { ofPallets: filter } = useFilter()
  return (
    <Labels
      save={async (page) => {
        const { items } = await staff('GET /pallets', { query: { ...filter, ...page } })
        const pallets = labelled(items)
        saveFile(await staff('POST /labels/pallets', { body: { pallets } }), 'etiketki-pallet.pdf')
      }}
    />
  )
}

type PageShown = Pick<PageAsked, 'limit' | 'cursor'>

/** The labels of the rows that the page shows. */
function Labels({ save }: { readonly save: (page: PageShown) => Promise<void> }) {
  const { cursor } = placeIn(useAddress().query.cursor)
  return (
    <ActionButton
      label="Этикетки этой страницы"
      busy="Готовим…"
      act={() => save({ limit: pageSize(), cursor })}
    />
  )
}

/** Those that can have a label. Throws where there are none. */
function labelled(stored: readonly { id: string; sscc: string | null }[]): string[] {
  const ids = stored.filter(({ sscc }) => sscc !== null).map(({ id }) => id)
  if (ids.length > 0) return ids
  throw new CallError('validation_error', 'На этой странице нет ничего с номером для этикетки')
}
