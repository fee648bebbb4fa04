import type { StockItem } from '../../api/account-calls.ts'
import { useAddress } from '../../ui/address.ts'
import { ChoiceFilter, Filters, TextFilter } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Thumbnail } from '../../ui/picture.tsx'
import { number } from '../../words/format.ts'
import { account } from '../api.ts'
import { AskByApi } from '../parts/copy.tsx'
import { ListFiles } from '../parts/list-files.tsx'
import { withPictures } from '../parts/of-goods.ts'
import { Badge, Long, Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'

/** Of one marketplace, over its warehouses. */
function shownAt(item: StockItem, marketplace: 'WB' | 'OZON'): number | undefined {
  const figures = item.marketplace_stock.filter((each) => each.marketplace === marketplace)
  return figures.length === 0 ? undefined : figures.reduce((sum, { quantity }) => sum + quantity, 0)
}

type PicturedItem = StockItem & { readonly picture?: string | undefined }

const columns: readonly Column<PicturedItem>[] = [
  {
    title: 'Товар',
    cell: ({ name, picture }) => (
      <span class="pictured">
        <Thumbnail src={picture} name="" keepsPlace />
        <Long text={name} />
      </span>
    ),
  },
  { title: 'Доступно', end: true, cell: ({ available }) => number(available) },
  { title: 'На складе', end: true, cell: ({ quantity }) => number(quantity) },
  {
    title: 'Под вопросом',
    end: true,
    cell: ({ in_question: units }) =>
      units === 0 ? '0' : <Badge tone="warn">{number(units)}</Badge>,
  },
  { title: 'В WB', end: true, cell: (item) => <Shown item={item} marketplace="WB" /> },
  { title: 'В OZON', end: true, cell: (item) => <Shown item={item} marketplace="OZON" /> },
  { title: 'Артикул', cell: ({ article }) => <Long text={article} /> },
  { title: 'Штрихкод', cell: ({ barcode }) => <code>{barcode}</code> },
]

function Shown({
  item,
  marketplace,
}: {
  readonly item: StockItem
  readonly marketplace: 'WB' | 'OZON'
}) {
  const units = shownAt(item, marketplace)
  if (units === undefined) return <>—</>
  return units > item.available ? <Badge tone="bad">{number(units)}</Badge> : number(units)
}

const views = {
  more: { title: 'Маркетплейс показывает больше, чем есть', selection: 'shows_more' },
  question: { title: 'Есть под вопросом', selection: 'in_question' },
} as const

const viewTitles = { more: views.more.title, question: views.question.title }

interface StockQuery {
  readonly words?: string
  readonly selection?: 'shows_more' | 'in_question'
}

export function Stock() {
  const { query: filters } = useAddress()
  const { search = '', show } = filters
  const view = show === 'more' || show === 'question' ? views[show] : undefined
  const asked: StockQuery = {
    ...(search !== '' && { words: search }),
    ...(view !== undefined && { selection: view.selection }),
  }
  const query = new URLSearchParams({ ...asked }).toString()
  return (
    <Page title="Остатки">
      <Filters>
        <TextFilter name="search" label="Название, артикул или штрихкод" />
        <ChoiceFilter name="show" label="Показать" options={viewTitles} />
      </Filters>
      <List
        of={`stock ${query}`}
        name={view?.title ?? 'Остатки'}
        columns={columns}
        keyOf={({ barcode }) => barcode}
        href={({ barcode }) => paths.stockItem(barcode)}
        ask={async ({ signal, ...page }) => {
          const answer = await account('GET /stock', { query: { ...asked, ...page }, signal })
          return { ...answer, items: await withPictures(answer.items, signal) }
        }}
        files={<ListFiles list="stock" filter={asked} />}
        empty={<Nothing asked={asked} />}
      />
      <AskByApi paths={[`/stock${query === '' ? '' : `?${query}`}`]} />
    </Page>
  )
}

function Nothing({ asked: { words, selection } }: { readonly asked: StockQuery }) {
  const { session } = useSession()
  if (words !== undefined) return <p>Ничего не нашлось: попробуйте часть названия.</p>
  if (selection !== undefined) return <p>Таких товаров нет.</p>
  return (
    <>
      <p>Товаров ещё нет.</p>
      {session.receipts_enabled && (
        <p>
          <a href={paths.newReceipt}>Заявите первую поставку</a>
        </p>
      )}
    </>
  )
}
