import type { StockItem } from '../../api/account-calls.ts'
import { queryOf } from '../../api/caller.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useAddress } from '../../ui/address.ts'
import { ExportFiles } from '../../ui/export-files.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../ui/filters.tsx'
import { List, listRefreshMs } from '../../ui/list.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Picture, Thumbnail } from '../../ui/picture.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { number, plural } from '../../words/format.ts'
import { account } from '../api.ts'
import { AskByApi } from '../parts/copy.tsx'
import { Badge, Facts, Long, OneLoaded, Page } from '../parts/page.tsx'
import { withPictures } from '../parts/pictures.ts'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'
import { Curves } from './curves.tsx'

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
    <Page title="Остатки" actions={<Export asked={asked} />}>
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
          <Curves barcode={item.barcode} usual={30} />
          <h2>Под вопросом</h2>
          {reasons.length === 0 ? (
            <p class="quiet">Таких единиц нет.</p>
          ) : (
            <Table
              name="Под вопросом"
              rows={reasons}
              keyOf={({ reason, since }) => reason + since}
              columns={[
                { title: 'Причина', cell: ({ label }) => label },
                { title: 'Единиц', end: true, cell: ({ units }) => number(units) },
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
              name="Что показывают маркетплейсы"
              rows={item.marketplace_stock}
              keyOf={({ marketplace, warehouse_id }) => `${marketplace} ${warehouse_id}`}
              columns={[
                { title: 'Маркетплейс', cell: ({ marketplace }) => marketplace },
                { title: 'Склад', cell: ({ warehouse_name }) => warehouse_name ?? '—' },
                { title: 'Единиц', end: true, cell: ({ quantity }) => number(quantity) },
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
