import { listPrintJobs } from '../../../../documents/printing/queries.ts'
import { printStatusLabels } from '../../../../documents/printing/state.ts'
import { onePage } from '../../../../platform/db/lists/page.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { toTimestamp } from '../../../../platform/kernel/moscow-time.ts'
import { findCount, listCounts, ownerOfCount } from '../../../../warehouse/counts/queries.ts'
import { listExceptions } from '../../../../warehouse/exceptions/queries.ts'
import { objectNames } from '../../../../warehouse/lookup/object-names.ts'
import { listOrdersOfAll } from '../../../../warehouse/orders/staff-queries.ts'
import { listMisses } from '../../../../warehouse/picking/miss-queries.ts'
import { listPickingTasks } from '../../../../warehouse/picking/queries.ts'
import { listReceiptsOfAll } from '../../../../warehouse/receipts/staff-queries.ts'
import { listReturnBatches } from '../../../../warehouse/returns/batch-queries.ts'
import { listExpectedReturns } from '../../../../warehouse/returns/expected-queries.ts'
import { returnStateLabels } from '../../../../warehouse/returns/state.ts'
import { listShipmentsOfAll } from '../../../../warehouse/shipments/staff-queries.ts'
import { query, text } from '../../../route/query.ts'
import { ownScope, withinWarehouse } from '../../gate.ts'
import { atStage, staffOrdersQuery } from '../orders/order-schemas.ts'
import { printJobsQuery } from '../papers/print-jobs.ts'
import { missesQuery } from '../picking/misses.ts'
import { pickingTasksQuery } from '../picking/picking.ts'
import { receiptsQuery, viewerOf } from '../receipts/receipts.ts'
import { expectedReturnsQuery } from '../returns/expected-returns.ts'
import { returnsQuery } from '../returns/returns.ts'
import { exceptionsQuery } from '../service/exceptions.ts'
import { valueWords } from '../service/value-words.ts'
import { staffShipmentsQuery } from '../shipments/shipment-schemas.ts'
import { countsQuery, readerOf } from '../storage/counts.ts'
import {
  clientCell,
  codeCell,
  exportedList,
  momentCell,
  numberCell,
  ownerNamed,
  withCabinets,
  wordCell,
} from './exported-list.ts'

/** What the warehouse works on, as files. */

/** An order has a row for each of its goods. */
const orders = exportedList({
  title: 'Заказы',
  query: staffOrdersQuery,
  read: async (source, asked, page) => {
    const wanted = withinWarehouse(source.request, atStage(asked, source.now))
    const found = await withCabinets(source, await listOrdersOfAll(source.db, wanted, page))
    const items = found.items.flatMap((order) =>
      (order.lines.length > 0 ? order.lines : [undefined]).map((line) => ({ ...order, line })),
    )
    return { ...found, items }
  },
}).withColumns([
  clientCell(),
  wordCell('Кабинет', ({ cabinet }) => cabinet),
  wordCell('Маркетплейс', ({ marketplace }) => marketplace),
  wordCell('Заказ', (order) => order.external_id),
  wordCell('Статус', (order) => order.status_label),
  momentCell('Создан', (order) => order.created_at),
  momentCell('Срок передачи', ({ deadline }) => deadline),
  wordCell('Отгрузка', (order) => order.shipment_external_id),
  momentCell('Собран', (order) => order.packed_at),
  wordCell('Штрихкод', ({ line }) => line?.barcode),
  wordCell('Артикул', ({ line }) => line?.article),
  numberCell('Количество', ({ line }) => line?.qty),
  numberCell('Собрано', ({ line }) => line?.picked),
  wordCell('Причина отмены', (order) => order.cancel_reason),
])

const receipts = exportedList({
  title: 'Приёмки',
  query: receiptsQuery,
  read: async (source, asked, page) => {
    const { db, request } = source
    const wanted = withinWarehouse(request, asked)
    return withCabinets(source, await listReceiptsOfAll(db, wanted, viewerOf(request), page))
  },
}).withColumns([
  clientCell(),
  wordCell('Кабинет', ({ cabinet }) => cabinet),
  wordCell('Приёмка', (receipt) => receipt.number),
  wordCell('Документ продавца', (receipt) => receipt.external_ref),
  wordCell('Состояние', (receipt) => receipt.status_label),
  momentCell('Создана', (receipt) => receipt.created_at),
  momentCell('Завершена', (receipt) => receipt.completed_at),
  numberCell('Заявлено', (receipt) => receipt.expected_qty),
  numberCell('Принято', (receipt) => receipt.accepted_qty),
  numberCell('Не хватает', (receipt) => receipt.discrepancy_qty),
  wordCell('Комментарий', ({ comment }) => comment),
])

const shipments = exportedList({
  title: 'Отгрузки',
  query: staffShipmentsQuery,
  read: async (source, asked, page) => {
    const wanted = withinWarehouse(source.request, asked)
    return withCabinets(source, await listShipmentsOfAll(source.db, wanted, page))
  },
}).withColumns([
  clientCell(),
  wordCell('Кабинет', ({ cabinet }) => cabinet),
  wordCell('Маркетплейс', ({ marketplace }) => marketplace),
  wordCell('Отгрузка', (shipment) => shipment.external_id),
  wordCell('Название', ({ name }) => name),
  wordCell('Состояние', (shipment) => shipment.status_label),
  numberCell('Заказов', (shipment) => shipment.orders_count),
  momentCell('Открыта', (shipment) => shipment.created_at),
  momentCell('Срок', ({ deadline }) => deadline),
  momentCell('Закрыта', (shipment) => shipment.closed_at),
  momentCell('Принята', (shipment) => shipment.accepted_at),
  numberCell('Увезено сверх остатка', (shipment) => shipment.shortage_units),
])

const pickingTasks = exportedList({
  title: 'Задания на сборку',
  query: pickingTasksQuery,
  read: ({ db, request, now }, asked, page) =>
    listPickingTasks(db, withinWarehouse(request, asked), page, toTimestamp(now)),
}).withColumns([
  clientCell(),
  wordCell('Маркетплейс', ({ marketplace }) => marketplace),
  wordCell('Отгрузка', (task) => task.shipment_external_id),
  wordCell('Состояние', ({ status }) => (status === 'OPEN' ? 'Собирают' : 'Собрано')),
  momentCell('Срок', ({ deadline }) => deadline),
  numberCell('Заказов', (task) => task.orders_count),
  numberCell('Собрано', (task) => task.packed_count),
  wordCell('Кто собирает', ({ claim }) => claim?.name),
  momentCell('Открыто', (task) => task.opened_at),
  momentCell('Закончено', (task) => task.done_at),
])

const misses = exportedList({
  title: 'Не нашли при сборке',
  query: missesQuery,
  read: ({ db, request }, asked, page) => listMisses(db, withinWarehouse(request, asked), page),
}).withColumns([
  clientCell(),
  wordCell('Штрихкод', ({ barcode }) => barcode),
  wordCell('Товар', ({ name }) => name),
  numberCell('Штук', ({ qty }) => qty),
  wordCell('Заказ', (miss) => miss.order_external_id),
  wordCell('Отгрузка', (miss) => miss.shipment_external_id),
  wordCell('Где искали', ({ place }) => place?.location_code ?? place?.sscc),
  wordCell('Причина', (miss) => miss.reason_label),
  momentCell('Когда', ({ at }) => at),
  wordCell('Состояние', (miss) => miss.status_label),
  wordCell('Чем кончилось', (miss) => miss.outcome_label),
  wordCell('Комментарий', ({ comment }) => comment),
])

const returns = exportedList({
  title: 'Возвраты',
  query: returnsQuery,
  read: async (source, asked, page) => {
    const wanted = withinWarehouse(source.request, asked)
    return withCabinets(source, await listReturnBatches(source.db, wanted, page))
  },
}).withColumns([
  clientCell(),
  wordCell('Кабинет', ({ cabinet }) => cabinet),
  wordCell('Приём возвратов', (batch) => batch.number),
  wordCell('Состояние', ({ status }) => (status === 'OPEN' ? 'Принимают' : 'Закончен')),
  momentCell('Начат', (batch) => batch.created_at),
  momentCell('Закончен', (batch) => batch.finished_at),
  numberCell('Ожидали', (batch) => batch.expected_qty),
  numberCell('Приехало', (batch) => batch.came_qty),
  numberCell('Из них не ждали', (batch) => batch.unexpected_qty),
  numberCell('Не хватает', (batch) => batch.missing_qty),
  numberCell('Можно продавать', (batch) => batch.sellable_qty),
  numberCell('Повреждено', (batch) => batch.damaged_qty),
  numberCell('Не осмотрено', (batch) => batch.unknown_qty),
  wordCell('Комментарий', ({ comment }) => comment),
])

const returnKindWords = {
  CANCELLATION: 'отменён в пути',
  REFUSAL: 'не взяли',
  BUYER_RETURN: 'вернул покупатель',
  OTHER: 'другое',
} as const

const expectedReturns = exportedList({
  title: 'Ожидаемые возвраты',
  query: expectedReturnsQuery,
  read: ({ db, request }, asked, page) =>
    listExpectedReturns(db, withinWarehouse(request, asked), page),
}).withColumns([
  clientCell(),
  wordCell('Маркетплейс', ({ marketplace }) => marketplace),
  wordCell('Возврат', (each) => each.external_id),
  wordCell('Заказ', (each) => each.order_external_id),
  wordCell('Штрихкод', ({ barcode }) => barcode),
  wordCell('Товар', ({ name }) => name),
  numberCell('Единиц', ({ qty }) => qty),
  wordCell('Почему', ({ kind, reason }) => reason ?? returnKindWords[kind]),
  wordCell('Состояние', ({ state }) => returnStateLabels[state]),
  wordCell('Где лежит', (each) => [each.place_name, each.place_address].filter(Boolean).join(', ')),
  wordCell('Код выдачи', (each) => each.giveout_code),
  momentCell('Утилизируют', (each) => each.disposal_at),
  momentCell('Узнали', (each) => each.created_at),
])

const counts = exportedList({
  title: 'Пересчёты',
  query: countsQuery,
  read: ({ db, request }, asked, page) =>
    listCounts(db, withinWarehouse(request, asked), page, readerOf(request)),
}).withColumns([
  clientCell(),
  wordCell('Состояние', (count) => count.status_label),
  momentCell('Заведён', (count) => count.created_at),
  momentCell('Начат', (count) => count.started_at),
  momentCell('На проверке', (count) => count.reviewed_at),
  momentCell('Закрыт', (count) => count.ended_at),
  numberCell('Товаров', (count) => count.goods_count),
  numberCell('Единиц', ({ units }) => units),
  numberCell('Сканов', ({ scans }) => scans),
  numberCell('Расхождений', ({ differing }) => differing),
  numberCell('Не решено', ({ undecided }) => undecided),
])

const countLines = exportedList({
  title: 'Строки пересчёта',
  query: query({ count_id: text({ description: 'Пересчёт.' }) }),
  read: async (source, { count_id }) => {
    const { clientId, id } = await ownerNamed(source, ['count_id', count_id], ownerOfCount)
    const count = await findCount(source.db, clientId, id, readerOf(source.request))
    if (count === undefined) throw notFound('Такого пересчёта нет')
    return onePage(count.lines ?? [])
  },
}).withColumns([
  wordCell('Товар', ({ name }) => name),
  codeCell('Штрихкод', ({ barcode }) => barcode),
  numberCell('Посчитано', ({ counted }) => counted),
  numberCell('Числится', ({ expected }) => expected),
  numberCell('Разница', ({ difference }) => difference),
  wordCell('Решение', ({ outcome }) => outcome && valueWords.outcome?.[outcome]),
  wordCell('Причина', ({ reason }) => reason),
])

const exceptions = exportedList({
  title: 'Исключения',
  query: exceptionsQuery,
  read: ({ db, request }, asked, page) => listExceptions(db, withinWarehouse(request, asked), page),
}).withColumns([
  clientCell(),
  wordCell('Что', (exception) => exception.kind_label),
  wordCell('Почему не принят', ({ reason }) => reason),
  wordCell('Сотрудник', (exception) => exception.queued_by_name ?? exception.queued_by),
  momentCell('Отсканировано', (exception) => exception.queued_at),
  momentCell('Пришло', (exception) => exception.created_at),
  wordCell('Решение', ({ decision }) =>
    decision === null ? 'ждёт решения' : valueWords.decision?.[decision],
  ),
  momentCell('Решено', (exception) => exception.resolved_at),
  wordCell('Комментарий', ({ comment }) => comment),
])

const printJobs = exportedList({
  title: 'Задания печати',
  query: printJobsQuery,
  read: async ({ db, request }, asked, page) => {
    const found = await listPrintJobs(db, { ...asked, ...ownScope(request) }, page)
    const stationOf = (job: { taken_station_id: string | null; station_id: string | null }) =>
      job.taken_station_id ?? job.station_id
    const names = await objectNames(
      db,
      found.items.map((job) => ({ client_id: null, id: stationOf(job) })),
    )
    const items = found.items.map((job) => ({
      ...job,
      station: names.get(stationOf(job) ?? '')?.title,
    }))
    return { ...found, items }
  },
}).withColumns([
  wordCell('Что печатают', ({ title }) => title),
  wordCell('Состояние', ({ status }) => printStatusLabels[status]),
  wordCell('Почему', ({ reason }) => reason),
  wordCell('Станция', ({ station }) => station),
  codeCell('Склад', (job) => job.warehouse_code),
  numberCell('Экземпляров', ({ copies }) => copies),
  momentCell('Попросили', (job) => job.created_at),
  momentCell('Закончено', (job) => job.ended_at),
])

export const listsOfWork = {
  ...{ orders, receipts, shipments, misses, returns, counts, exceptions },
  'count-lines': countLines,
  'picking-tasks': pickingTasks,
  'expected-returns': expectedReturns,
  'print-jobs': printJobs,
}
