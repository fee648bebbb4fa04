import type { ComponentChildren } from 'preact'
import type {
  ProductCover,
  ReceiptOfGoods,
  StockItem,
  UnitsInQuestion,
} from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Facts } from '../../ui/facts.tsx'
import { listRefreshMs } from '../../ui/lists/list.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { DayOf, Moment } from '../../ui/moment.tsx'
import { Picture } from '../../ui/picture.tsx'
import { number, plural } from '../../words/format.ts'
import { account } from '../api.ts'
import { AskByApi } from '../parts/copy.tsx'
import { withPictures } from '../parts/of-goods.ts'
import { Badge, Loaded, OneLoaded, Page, Status } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'
import { Curves } from './curves.tsx'
import { movementColumns } from './movements.tsx'
import { movementsTogether } from './movements-together.ts'
import { orderColumns } from './orders.tsx'

const above = { href: paths.stock, title: 'Остатки' }
const panelRefreshMs = 60_000

/** All that the warehouse knows of one product. */
export function ProductPage({ barcode }: { readonly barcode: string }) {
  const path = { barcode }
  const answer = useAnswer(
    `stock ${barcode}`,
    async (signal) => {
      const [item, reasons, cover] = await Promise.all([
        account('GET /stock/{barcode}', { path, signal }),
        account('GET /stock/{barcode}/in-question', { path, signal }),
        account('GET /stock/{barcode}/cover', { path, signal }),
      ])
      const [pictured] = await withPictures([item], signal)
      return { item: { ...item, picture: pictured?.picture }, reasons: reasons.items, cover }
    },
    { refreshMs: listRefreshMs },
  )
  return (
    <OneLoaded answer={answer} title="Товар" missing="Такого товара на складе нет" above={above}>
      {({ item, reasons, cover }) => (
        <Page title={item.name} above={above} actions={<Bring cover={cover} />}>
          <Figures item={item} cover={cover} />
          <Facts
            of={{
              Картинка: item.picture && <Picture src={item.picture} name={item.name} />,
              Штрихкод: <code>{item.barcode}</code>,
              Артикул: item.article,
              Лежит: `${plural(item.boxes, 'короб', 'короба', 'коробов')}, ${plural(item.pallets, 'паллета', 'паллеты', 'паллет')}`,
              Изменён: <Moment at={item.updated_at} />,
            }}
          />
          <p>
            <a href={paths.lotsOf(item.barcode)}>Сроки годности</a>
          </p>
          <Composition barcode={item.barcode} />
          <Curves barcode={item.barcode} usual={30} />
          <div class="pictures">
            <Questions reasons={reasons} />
            <Shown item={item} />
          </div>
          <Orders barcode={item.barcode} />
          <Receipts barcode={item.barcode} />
          <Movements barcode={item.barcode} />
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

/** What a set is made of; goods that are no set have no such section. */
function Composition({ barcode }: OfProduct) {
  const { data } = useAnswer(
    `parts of ${barcode}`,
    (signal) => account('GET /stock/{barcode}/parts', { path: { barcode }, signal }),
    { refreshMs: panelRefreshMs },
  )
  if (data === undefined || !data.is_set) return null
  return (
    <section class="stack">
      <h2>Состав набора</h2>
      <p>
        Из свободных частей выйдет ещё: {number(data.parts_allow ?? 0)}. Собранные заранее уже в
        остатке набора.
      </p>
      <Table
        name="Состав набора"
        rows={data.parts}
        keyOf={(part) => part.barcode}
        href={(part) => paths.stockItem(part.barcode)}
        columns={[
          { title: 'Часть', main: true, cell: ({ name }) => name },
          { title: 'Штрихкод', cell: (part) => <code>{part.barcode}</code> },
          { title: 'В наборе', end: true, cell: ({ quantity }) => number(quantity) },
        ]}
      />
    </section>
  )
}

interface CoverProps {
  readonly cover: ProductCover
}

/** Begins an announcement with what is lacking for the days ahead. */
function Bring({ cover: { barcode, bring, bring_days: days } }: CoverProps) {
  const { session } = useSession()
  if (bring === 0) return null
  const words = `ривезти ${number(bring)} на ${plural(days, 'день', 'дня', 'дней')}`
  return session.receipts_enabled ? (
    <a class="button primary" href={paths.broughtGoods(barcode, bring)}>
      П{words}
    </a>
  ) : (
    <span class="small quiet">Стоит п{words}</span>
  )
}

function Figures({ item, cover }: CoverProps & { readonly item: StockItem }) {
  return (
    <div class="figures">
      <Figure title="Доступно к продаже" value={number(item.available)} />
      <Figure
        title="Хватит на"
        value={cover.days === null ? '—' : plural(cover.days, 'день', 'дня', 'дней')}
      >
        {cover.days === null
          ? 'последние недели не заказывали'
          : `заказывают ${number(cover.a_day)} в день`}
      </Figure>
      <Figure title="На складе" value={number(item.quantity)}>
        {item.in_question > 0 && <Badge tone="warn">под вопросом {number(item.in_question)}</Badge>}
      </Figure>
      <Figure title="В открытых заказах" value={number(item.reserved)} />
    </div>
  )
}

interface FigureProps {
  readonly title: string
  readonly value: string
  readonly children?: ComponentChildren
}

function Figure({ title, value, children }: FigureProps) {
  return (
    <div class="panel figure-card">
      <span class="quiet">{title}</span>
      <strong class="figure">{value}</strong>
      <span class="small quiet">{children}</span>
    </div>
  )
}

function Questions({ reasons }: { readonly reasons: readonly UnitsInQuestion[] }) {
  return (
    <section class="stack">
      <h2>Под вопросом</h2>
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
        empty={<p class="quiet">Таких единиц нет.</p>}
      />
    </section>
  )
}

/** What the marketplaces show, beside what there is. */
function Shown({ item }: { readonly item: StockItem }) {
  return (
    <section class="stack">
      <h2>Что показывают маркетплейсы</h2>
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
        empty={<p class="quiet">Ни один кабинет не показывает этот товар.</p>}
      />
    </section>
  )
}

interface OfProduct {
  readonly barcode: string
}

const ordersShown = 5
const ofOneProduct = ['Товар', 'Артикул', 'Штрихкод']

function Orders({ barcode }: OfProduct) {
  const answer = useAnswer(
    `orders of ${barcode}`,
    (signal) => account('GET /orders', { query: { barcode, limit: ordersShown }, signal }),
    { refreshMs: panelRefreshMs },
  )
  return (
    <section class="stack">
      <h2>Заказы</h2>
      <Loaded answer={answer}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p class="quiet">Этот товар ещё не заказывали.</p>
          ) : (
            <>
              <Table
                name="Заказы"
                rows={items}
                keyOf={({ id }) => id}
                href={({ id }) => paths.order(id)}
                columns={orderColumns.filter(({ title }) => !ofOneProduct.includes(title))}
              />
              <p>
                <a href={paths.ordersOf(barcode)}>Все заказы товара: {number(total)}</a>
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  )
}

const receiptColumns: readonly Column<ReceiptOfGoods>[] = [
  { title: 'Номер', cell: (receipt) => <span class="whole">{receipt.number}</span> },
  {
    title: 'Состояние',
    main: true,
    cell: ({ status, status_label }) => <Status status={status} label={status_label} />,
  },
  { title: 'Заявлено', end: true, cell: ({ expected_qty }) => number(expected_qty) },
  { title: 'Принято', end: true, cell: ({ accepted_qty }) => number(accepted_qty) },
  { title: 'План', cell: ({ planned_date }) => <DayOf at={planned_date} /> },
  { title: 'Создана', cell: ({ created_at }) => <Moment at={created_at} /> },
]

function Receipts({ barcode }: OfProduct) {
  const answer = useAnswer(
    `receipts of ${barcode}`,
    (signal) => account('GET /stock/{barcode}/receipts', { path: { barcode }, signal }),
    { refreshMs: panelRefreshMs },
  )
  return (
    <section class="stack">
      <h2>Приёмки</h2>
      <Loaded answer={answer}>
        {({ items }) => (
          <Table
            name="Приёмки"
            rows={items}
            keyOf={({ id }) => id}
            href={({ id }) => paths.receipt(id)}
            columns={receiptColumns}
            empty={<p class="quiet">Этот товар ещё не привозили.</p>}
          />
        )}
      </Loaded>
    </section>
  )
}

const movementsRead = 100
const movementsShown = 10

function Movements({ barcode }: OfProduct) {
  const answer = useAnswer(
    `movements of ${barcode}`,
    (signal) => account('GET /movements', { query: { barcode, limit: movementsRead }, signal }),
    { refreshMs: panelRefreshMs },
  )
  return (
    <section class="stack">
      <h2>Движения</h2>
      <Loaded answer={answer}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">Движений ещё не было.</p>
          ) : (
            <>
              <Table
                name="Движения"
                rows={movementsTogether(items).slice(0, movementsShown)}
                keyOf={({ id }) => String(id)}
                columns={movementColumns}
              />
              <p>
                <a href={paths.movementsOf(barcode)}>Все движения товара</a>
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  )
}
