import type { FastifyRequest } from 'fastify'
import type { ExportColumn, ExportRow } from '../../../../documents/exports/table.ts'
import { actorNames } from '../../../../identity/staff/actor-names.ts'
import type { Database } from '../../../../platform/db/connection.ts'
import { allPages, type Page, type PageRequest } from '../../../../platform/db/page.ts'
import type { Instant } from '../../../../platform/kernel/moscow-time.ts'
import { listProducts } from '../../../../warehouse/catalogue/products.ts'
import { cabinetNames } from '../../../../warehouse/clients/cabinet-queries.ts'
import { listCounts } from '../../../../warehouse/counts/queries.ts'
import { listOrdersOfAll } from '../../../../warehouse/orders/staff-queries.ts'
import { listMisses } from '../../../../warehouse/picking/miss-queries.ts'
import { listReceiptsOfAll } from '../../../../warehouse/receipts/staff-queries.ts'
import { listReturnBatches } from '../../../../warehouse/returns/batch-queries.ts'
import { listShipmentsOfAll } from '../../../../warehouse/shipments/staff-queries.ts'
import type { MovementKind } from '../../../../warehouse/stock/ledger.ts'
import { listMovements } from '../../../../warehouse/stock/movements.ts'
import { listStock } from '../../../../warehouse/stock/queries.ts'
import { stockCells, stockColumns } from '../../../files/stock-table.ts'
import type { Query } from '../../../route/query.ts'
import { countsQuery, readerOf } from '../counts/counts.ts'
import { productQuery } from '../goods/products.ts'
import { movementsQuery, staffStockQuery } from '../goods/stock.ts'
import { atStage, staffOrdersQuery } from '../orders/order-schemas.ts'
import { missesQuery } from '../picking/misses.ts'
import { receiptsQuery, viewerOf } from '../receipts/receipts.ts'
import { returnsQuery } from '../returns/returns.ts'
import { staffShipmentsQuery } from '../shipments/shipment-schemas.ts'

/** The lists that managers export: what they read, and what stands in their columns. */

export interface ExportedList {
  readonly title: string
  readonly query: Query<object>
  readonly columns: readonly ExportColumn[]
  /** The rows of one client, in batches; `filter` is what `query` parsed. */
  readonly batches: (
    source: ExportSource,
    filter: object,
    client: ExportedClient,
  ) => AsyncGenerator<readonly ExportRow[]>
}

export interface ExportSource {
  readonly db: Database
  readonly request: FastifyRequest
  readonly now: Instant
}

export interface ExportedClient {
  readonly id: string
  readonly name: string
}

interface ReadClient extends ExportedClient {
  readonly cabinetOf: (id: string | null) => string
}

/** A list with the types of its filter and items. */
interface ListSpec<Values extends object, Item> {
  readonly title: string
  readonly query: Query<Values>
  readonly columns: readonly ExportColumn[]
  readonly read: (
    source: ExportSource,
    filter: Filter<Values>,
    clientId: string,
    page: PageRequest,
  ) => Promise<Page<Item>>
  readonly rows: (
    items: readonly Item[],
    client: ReadClient,
    db: Database,
  ) => readonly ExportRow[] | Promise<readonly ExportRow[]>
}
type Filter<Values> = Omit<Values, 'limit' | 'cursor' | 'client_id' | 'warehouse_code' | 'sort'>

function exportedList<Values extends object, Item>(spec: ListSpec<Values, Item>): ExportedList {
  return {
    ...spec,
    async *batches(source, given, { id, name }) {
      const {
        limit: _,
        cursor: __,
        client_id: ___,
        warehouse_code: ____,
        sort: _____,
        ...filter
      } = given as {
        limit?: unknown
        cursor?: unknown
        client_id?: unknown
        warehouse_code?: unknown
        sort?: unknown
      }
      const cabinets = await cabinetNames(source.db, id)
      const cabinetOf = (cabinet: string | null) => cabinets.get(cabinet ?? '') ?? ''
      const read = (page: PageRequest) => spec.read(source, filter as Filter<Values>, id, page)
      for await (const items of allPages(read)) {
        yield await spec.rows(items, { id, name, cabinetOf }, source.db)
      }
    },
  }
}

const text = (title: string): ExportColumn => ({ title, kind: 'text' })
const number = (title: string): ExportColumn => ({ title, kind: 'number' })
const moment = (title: string): ExportColumn => ({ title, kind: 'moment' })
const client = text('Клиент')
const cabinet = text('Кабинет')
const marketplace = text('Маркетплейс')

const stock = exportedList({
  title: 'Остатки',
  query: staffStockQuery,
  columns: [client, ...stockColumns],
  read: ({ db }, { barcode, search, selection }, clientId, page) =>
    listStock(
      db,
      clientId,
      { barcode, search: undefined, words: search || undefined, selection },
      page,
    ),
  rows: (items, { name }) => items.map((item) => [name, ...stockCells(item)]),
})

const orders = exportedList({
  title: 'Заказы',
  query: staffOrdersQuery,
  columns: [
    ...[client, cabinet, marketplace, text('Заказ'), text('Статус'), moment('Создан')],
    ...[moment('Срок передачи'), text('Отгрузка'), moment('Собран'), text('Штрихкод')],
    ...[text('Артикул'), number('Количество'), number('Собрано'), text('Причина отмены')],
  ],
  read: ({ db, now }, asked, client_id, page) =>
    listOrdersOfAll(db, { ...atStage(asked, now), client_id }, page),
  rows: (items, { name, cabinetOf }) =>
    items.flatMap((order) => {
      const lines = order.lines.length > 0 ? order.lines : [undefined]
      return lines.map((line) => [
        ...[name, cabinetOf(order.cabinet_id), order.marketplace, order.external_id],
        ...[order.status_label, order.created_at, order.deadline, order.shipment_external_id],
        ...[order.packed_at, line?.barcode ?? null, line?.article ?? null, line?.qty ?? null],
        ...[line?.picked ?? null, order.cancel_reason ?? null],
      ])
    }),
})

const receipts = exportedList({
  title: 'Приёмки',
  query: receiptsQuery,
  columns: [
    ...[client, cabinet, text('Приёмка'), text('Документ продавца'), text('Состояние')],
    ...[moment('Создана'), moment('Завершена'), number('Заявлено'), number('Принято')],
    ...[number('Не хватает'), text('Комментарий')],
  ],
  read: ({ db, request }, filter, client_id, page) =>
    listReceiptsOfAll(db, { ...filter, client_id }, viewerOf(request), page),
  rows: (items, { name, cabinetOf }) =>
    items.map((receipt) => [
      ...[name, cabinetOf(receipt.cabinet_id), receipt.number, receipt.external_ref ?? null],
      ...[receipt.status_label, receipt.created_at, receipt.completed_at, receipt.expected_qty],
      ...[receipt.accepted_qty, receipt.discrepancy_qty, receipt.comment ?? null],
    ]),
})

const shipments = exportedList({
  title: 'Отгрузки',
  query: staffShipmentsQuery,
  columns: [
    ...[client, cabinet, marketplace, text('Отгрузка'), text('Название'), text('Состояние')],
    ...[number('Заказов'), moment('Открыта'), moment('Срок'), moment('Закрыта')],
    ...[moment('Принята'), number('Увезено сверх остатка')],
  ],
  read: ({ db }, filter, client_id, page) => listShipmentsOfAll(db, { ...filter, client_id }, page),
  rows: (items, { name, cabinetOf }) =>
    items.map((shipment) => [
      ...[name, cabinetOf(shipment.cabinet_id), shipment.marketplace, shipment.external_id],
      ...[shipment.name ?? null, shipment.status_label, shipment.orders_count],
      ...[shipment.created_at, shipment.deadline, shipment.closed_at, shipment.accepted_at],
      shipment.shortage_units,
    ]),
})

const movementNames: Readonly<Record<MovementKind, string>> = {
  acceptance: 'Приёмка',
  shipment: 'Отгрузка',
  return: 'Возврат',
  correction: 'Корректировка',
  write_off: 'Списание',
  question: 'Под вопрос',
}

const movements = exportedList({
  title: 'Движения',
  query: movementsQuery,
  columns: [
    ...[client, number('Номер'), moment('Когда'), text('Вид'), text('Штрихкод'), text('Товар')],
    ...[number('Единиц'), number('Под вопрос'), text('Причина'), text('Комментарий'), text('Кто')],
  ],
  read: ({ db }, filter, client_id, page) => listMovements(db, { ...filter, client_id }, page),
  rows: async (items, { name }, db) => {
    const nameOf = await actorNames(
      db,
      items.map(({ actor }) => actor),
    )
    return items.map((item) => [
      ...[name, item.id, item.time, movementNames[item.kind], item.barcode, item.name],
      ...[item.delta, item.question_delta, item.reason, item.comment, nameOf(item.actor)],
    ])
  },
})

const returns = exportedList({
  title: 'Возвраты',
  query: returnsQuery,
  columns: [
    ...[client, cabinet, text('Приём возвратов'), text('Состояние'), moment('Начат')],
    ...[moment('Закончен'), number('Ожидали'), number('Приехало'), number('Из них не ждали')],
    ...[number('Не хватает'), number('Можно продавать'), number('Повреждено')],
    ...[number('Не осмотрено'), text('Комментарий')],
  ],
  read: ({ db }, filter, client_id, page) => listReturnBatches(db, { ...filter, client_id }, page),
  rows: (items, { name, cabinetOf }) =>
    items.map((batch) => [
      ...[name, cabinetOf(batch.cabinet_id), batch.number],
      ...[batch.status === 'OPEN' ? 'Принимают' : 'Закончен', batch.created_at],
      ...[batch.finished_at, batch.expected_qty, batch.came_qty, batch.unexpected_qty],
      ...[batch.missing_qty, batch.sellable_qty, batch.damaged_qty, batch.unknown_qty],
      batch.comment,
    ]),
})

const counts = exportedList({
  title: 'Пересчёты',
  query: countsQuery,
  columns: [
    ...[client, text('Состояние'), moment('Заведён'), moment('Начат'), moment('На проверке')],
    ...[moment('Закрыт'), number('Товаров'), number('Единиц'), number('Сканов')],
    ...[number('Расхождений'), number('Не решено')],
  ],
  read: ({ db, request }, filter, client_id, page) =>
    listCounts(db, { ...filter, client_id }, page, readerOf(request)),
  rows: (items, { name }) =>
    items.map((count) => [
      ...[name, count.status_label, count.created_at, count.started_at, count.reviewed_at],
      ...[count.ended_at, count.goods_count, count.units, count.scans],
      ...[count.differing ?? null, count.undecided ?? null],
    ]),
})

const products = exportedList({
  title: 'Товары',
  query: productQuery,
  columns: [
    ...[client, text('Штрихкод'), text('Артикул'), text('Товар'), text('Честный знак')],
    moment('Заведён'),
  ],
  read: ({ db }, { search, ...filter }, clientId, page) =>
    listProducts(db, clientId, { ...filter, search: undefined, words: search || undefined }, page),
  rows: (items, { name }) =>
    items.map((product) => [
      ...[name, product.barcode, product.article ?? null, product.name],
      ...[product.honest_mark ? 'да' : 'нет', product.created_at],
    ]),
})

const misses = exportedList({
  title: 'Не нашли при сборке',
  query: missesQuery,
  columns: [
    ...[client, text('Штрихкод'), text('Товар'), number('Штук'), text('Заказ'), text('Отгрузка')],
    ...[text('Где искали'), text('Причина'), moment('Когда'), text('Состояние')],
    ...[text('Чем кончилось'), text('Комментарий')],
  ],
  read: ({ db }, filter, client_id, page) => listMisses(db, { ...filter, client_id }, page),
  rows: (items, { name }) =>
    items.map((miss) => [
      ...[name, miss.barcode, miss.name, miss.qty, miss.order_external_id],
      ...[miss.shipment_external_id, miss.place?.location_code ?? miss.place?.sscc ?? null],
      ...[miss.reason_label, miss.at, miss.status_label, miss.outcome_label, miss.comment],
    ]),
})

export const exportedLists = {
  ...{ stock, orders, receipts, shipments, movements, returns, counts, products, misses },
} as const satisfies Readonly<Record<string, ExportedList>>
