import { observationOf } from '../../../../exchange/marketplaces/cabinets/observed-figures.ts'
import { actorNames } from '../../../../identity/staff/actor-names.ts'
import { onePage } from '../../../../platform/db/lists/page.ts'
import { invalidParameter, notFound } from '../../../../platform/kernel/errors.ts'
import { toTimestamp } from '../../../../platform/kernel/moscow-time.ts'
import { ownerOfCabinet } from '../../../../warehouse/clients/cabinet-queries.ts'
import { findPickingTask, ownerOfPickingTask } from '../../../../warehouse/picking/queries.ts'
import { findStaffReceipt, receiptOwner } from '../../../../warehouse/receipts/staff-queries.ts'
import {
  findReturnBatchContent,
  ownerOfReturnBatch,
} from '../../../../warehouse/returns/batch-queries.ts'
import { returnConditionNames } from '../../../../warehouse/returns/state.ts'
import { shortagesOf } from '../../../../warehouse/shipments/shortages.ts'
import { ownerOfShipment } from '../../../../warehouse/shipments/staff-queries.ts'
import { findLocation } from '../../../../warehouse/storage/location-queries.ts'
import { findLocationId } from '../../../../warehouse/storage/locations.ts'
import { findBox, findPallet, findStored } from '../../../../warehouse/storage/queries.ts'
import { query, text } from '../../../route/query.ts'
import { ownScope } from '../../gate.ts'
import { viewerOf } from '../receipts/receipts.ts'
import {
  codeCell,
  type ExportSource,
  exportedList,
  momentCell,
  numberCell,
  ownerNamed,
  wordCell,
  yesOrNo,
} from './exported-list.ts'

/** The rows of one object, as files. */

function demanded<Found>(found: Found | undefined): Found {
  if (found === undefined) throw notFound('Такого объекта нет')
  return found
}

const receiptLines = exportedList({
  title: 'Товары приёмки',
  query: query({ receipt_id: text({ description: 'Приёмка.' }) }),
  read: async (source, { receipt_id }) => {
    const viewer = viewerOf(source.request)
    const { clientId, id } = await ownerNamed(source, ['receipt_id', receipt_id], (db, of) =>
      receiptOwner(db, of, viewer),
    )
    return onePage(demanded(await findStaffReceipt(source.db, clientId, id, viewer)).items ?? [])
  },
}).withColumns([
  wordCell('Товар', ({ name }) => name),
  codeCell('Штрихкод', ({ barcode }) => barcode),
  codeCell('Артикул', ({ article }) => article),
  numberCell('Заявлено', (line) => line.expected_qty),
  numberCell('Принято', (line) => line.accepted_qty),
  numberCell('Не хватает', (line) => line.discrepancy_qty),
  wordCell('Причина недостачи', (line) => line.shortage_reason),
  wordCell('Честный знак', (line) => yesOrNo(line.honest_mark === true)),
  wordCell('Не было в заявке', ({ unlisted }) => yesOrNo(unlisted === true)),
])

const pickingLines = exportedList({
  title: 'Что собрать',
  query: query({ picking_task_id: text({ description: 'Задание на сборку.' }) }),
  read: async (source, { picking_task_id: named }) => {
    const { clientId, id } = await ownerNamed(
      source,
      ['picking_task_id', named],
      ownerOfPickingTask,
    )
    const task = await findPickingTask(source.db, clientId, id, toTimestamp(source.now))
    return onePage(demanded(task).lines ?? [])
  },
}).withColumns([
  codeCell('Заказ', (line) => line.order_external_id),
  wordCell('Товар', ({ name }) => name),
  codeCell('Штрихкод', ({ barcode }) => barcode),
  codeCell('Артикул', ({ article }) => article),
  numberCell('Нужно', ({ qty }) => qty),
  numberCell('Собрано', ({ picked }) => picked),
  numberCell('Проверено', ({ checked }) => checked),
  momentCell('Срок', ({ deadline }) => deadline),
  momentCell('Заказ собран', (line) => line.packed_at),
  wordCell('Комментарий', ({ comment }) => comment),
])

const shortages = exportedList({
  title: 'Чего не хватило отгрузке',
  query: query({ shipment_id: text({ description: 'Отгрузка.' }) }),
  read: async (source, { shipment_id }) => {
    const { clientId, id } = await ownerNamed(source, ['shipment_id', shipment_id], ownerOfShipment)
    return onePage(await shortagesOf(source.db, clientId, id))
  },
}).withColumns([
  codeCell('Заказ', (line) => line.external_id),
  wordCell('Товар', ({ name }) => name),
  codeCell('Штрихкод', ({ barcode }) => barcode),
  codeCell('Артикул', ({ article }) => article),
  numberCell('Увезено сверх остатка', ({ units }) => units),
])

const ofReturn = query({ return_id: text({ description: 'Приём возвратов.' }) })

async function returnNamed(source: ExportSource, named: string | undefined) {
  const { clientId, id } = await ownerNamed(source, ['return_id', named], ownerOfReturnBatch)
  return demanded(await findReturnBatchContent(source.db, clientId, id))
}

const returnLines = exportedList({
  title: 'Чего ждали в приёме возвратов',
  query: ofReturn,
  read: async (source, { return_id }) => onePage((await returnNamed(source, return_id)).expected),
}).withColumns([
  codeCell('Заказ', (line) => line.external_id),
  wordCell('Товар', ({ name }) => name),
  codeCell('Штрихкод', ({ barcode }) => barcode),
  numberCell('Ждали', ({ qty }) => qty),
  numberCell('Приехало', (line) => line.came_qty),
  numberCell('Не приехало', (line) => line.missing_qty),
])

const returnScans = exportedList({
  title: 'Что приехало в приёме возвратов',
  query: ofReturn,
  read: async (source, { return_id }) => {
    const { scans } = await returnNamed(source, return_id)
    const nameOf = await actorNames(
      source.db,
      scans.map((scan) => scan.scanned_by),
    )
    return onePage(scans.map((scan) => ({ ...scan, who: nameOf(scan.scanned_by) })))
  },
}).withColumns([
  momentCell('Когда', (scan) => scan.scanned_at),
  wordCell('Товар', ({ name }) => name),
  codeCell('Штрихкод', ({ barcode }) => barcode),
  codeCell('Заказ', (scan) => scan.order_external_id),
  wordCell('Состояние', ({ condition }) => returnConditionNames[condition]),
  wordCell('Причина', (scan) => scan.reason_label),
  wordCell('Ждали', ({ expected }) => yesOrNo(expected)),
  wordCell('Кто', ({ who }) => who),
  wordCell('Отменён', ({ undone }) => yesOrNo(undone)),
])

interface Lying {
  readonly client_name: string
  readonly name: string
  readonly barcode: string
  readonly article?: string | null | undefined
  readonly qty: number
}

const placeQuery = query({
  location_id: text({ description: 'Место хранения: товары вне коробов.' }),
  box_id: text({ description: 'Короб.' }),
  pallet_id: text({ description: 'Паллета: товары во всех её коробах.' }),
})

/** What lies loose in a place, in a box or on a pallet. Throws bad_request where none of these is named. */
async function lyingIn(
  source: ExportSource,
  { location_id, box_id, pallet_id }: ReturnType<typeof placeQuery.parse>,
): Promise<readonly Lying[]> {
  const { db, request } = source
  if (location_id !== undefined) {
    const id = await findLocationId(db, location_id, ownScope(request).warehouses).catch(() => {
      throw invalidParameter('location_id', 'такого здесь нет')
    })
    return (await findLocation(db, id))?.contents ?? []
  }
  const [kind, parameter, named] =
    box_id === undefined
      ? (['pallet', 'pallet_id', pallet_id] as const)
      : (['box', 'box_id', box_id] as const)
  const { id: number } = await ownerNamed(
    source,
    [parameter, named],
    async (_, text) => (await findStored(db, kind, text)).clientId,
  )
  const stored = await findStored(db, kind, number)
  const found = await (kind === 'box' ? findBox(db, stored) : findPallet(db, stored))
  const { client_name, contents = [] } = demanded(found)
  return contents.map((each) => ({ ...each, client_name }))
}

const contents = exportedList({
  title: 'Что лежит в месте, коробе или на паллете',
  query: placeQuery,
  read: async (source, asked) => onePage(await lyingIn(source, asked)),
}).withColumns([
  wordCell('Клиент', (each) => each.client_name),
  wordCell('Товар', ({ name }) => name),
  codeCell('Штрихкод', ({ barcode }) => barcode),
  codeCell('Артикул', ({ article }) => article),
  numberCell('Единиц', ({ qty }) => qty),
])

const observation = exportedList({
  title: 'Где остатки кабинета расходятся',
  query: query({ cabinet_id: text({ description: 'Кабинет.' }) }),
  read: async (source, { cabinet_id }) => {
    const { clientId, id } = await ownerNamed(source, ['cabinet_id', cabinet_id], ownerOfCabinet)
    return onePage(demanded(await observationOf(source.db, clientId, id)).stock.items)
  },
}).withColumns([
  wordCell('Товар', ({ name }) => name),
  codeCell('Штрихкод', ({ barcode }) => barcode),
  numberCell('На маркетплейсе', (each) => each.marketplace_units),
  numberCell('Свободно здесь', ({ available }) => available),
  numberCell('Ждут заказы', ({ needed }) => needed),
])

export const listsOfObjects = {
  ...{ shortages, contents, observation },
  'receipt-lines': receiptLines,
  'picking-lines': pickingLines,
  'return-lines': returnLines,
  'return-scans': returnScans,
}
