import type { StaffCabinet } from '../../api/staff-calls.ts'

/** Method and path of a call, `*` for an id in it, and what the call is for. The first that fits names the call. */
type Words = readonly (readonly [call: string, words: string])[]

const wildberries: Words = [
  ['GET /api/v3/orders/new', 'Новые заказы'],
  ['GET /api/v3/orders', 'Заказы за период'],
  ['POST /api/v3/orders/status', 'Состояния заказов'],
  ['POST /api/v3/orders/stickers', 'Этикетки заказов'],
  ['* /api/marketplace/v3/orders/meta', 'Коды маркировки заказов'],
  ['* /api/v3/orders/*/meta/sgtin', 'Передать коды маркировки'],
  ['* /api/v3/orders/*/meta', 'Код маркировки заказа'],
  ['POST /api/v3/supplies', 'Создать отгрузку'],
  ['GET /api/v3/supplies/orders/reshipment', 'Заказы, которых не приняли'],
  ['GET /api/v3/supplies', 'Отгрузки'],
  ['* /api/v3/supplies/*/deliver', 'Передать отгрузку'],
  ['* /api/v3/supplies/*/barcode', 'QR-код отгрузки'],
  ['GET /api/v3/supplies/*/trbx', 'Грузоместа отгрузки'],
  ['POST /api/v3/supplies/*/trbx', 'Добавить грузоместа'],
  ['DELETE /api/v3/supplies/*/trbx', 'Удалить грузоместа'],
  ['DELETE /api/v3/supplies/*', 'Удалить отгрузку'],
  ['GET /api/v3/supplies/*', 'Отгрузка'],
  ['GET /api/marketplace/v3/supplies/*/order-ids', 'Заказы отгрузки'],
  ['* /api/marketplace/v3/supplies/*/orders', 'Добавить заказы в отгрузку'],
  ['GET /api/marketplace/v3/fbs/shipping-points', 'Пункты отгрузки'],
  ['* /api/marketplace/v3/fbs/supplies/shipping-method', 'Пункт отгрузки'],
  ['GET /api/v3/warehouses', 'Склады продавца'],
  ['POST /api/v3/stocks/*', 'Остатки склада'],
  ['POST /content/v2/get/cards/list', 'Карточки товаров'],
]

const ozon: Words = [
  ['* /v1/roles', 'Права ключа'],
  ['* /v4/posting/fbs/list', 'Заказы за период'],
  ['* /v3/posting/fbs/get', 'Заказ'],
  ['* /v4/posting/fbs/ship', 'Собрать заказ'],
  ['* /v3/posting/multiboxqty/set', 'Число коробок заказа'],
  ['* /v2/posting/fbs/product/country/set', 'Страна товара'],
  ['* /v*/fbs/posting/product/exemplar/*', 'Коды маркировки заказа'],
  ['* /v3/posting/fbs/package-label/create', 'Этикетки заказов'],
  ['* /v2/posting/fbs/package-label/get', 'Этикетки заказов'],
  ['* /v2/posting/fbs/package-label', 'Этикетки заказов'],
  ['* /v1/carriage/create', 'Создать отгрузку'],
  ['* /v1/carriage/set-postings', 'Заказы отгрузки'],
  ['* /v1/carriage/approve', 'Передать отгрузку'],
  ['* /v1/carriage/cancel', 'Отменить отгрузку'],
  ['* /v1/carriage/get', 'Отгрузка'],
  ['* /v1/carriage/act-discrepancy/pdf', 'Акт о расхождениях'],
  ['* /v2/carriage/delivery/list', 'Отгрузки'],
  ['* /v2/posting/fbs/act/get-container-labels', 'Этикетки грузомест'],
  ['* /v2/posting/fbs/act/get-postings', 'Заказы отгрузки'],
  ['* /v2/posting/fbs/act/get-barcode/text', 'Штрихкод отгрузки'],
  ['* /v2/posting/fbs/act/*', 'Документы отгрузки'],
  ['* /v1/returns/list', 'Возвраты'],
  ['* /v1/return/giveout/barcode', 'Штрихкод для выдачи возвратов'],
  ['* /v2/warehouse/list', 'Склады продавца'],
  ['* /v2/product/info/stocks-by-warehouse/fbs', 'Остатки складов'],
  ['* /v4/product/info/stocks', 'Остатки товаров'],
  ['* /v3/product/info/list', 'Карточки товаров'],
  ['* /v3/product/list', 'Товары'],
]

const patterns: Readonly<
  Record<StaffCabinet['marketplace'], readonly (readonly [RegExp, string])[]>
> = { WB: wildberries.map(compiled), OZON: ozon.map(compiled) }

function compiled([call, words]: Words[number]): readonly [RegExp, string] {
  const [method = '', path = ''] = call.split(' ')
  const anyPart = (text: string) => text.replaceAll('*', '[^/ ]+')
  return [new RegExp(`^${anyPart(method)} ${anyPart(path)}$`), words]
}

/** What a call to a marketplace is for; undefined for one that has no words yet. */
export function wordsOfCall(
  marketplace: StaffCabinet['marketplace'],
  method: string,
  path: string,
): string | undefined {
  const call = `${method} ${path}`
  return patterns[marketplace].find(([pattern]) => pattern.test(call))?.[1]
}
