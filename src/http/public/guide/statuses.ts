import { type DeliveryStatus, deliveryStatuses } from '../../../exchange/webhooks/view.ts'
import {
  type OrderStatus,
  orderStatuses,
  orderStatusLabels,
} from '../../../warehouse/orders/state.ts'
import {
  type ReceiptStatus,
  receiptStatuses,
  receiptStatusLabels,
} from '../../../warehouse/receipts/state.ts'
import {
  type ShipmentStatus,
  shipmentStatuses,
  shipmentStatusLabels,
} from '../../../warehouse/shipments/state.ts'

/** The chapter of the guide about statuses: what each means, and what moves it. */

type Meaning = readonly [means: string, movedBy: string]

const orders: Readonly<Record<OrderStatus, Meaning>> = {
  NEW: [
    'Заказ пришёл с маркетплейса и ещё ни в одной отгрузке.',
    'Склад добавит его в отгрузку — `ASSEMBLING`.',
  ],
  ASSEMBLING: [
    'Заказ в открытой отгрузке, его единицы в резерве. `packed_at` появляется, когда он собран, и снова `null`, если единицу заменяют (например, маркетплейс не принял её код маркировки); статус при этом прежний.',
    'Отгрузка закрыта — `IN_DELIVERY`. Заказ убрали из неё — снова статус маркетплейса.',
  ],
  IN_DELIVERY: [
    'Отгрузка передана маркетплейсу, заказ едет к покупателю.',
    'Маркетплейс: `COMPLETED` или `CANCELLED`.',
  ],
  COMPLETED: [
    'Покупатель получил заказ.',
    'Почти всегда конец; маркетплейс может ещё сообщить об отмене — `CANCELLED`.',
  ],
  CANCELLED: ['Заказ отменён: покупателем, продавцом или маркетплейсом.', 'ничего, это конец.'],
  OTHER: [
    'Маркетплейс прислал статус, которого сервис ещё не знает. Заказ виден, как все.',
    'Следующий известный статус маркетплейса.',
  ],
}

const receipts: Readonly<Record<ReceiptStatus, Meaning>> = {
  PENDING_CONFIRMATION: [
    'Заявка из `POST /v1/receipts` ждёт менеджера. Склад её ещё не видит.',
    'Менеджер подтвердит — `EXPECTED`.',
  ],
  EXPECTED: [
    'Склад ждёт товар. Приёмка, которую завёл сам склад, начинается отсюда.',
    'Склад начал считать — `RECEIVING`.',
  ],
  RECEIVING: [
    'Товар считают: `accepted_qty` растёт с каждым сканом, а `discrepancy_qty` остаётся 0.',
    'Склад закончил: `RECEIVED` или `RECEIVED_WITH_DISCREPANCY`.',
  ],
  RECEIVED: ['Каждой строки принято ровно столько, сколько заявлено.', 'ничего, это конец.'],
  RECEIVED_WITH_DISCREPANCY: [
    'Хотя бы в одной строке принято меньше или больше заявленного.',
    'ничего, это конец.',
  ],
}

const shipments: Readonly<Record<ShipmentStatus, Meaning>> = {
  ASSEMBLING: [
    'Отгрузку собирают: заказы в неё добавляют и убирают.',
    'Склад закрыл её — `HANDED_OVER`.',
  ],
  HANDED_OVER: [
    'Отгрузка закрыта (`closed_at`), единицы списаны с остатка.',
    'Маркетплейс отсканировал её у себя — `ACCEPTED`.',
  ],
  ACCEPTED: [
    'Маркетплейс принял отгрузку (`accepted_at`): это юридически значимая приёмка.',
    'ничего, это конец.',
  ],
}

const deliveries: Readonly<Record<DeliveryStatus, Meaning>> = {
  PENDING: [
    'Доставка ждёт первой или следующей попытки (`next_attempt_at`).',
    'Ответ 2xx — `DELIVERED`, восьмая неудача или отключение подписки — `FAILED`.',
  ],
  DELIVERED: ['Приёмник ответил 2xx.', 'ничего, это конец.'],
  FAILED: [
    'Попытки кончились; причина — в `last_error`.',
    'ничего; отправить ещё раз — новая доставка, `POST …/resend`.',
  ],
}

function list<Status extends string>(
  statuses: readonly Status[],
  meanings: Readonly<Record<Status, Meaning>>,
  labels?: Readonly<Record<Status, string>>,
): string {
  const items = statuses.map((status) => {
    const [means, movedBy] = meanings[status]
    const label = labels === undefined ? '' : ` «${labels[status]}»`
    return `- \`${status}\`${label} — ${means} **Дальше:** ${movedBy}`
  })
  return items.join('\n')
}

export const statusChapter = `
## Статусы

### Заказы

${list(orderStatuses, orders, orderStatusLabels)}

Концы — \`COMPLETED\` и \`CANCELLED\` — ставит только маркетплейс. Пока заказ открыт, маркетплейс может и вернуть его назад, например из \`IN_DELIVERY\` в \`NEW\`. Пара \`marketplace_status\` — для людей: её значения у каждого маркетплейса свои.

### Приёмки

${list(receiptStatuses, receipts, receiptStatusLabels)}

Одна недостача — три числа. Двух единиц одного товара не хватило, а другого привезли на одну больше:

- \`discrepancy_qty\` приёмки — **1**: всего заявлено минус всего принято, лишняя единица закрыла одну недостающую;
- \`discrepancy_qty\` строк в сумме — **2**: каждая строка считает только свою недостачу;
- \`receiving.discrepancy_units\` показателей — **2**: сумма недостач по строкам, по причинам — в \`shortages_by_reason\`.

Лишняя единица принята, лежит на складе и под вопросом (\`in_question\`).

### Отгрузки

${list(shipmentStatuses, shipments, shipmentStatusLabels)}

\`orders_count\` считает все заказы отгрузки, и отменённые тоже, пока склад их не убрал. Отменённый заказ не уезжает и в \`units_shipped\` показателей не входит. Сколько поехало на самом деле: заказы из \`GET /v1/shipments/{id}\` без \`CANCELLED\`.

### Доставки вебхуков

${list(deliveryStatuses, deliveries)}
`.trim()
