import type { StockItem } from '../../api/account-calls.ts'
import { queryOf } from '../../api/caller.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { ExportFiles } from '../../ui/export-files.tsx'
import { Picture, Thumbnail } from '../../ui/picture.tsx'
import { number, plural } from '../../words/format.ts'
import { account } from '../api.ts'
import { useFilters } from '../parts/address.ts'
import { AskByApi } from '../parts/copy.tsx'
import { Choice, Filters, Search } from '../parts/filters.tsx'
import { type Column, List, listRefreshMs, Table } from '../parts/list.tsx'
import { Moment } from '../parts/moment.tsx'
import { Badge, Facts, Long, OneLoaded, Page } from '../parts/page.tsx'
import { withPictures } from '../parts/pictures.ts'
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
  { title: 'Доступно', isNumber: true, cell: ({ available }) => number(available) },
  { title: 'На складе', isNumber: true, cell: ({ quantity }) => number(quantity) },
  {
    title: 'Под вопросом',
    isNumber: true,
    cell: ({ in_question: units }) =>
      units === 0 ? '0' : <Badge tone="warn">{number(units)}</Badge>,
  },
  { title: 'В WB', isNumber: true, cell: (item) => <Shown item={item} marketplace="WB" /> },
  { title: 'В OZON', isNumber: true, cell: (item) => <Shown item={item} marketplace="OZON" /> },
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
  readonly search?: string
  readonly selection?: 'shows_more' | 'in_question'
}

export function Stock() {
  const { filters } = useFilters()
  const { search = '', show } = filters
  const view = show === 'more' || show === 'question' ? views[show] : undefined
  const asked: StockQuery = {
    ...(search !== '' && { search }),
    ...(view !== undefined && { selection: view.selection }),
  }
  const query = new URLSearchParams({ ...asked }).toString()
  return (
    <Page title="Остатки" actions={<Export asked={asked} />}>
      <Filters names={['search', 'show']}>
        <Search name="search" label="Название или артикул" />
        <Choice name="show" label="Показать" options={viewTitles} />
      </Filters>
      <List
        listKey={`stock ${query}`}
        caption={view?.title ?? 'Остатки'}
        columns={columns}
        keyOf={({ barcode }) => barcode}
        href={({ barcode }) => paths.stockItem(barcode)}
        ask={async (page, signal) => {
          const answer = await account('GET /stock', { query: { ...asked, ...page }, signal })
          return { ...answer, items: await withPictures(answer.items, signal) }
        }}
        empty={<Nothing asked={asked} />}
      />
      <AskByApi paths={[`/stock${query === '' ? '' : `?${query}`}`]} />
    </Page>
  )
}

function Export({ asked }: { readonly asked: StockQuery }) {
  return (
    <>
      <span class="quiet">Выгрузить</span>
      <ExportFiles
        name="остатки"
        hrefOf={(format) => `/account/v1/exports/stock${queryOf({ ...asked, format })}`}
        read={(format, given) =>
          account('GET /exports/stock', { query: { ...asked, format }, ...given })
        }
      />
    </>
  )
}

function Nothing({ asked: { search, selection } }: { readonly asked: StockQuery }) {
  const { session } = useSession()
  if (search !== undefined) return <p>Ничего не нашлось: проверьте название или артикул.</p>
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

const above = { href: paths.stock, title: 'Остатки' }

export function StockItemPage({ barcode }: { readonly barcode: string }) {
  const path = { barcode }
  const answer = useAnswer(
    `stock ${barcode}`,
    async (signal) => {
      const [item, reasons] = await Promise.all([
        account('GET /stock/{barcode}', { path, signal }),
        account('GET /stock/{barcode}/in-question', { path, signal }),
      ])
      const [pictured] = await withPictures([item], signal)
      return { item: { ...item, picture: pictured?.picture }, reasons: reasons.items }
    },
    { refreshMs: listRefreshMs },
  )
  return (
    <OneLoaded answer={answer} title="Товар" missing="Такого товара на складе нет" above={above}>
      {({ item, reasons }) => (
        <Page title={item.name} above={above}>
          <Facts
            facts={[
              [
                'Картинка',
                item.picture && <Picture key="picture" src={item.picture} name={item.name} />,
              ],
              ['Штрихкод', <code key="barcode">{item.barcode}</code>],
              ['Артикул', item.article],
              ['На складе', number(item.quantity)],
              ['Доступно к продаже', number(item.available)],
              ['Под вопросом', number(item.in_question)],
              ['В открытых заказах', number(item.reserved)],
              [
                'Лежит',
                `${plural(item.boxes, 'короб', 'короба', 'коробов')}, ${plural(item.pallets, 'паллета', 'паллеты', 'паллет')}`,
              ],
              ['Изменён', <Moment key="at" at={item.updated_at} />],
            ]}
          />
          <h2>Под вопросом</h2>
          {reasons.length === 0 ? (
            <p class="quiet">Таких единиц нет.</p>
          ) : (
            <Table
              caption="Под вопросом"
              rows={reasons}
              keyOf={({ reason, since }) => reason + since}
              columns={[
                { title: 'Причина', cell: ({ label }) => label },
                { title: 'Единиц', isNumber: true, cell: ({ units }) => number(units) },
                { title: 'С какого времени', cell: ({ since }) => <Moment at={since} /> },
                {
                  title: 'Приёмка',
                  cell: ({ receipt_id: id }) =>
                    id === undefined ? '—' : <a href={paths.receipt(id)}>Открыть</a>,
                },
              ]}
            />
          )}
          <h2>Что показывают маркетплейсы</h2>
          {item.marketplace_stock.length === 0 ? (
            <p class="quiet">Ни один кабинет не показывает этот товар.</p>
          ) : (
            <Table
              caption="Что показывают маркетплейсы"
              rows={item.marketplace_stock}
              keyOf={({ marketplace, warehouse_id }) => `${marketplace} ${warehouse_id}`}
              columns={[
                { title: 'Маркетплейс', cell: ({ marketplace }) => marketplace },
                { title: 'Склад', cell: ({ warehouse_name }) => warehouse_name ?? '—' },
                { title: 'Единиц', isNumber: true, cell: ({ quantity }) => number(quantity) },
                { title: 'По данным на', cell: ({ synced_at }) => <Moment at={synced_at} /> },
              ]}
            />
          )}
          <AskByApi
            paths={['', '/in-question'].map(
              (part) => `/stock/${encodeURIComponent(item.barcode)}${part}`,
            )}
          />
        </Page>
      )}
    </OneLoaded>
  )
}
