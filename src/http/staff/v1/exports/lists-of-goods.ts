import { actorNames } from '../../../../identity/staff/actor-names.ts'
import { moscowDate } from '../../../../platform/kernel/moscow-time.ts'
import { listProducts } from '../../../../warehouse/catalogue/products.ts'
import type { MovementKind } from '../../../../warehouse/stock/ledger.ts'
import { listLots } from '../../../../warehouse/stock/lot-queries.ts'
import { listMovements } from '../../../../warehouse/stock/movements.ts'
import { listStock } from '../../../../warehouse/stock/queries.ts'
import { reasonLabels } from '../../../../warehouse/stock/reasons.ts'
import { listLocations } from '../../../../warehouse/storage/location-queries.ts'
import { listBoxes, listPallets } from '../../../../warehouse/storage/queries.ts'
import { lotFile, stockFile } from '../../../files/goods-tables.ts'
import { joinedQuery, query, text } from '../../../route/query.ts'
import { ownScope, warehouseFilter, withinWarehouse } from '../../gate.ts'
import { stockLotsQuery } from '../goods/lots.ts'
import { productQuery } from '../goods/products.ts'
import { allMovementsQuery, staffStockQuery } from '../goods/stock.ts'
import { locationsQuery } from '../storage/locations.ts'
import { boxesQuery, palletsQuery } from '../storage/storage.ts'
import {
  clientCell,
  codeCell,
  exportedByClient,
  exportedList,
  filledColumns,
  momentCell,
  numberCell,
  wordCell,
  yesOrNo,
} from './exported-list.ts'

/** Goods and where they lie, as files. */

const clients = query({
  client_id: text({ description: 'Один клиент; без него — все ваши, по названию.' }),
  warehouse_code: warehouseFilter,
})

const stock = exportedByClient({
  title: 'Остатки',
  query: joinedQuery(clients, staffStockQuery),
  read: ({ db }, { client_id, barcode, search, selection }, page) =>
    listStock(
      db,
      client_id,
      { barcode, search: undefined, words: search || undefined, selection },
      page,
    ),
}).withColumns(filledColumns(stockFile))

const products = exportedByClient({
  title: 'Товары',
  query: joinedQuery(clients, productQuery),
  read: ({ db }, { client_id, barcode, search, measured }, page) =>
    listProducts(
      db,
      client_id,
      { barcode, search: undefined, words: search || undefined, measured },
      page,
    ),
}).withColumns([
  wordCell('Штрихкод', ({ barcode }) => barcode),
  wordCell('Артикул', ({ article }) => article),
  wordCell('Товар', ({ name }) => name),
  wordCell('Честный знак', (product) => yesOrNo(product.honest_mark)),
  momentCell('Заведён', (product) => product.created_at),
])

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
  query: allMovementsQuery,
  read: async ({ db, request }, asked, page) => {
    const found = await listMovements(db, withinWarehouse(request, asked), page)
    const actors = found.items.map(({ actor }) => actor)
    const [nameOf, reasons] = await Promise.all([actorNames(db, actors), reasonLabels(db)])
    const items = found.items.map((item) => ({
      ...item,
      actor_name: nameOf(item.actor),
      reason_name: item.reason === null ? null : (reasons.get(item.reason) ?? item.reason),
    }))
    return { ...found, items }
  },
}).withColumns([
  clientCell(),
  numberCell('Номер', ({ id }) => id),
  momentCell('Когда', ({ time }) => time),
  wordCell('Вид', ({ kind }) => movementNames[kind]),
  wordCell('Штрихкод', ({ barcode }) => barcode),
  wordCell('Товар', ({ name }) => name),
  numberCell('Единиц', ({ delta }) => delta),
  numberCell('Под вопрос', (item) => item.question_delta),
  wordCell('Причина', (item) => item.reason_name),
  wordCell('Комментарий', ({ comment }) => comment),
  wordCell('Кто', (item) => item.actor_name),
])

const boxes = exportedList({
  title: 'Короба',
  query: boxesQuery,
  read: ({ db, request }, asked, page) => listBoxes(db, withinWarehouse(request, asked), page),
}).withColumns([
  clientCell(),
  codeCell('Короб', ({ sscc, id }) => sscc ?? id),
  numberCell('Единиц', ({ units }) => units),
  numberCell('Товаров', (box) => box.sku_count),
  wordCell('Место', (box) => box.location_code),
  wordCell('На паллете', (box) => yesOrNo(box.pallet_id !== null)),
  momentCell('Заведён', (box) => box.created_at),
])

const pallets = exportedList({
  title: 'Паллеты',
  query: palletsQuery,
  read: ({ db, request }, asked, page) => listPallets(db, withinWarehouse(request, asked), page),
}).withColumns([
  clientCell(),
  codeCell('Паллета', ({ sscc, id }) => sscc ?? id),
  numberCell('Коробов', (pallet) => pallet.boxes_count),
  numberCell('Единиц', ({ units }) => units),
  wordCell('Место', (pallet) => pallet.location_code),
  momentCell('Заведена', (pallet) => pallet.created_at),
])

const locations = exportedList({
  title: 'Места хранения',
  query: locationsQuery,
  read: ({ db, request }, asked, page) =>
    listLocations(db, { ...asked, ...ownScope(request) }, page),
}).withColumns([
  codeCell('Склад', (location) => location.warehouse_code),
  codeCell('Место', (location) => location.code),
  wordCell('Зона', ({ zone }) => zone),
  numberCell('Единиц', ({ units }) => units),
  numberCell('Коробов', (location) => location.boxes_count),
  numberCell('Паллет', (location) => location.pallets_count),
  numberCell('Обход', ({ order }) => order),
  wordCell('Состояние', ({ active }) => (active ? 'открыто' : 'закрыто')),
])

const lots = exportedList({
  title: 'Сроки годности',
  query: stockLotsQuery,
  read: ({ db, request, now }, asked, page) =>
    listLots(db, withinWarehouse(request, asked), page, moscowDate(now)),
}).withColumns([clientCell(), ...filledColumns(lotFile)])

export const listsOfGoods = { stock, products, lots, movements, boxes, pallets, locations }
