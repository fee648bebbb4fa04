import type { FastifyInstance } from 'fastify'
import type { Database } from '../../../platform/db/connection.ts'
import { onePage, type Page, type PageRequest } from '../../../platform/db/lists/page.ts'
import { type Instant, moscowDate } from '../../../platform/kernel/moscow-time.ts'
import { listOrders } from '../../../warehouse/orders/queries.ts'
import { findReceipt, listReceipts } from '../../../warehouse/receipts/queries.ts'
import { findReturn, listReturns } from '../../../warehouse/returns/seller-queries.ts'
import { returnConditionNames } from '../../../warehouse/returns/state.ts'
import { listShipments } from '../../../warehouse/shipments/queries.ts'
import { listLots } from '../../../warehouse/stock/lot-queries.ts'
import { lotFile } from '../../files/goods-tables.ts'
import {
  type FileOf,
  fileColumn,
  rowBatches,
  sendTable,
  tableAnswer,
  tableFormat,
} from '../../files/table-answer.ts'
import { lotFilters } from '../../public/v1/lots.ts'
import { orderFilters } from '../../public/v1/orders.ts'
import { receiptFilters } from '../../public/v1/receipts.ts'
import { returnFilters } from '../../public/v1/returns.ts'
import { shipmentFilters } from '../../public/v1/shipments.ts'
import { found, knownId, rawQuery } from '../../route/list.ts'
import { type QueryReader, query, range } from '../../route/query.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** The lists of a seller as files, with their filters and in their order. */

interface Asked {
  readonly created_from?: Instant | undefined
  readonly created_to?: Instant | undefined
  readonly format: 'xlsx' | 'csv' | undefined
}

interface ListFile<Values extends Asked, Item> extends FileOf<Item> {
  readonly id: string
  /** Of the list below /exports, and of the file. */
  readonly name: string
  readonly tag: Parameters<typeof accountOperation>[0]['tag']
  readonly title: string
  /** What the id in the path is, where the list is one of an object. */
  readonly of?: string
  readonly asked: QueryReader<Values>
  readonly read: (
    db: Database,
    clientId: string,
    filter: Omit<Values, 'format'>,
    page: PageRequest,
    of: { readonly id: string; readonly now: Instant },
  ) => Promise<Page<Item>>
}

const { text, code, number, moment } = fileColumn

export function addAccountListFiles(app: FastifyInstance, dependencies: AccountDependencies): void {
  addListFile(app, dependencies, {
    id: 'exportAccountOrders',
    name: 'orders',
    ...{ tag: 'Заказы', title: 'Заказы' },
    asked: query({ ...orderFilters, format: tableFormat }),
    columns: [
      ...[code('Заказ'), text('Маркетплейс'), text('Статус'), code('Артикул'), code('Штрихкод')],
      ...[code('Отгрузка'), moment('Создан'), moment('Собран')],
    ],
    read: listOrders,
    cells: (order) => [
      ...[order.external_id, order.marketplace, order.status_label, order.article ?? null],
      ...[order.barcode ?? null, order.shipment_external_id, order.created_at, order.packed_at],
    ],
  })
  addListFile(app, dependencies, {
    id: 'exportAccountReceipts',
    name: 'receipts',
    ...{ tag: 'Приёмки', title: 'Приёмки' },
    asked: query({ ...receiptFilters, format: tableFormat }),
    columns: [
      ...[code('Приёмка'), code('Ваш документ'), text('Состояние'), number('Заявлено')],
      ...[number('Принято'), number('Не хватает'), moment('Создана'), moment('План')],
      ...[moment('Завершена'), text('Комментарий')],
    ],
    read: listReceipts,
    cells: (receipt) => [
      ...[receipt.number, receipt.external_ref ?? null, receipt.status_label, receipt.expected_qty],
      ...[receipt.accepted_qty, receipt.discrepancy_qty, receipt.created_at, receipt.planned_date],
      ...[receipt.completed_at, receipt.comment ?? null],
    ],
  })
  addListFile(app, dependencies, {
    id: 'exportAccountShipments',
    name: 'shipments',
    ...{ tag: 'Отгрузки', title: 'Отгрузки' },
    asked: query({ ...shipmentFilters, format: tableFormat }),
    columns: [
      ...[code('Отгрузка'), text('Название'), text('Маркетплейс'), text('Состояние')],
      ...[number('Заказов'), moment('Открыта'), moment('Передана'), moment('Принята')],
    ],
    read: listShipments,
    cells: (shipment) => [
      ...[shipment.external_id, shipment.name ?? null, shipment.marketplace],
      ...[shipment.status_label, shipment.orders_count, shipment.created_at, shipment.closed_at],
      shipment.accepted_at,
    ],
  })
  addListFile(app, dependencies, {
    id: 'exportAccountReturns',
    name: 'returns',
    ...{ tag: 'Возвраты', title: 'Возвраты' },
    asked: query({ ...returnFilters, format: tableFormat }),
    columns: [
      ...[code('Возврат'), text('Состояние'), number('Единиц'), number('Годных')],
      ...[number('Под вопросом'), moment('Начат'), moment('Завершён')],
    ],
    read: listReturns,
    cells: (batch) => [
      ...[batch.number, batch.status_label, batch.qty, batch.sellable_qty],
      ...[batch.in_question_qty, batch.created_at, batch.finished_at],
    ],
  })
  addListFile(app, dependencies, {
    id: 'exportAccountLots',
    name: 'lots',
    ...{ tag: 'Остатки', title: 'Сроки годности' },
    asked: query({ ...lotFilters, format: tableFormat }),
    ...lotFile,
    read: (db, clientId, filter, page, { now }) =>
      listLots(db, { client_id: clientId, ...filter }, page, moscowDate(now)),
  })
  addFilesOfObjects(app, dependencies)
}

function addFilesOfObjects(app: FastifyInstance, dependencies: AccountDependencies): void {
  addListFile(app, dependencies, {
    id: 'exportAccountReceiptItems',
    name: 'receipt-items',
    ...{ tag: 'Приёмки', title: 'Состав приёмки' },
    of: 'Идентификатор приёмки.',
    asked: query({ format: tableFormat }),
    columns: [
      ...[text('Товар'), code('Артикул'), code('Штрихкод'), number('Заявлено')],
      ...[number('Принято'), number('Расхождение'), text('Причина недостачи')],
    ],
    read: async (db, clientId, _, __, { id }) =>
      onePage(found(await findReceipt(db, clientId, knownId(id))).items ?? []),
    cells: (item) => [
      ...[item.name, item.article ?? null, item.barcode, item.expected_qty],
      ...[item.accepted_qty, item.discrepancy_qty, item.shortage_reason ?? null],
    ],
  })
  addListFile(app, dependencies, {
    id: 'exportAccountReturnItems',
    name: 'return-items',
    ...{ tag: 'Возвраты', title: 'Состав возврата' },
    of: 'Идентификатор возврата.',
    asked: query({ format: tableFormat }),
    columns: [
      ...[text('Товар'), code('Артикул'), code('Штрихкод'), number('Единиц')],
      ...[text('Состояние'), text('Причина'), code('Заказ')],
    ],
    read: async (db, clientId, _, __, { id }) =>
      onePage(found(await findReturn(db, clientId, knownId(id))).items ?? []),
    cells: (item) => [
      ...[item.name, item.article ?? null, item.barcode, item.qty],
      ...[returnConditionNames[item.condition], item.reason ?? null, item.order_external_id],
    ],
  })
}

/** A list as a file: every page of its read, a row per item. */
export function addListFile<Values extends Asked, Item>(
  app: FastifyInstance,
  { reports, clock }: AccountDependencies,
  { id, name, tag, title, asked, columns, read, cells, of }: ListFile<Values, Item>,
): void {
  const schema = accountOperation({
    id,
    tag,
    summary: `Выгрузить: ${title[0]?.toLowerCase()}${title.slice(1)}`,
    description: 'Файл со всеми строками списка, с его фильтрами и в его порядке.',
    ...(of && { params: { id: of } }),
    query: asked,
    answers: { 200: tableAnswer },
    errors: ['bad_request', ...(of ? (['not_found'] as const) : [])],
  })
  const path = `/exports/${name}${of ? '/:id' : ''}`
  app.get<{ Params: { id?: string } }>(path, { schema }, async (request, reply) => {
    const { format, ...filter } = asked.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const { clientId } = visitorOn(request)
    const [source, now] = [await reports.database(), clock.now()]
    const batches = rowBatches(
      (page) => read(source, clientId, filter, page, { id: request.params.id ?? '', now }),
      cells,
    )
    return sendTable(reply, now, { name, title, columns, format, batches })
  })
}
