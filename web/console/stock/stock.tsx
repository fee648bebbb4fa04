import type { StaffStockItem } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Beside, Heading } from '../../ui/heading.tsx'
import { Filters, TextFilter } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Picture } from '../../ui/picture.tsx'
import { number } from '../../words/format.ts'
import { ChooseClient, useChosenClient } from '../parts/choose-client.tsx'
import { ClientFilter } from '../parts/client-filter.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { listOf, paths } from '../paths.ts'
import { GoodsLabels } from './goods-labels.tsx'
import { type StockChange, StockForm, stockChanges } from './stock-form.tsx'
import { WhereItLies } from './where-it-lies.tsx'

export default function Stock() {
  const { query, path } = useAddress()
  const { barcode, search, form, of } = query
  const client = useChosenClient()
  return (
    <div class="stack">
      <Heading title="Остатки" about="Сколько чего лежит, можно продавать и стоит под вопросом">
        {client !== undefined && (
          <a class="button" href={listOf(paths.movements, { client_id: client })}>
            Движения
          </a>
        )}
      </Heading>
      <Beside form={client !== undefined && of !== undefined && sideOf(client, of, form)}>
        <Filters>
          <ClientFilter />
          <TextFilter name="search" label="Название или артикул" />
          <TextFilter name="barcode" label="Штрихкод" />
        </Filters>
        {client === undefined ? (
          <ChooseClient what="Чьи товары показать?" />
        ) : (
          <List
            name="Остатки"
            of={`${path} ${client} ${barcode ?? ''} ${search ?? ''}`}
            version={form ?? ''}
            columns={columns}
            keyOf={(item) => item.barcode}
            ask={({ signal, ...page }) =>
              staff('GET /clients/{id}/stock', {
                path: { id: client },
                query: { barcode, search, ...page },
                signal,
              })
            }
            files={<ExportLinks list="stock" filter={{ client_id: client, barcode, search }} />}
            empty="Таких товаров у клиента нет. Сбросьте фильтры или примите первую поставку."
          />
        )}
      </Beside>
    </div>
  )
}

const columns: readonly Column<StaffStockItem>[] = [
  {
    title: 'Товар',
    cell: (item) => (
      <div class="pictured">
        <Picture src={item.picture} name={item.name} />
        <div>
          <GoodsLink item={item} />
          <div class="small quiet">
            <code>{item.barcode}</code> {item.article}
          </div>
        </div>
      </div>
    ),
  },
  { title: 'Остаток', end: true, cell: ({ quantity }) => number(quantity) },
  { title: 'Можно продавать', end: true, cell: ({ available }) => number(available) },
  { title: 'Под вопросом', end: true, cell: (item) => <Question item={item} /> },
  { title: 'В резерве', end: true, cell: ({ reserved }) => number(reserved) },
  { title: 'На маркетплейсах', end: true, cell: (item) => <Shown item={item} /> },
  { title: 'Коробов', end: true, cell: ({ boxes }) => number(boxes) },
  { title: 'Изменился', cell: ({ updated_at: at }) => <Moment at={at} /> },
]

function GoodsLink({ item }: { readonly item: StaffStockItem }) {
  const { hrefWith } = useAddress()
  return (
    <a class="name" href={hrefWith({ form: undefined, of: item.barcode })}>
      {item.name}
    </a>
  )
}

function Question({ item }: { readonly item: StaffStockItem }) {
  const { hrefWith } = useAddress()
  if (item.in_question === 0) return <span class="quiet">0</span>
  return <a href={hrefWith({ form: 'resolve', of: item.barcode })}>{number(item.in_question)}</a>
}

/** A marketplace that sells more than there is needs an answer. */
function Shown({ item }: { readonly item: StaffStockItem }) {
  return (
    <>
      {item.marketplace_stock.map(({ marketplace, quantity }) => (
        <div key={marketplace} class={quantity > item.available ? 'problem' : undefined}>
          {marketplace} {number(quantity)}
        </div>
      ))}
    </>
  )
}

function sideOf(client: string, barcode: string, form: string | undefined) {
  const change = Object.keys(stockChanges).find((each) => each === form)
  if (change !== undefined) {
    return (
      <StockForm
        key={`${change} ${barcode}`}
        change={change as StockChange}
        clientId={client}
        barcode={barcode}
      />
    )
  }
  if (form === 'labels') {
    return <GoodsLabels key={barcode} clientId={client} barcode={barcode} />
  }
  return <WhereItLies key={barcode} clientId={client} barcode={barcode} />
}
