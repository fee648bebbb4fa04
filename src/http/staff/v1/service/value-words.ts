import { printStatusLabels } from '../../../../documents/printing/state.ts'
import { noticeKinds } from '../../../../exchange/notices/kinds.ts'
import { keyRequestStatusLabels } from '../../../../identity/keys/key-requests.ts'
import { sellerRoleLabels } from '../../../../identity/sellers/roles.ts'
import { roleLabels } from '../../../../identity/staff/roles.ts'
import { countStatusLabels } from '../../../../warehouse/counts/state.ts'
import { exceptionKindLabels } from '../../../../warehouse/exceptions/kinds.ts'
import { orderStatusLabels } from '../../../../warehouse/orders/state.ts'
import { missOutcomeLabels, missStatusLabels } from '../../../../warehouse/picking/miss-state.ts'
import { receiptStatusLabels } from '../../../../warehouse/receipts/state.ts'
import { shipmentStatusLabels } from '../../../../warehouse/shipments/state.ts'
import { lotStateWords } from '../../../../warehouse/stock/lot-queries.ts'

type Words = Readonly<Record<string, string>>

const printed: Words = {
  'order-sticker': 'этикетка заказа',
  'shipment-stickers': 'этикетки отгрузки',
  'box-label': 'этикетка короба',
  'pallet-label': 'этикетка паллеты',
  'location-label': 'этикетка места',
  receipt: 'лист приёмки',
  return: 'лист возврата',
  count: 'лист пересчёта',
  shipment: 'лист отгрузки',
  'picking-task': 'лист сборки',
}

const newsLabels: Words = Object.fromEntries(
  Object.entries(noticeKinds).map(([kind, { label }]) => [kind, label]),
)

const paceWords: Words = { now: 'сразу', digest: 'раз в день', off: 'нет' }

/**
 * Codes of fields in words of the journal, by field and code. A state that has its own word beside the code (`…_label`)
 * shows that word. So a code that several objects share has here its word for objects without one.
 */
export const valueWords: Readonly<Record<string, Words>> = {
  role: { ...roleLabels, ...sellerRoleLabels },
  status: {
    ...receiptStatusLabels,
    ...orderStatusLabels,
    ...shipmentStatusLabels,
    ...countStatusLabels,
    ...printStatusLabels,
    ...missStatusLabels,
    ...keyRequestStatusLabels,
    OPEN: 'открыто',
    CLOSED: 'закрыто',
    DONE: 'собрано',
    FINISHED: 'закончено',
    RESOLVED: 'решено',
    WAITING: 'ждёт',
    ENROLLED: 'зарегистрирован',
    REVOKED: 'отозван',
    USED: 'принято',
    EXPIRED: 'срок вышел',
  },
  purpose: { HANDHELD: 'терминал', STATION: 'станция печати', SCREEN: 'экран на стене' },
  state: lotStateWords,
  order_status: orderStatusLabels,
  source: { api: 'программа продавца', file: 'файл', manual: 'менеджер' },
  kind: {
    ...exceptionKindLabels,
    ...printed,
    shortage: 'недостача в приёмке',
    not_found: 'товар не найден',
    correction: 'исправление остатка',
    ASSEMBLE: 'собран',
    TAKE_APART: 'разобран',
    user: 'пользователь',
    test_key: 'тестовый ключ',
    ...newsLabels,
  },
  decision: { accepted: 'принять скан', entered: 'занести вручную', dismissed: 'не учитывать' },
  outcome: {
    ...missOutcomeLabels,
    correct: 'исправить остаток',
    in_question: 'поставить под вопрос',
    ignore: 'оставить как было',
  },
  condition: { sellable: 'годен', damaged: 'повреждён', unknown: 'неясно' },
  marketplace: { WB: 'Wildberries', OZON: 'OZON' },
  shipments: {
    ours: 'собирают здесь',
    mirrored: 'собирают на маркетплейсе',
    observe: 'только наблюдают',
  },
  credentials_state: {
    none: 'нет ключа',
    unchecked: 'не проверен',
    good: 'годен',
    expiring: 'скоро истечёт',
    refused: 'не принят',
  },
  credentials_type: {
    base: 'базовый',
    test: 'тестовый',
    personal: 'персональный',
    service: 'сервисный',
  },
  way: { unit: 'по штукам', litre: 'по литрам', box: 'по коробам', pallet: 'по паллетам' },
  email: paceWords,
  telegram: { ...paceWords, none: 'не подключён', linked: 'подключён', blocked: 'бот остановлен' },
  type: { selfShipping: 'привезём сами', transportCompany: 'привезёт транспортная компания' },
  format: { '58x40': '58×40 мм', A4: 'А4' },
  formats: { '58x40': '58×40 мм', A4: 'А4' },
}
