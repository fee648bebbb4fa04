import {
  barcodeColumn,
  momentOnPaper,
  numberColumn,
  type Paper,
} from '../../documents/papers/paper.ts'
import { roleLabels } from '../../identity/staff/roles.ts'
import type { StaffOrderWithHistory } from '../../warehouse/orders/staff-view.ts'
import { orderStatusLabels } from '../../warehouse/orders/state.ts'
import type { ScanOfOrder } from '../../warehouse/photos/order-evidence.ts'
import { type ReturnCondition, returnConditionNames } from '../../warehouse/returns/state.ts'

/** An order and everything that was done with it, by roles without names. */
export function evidencePaper(
  order: StaffOrderWithHistory,
  scans: readonly ScanOfOrder[],
  weights: ReadonlyMap<string, number>,
): Paper {
  const packed = order.packed_at === null ? 'нет' : momentOnPaper(order.packed_at)
  return {
    title: `Заказ ${order.external_id}: что сделано на складе`,
    facts: [
      ['Клиент', order.client_name],
      ['Маркетплейс', order.marketplace],
      ['Состояние', orderStatusLabels[order.status]],
      ['Создан', momentOnPaper(order.created_at)],
      ['Собран', packed],
      ['Отгрузка', order.shipment_external_id ?? 'нет'],
      ['Вес товаров', weightOf(order, weights)],
    ],
    tables: [
      {
        title: 'Товары',
        columns: [
          barcodeColumn,
          { title: 'Артикул', share: 4 },
          numberColumn('Заказано'),
          numberColumn('Собрано'),
          numberColumn('Вес, г'),
        ],
        rows: order.lines.map(({ barcode = '', article = '', qty, picked }) => [
          barcode,
          article,
          String(qty),
          String(picked),
          String(weights.get(barcode) ?? ''),
        ]),
      },
      {
        title: 'Сканы',
        columns: [
          { title: 'Когда', share: 3 },
          { title: 'Что', share: 4 },
          barcodeColumn,
          { title: 'Маркировка', share: 6 },
          { title: 'Кто', share: 3 },
        ],
        rows: scans.map((scan) => [
          momentOnPaper(scan.at),
          deedOf(scan),
          scan.barcode,
          marksOf(scan),
          scan.role === null ? 'автоматически' : roleLabels[scan.role],
        ]),
      },
      {
        title: 'Статусы',
        columns: [
          { title: 'Когда', share: 3 },
          { title: 'На складе', share: 4 },
          { title: 'На маркетплейсе', share: 6 },
        ],
        rows: order.history.map(({ at, status, marketplace_status: { supplier, buyer } }) => [
          momentOnPaper(at),
          orderStatusLabels[status],
          [supplier, buyer].filter(Boolean).join(', '),
        ]),
      },
    ],
    notes: [],
    signatures: ['Склад'],
  }
}

/** Of all units, without what they are packed in: the warehouse weighs goods, and no parcels. */
function weightOf({ lines }: StaffOrderWithHistory, weights: ReadonlyMap<string, number>): string {
  const known = lines.filter(({ barcode = '' }) => weights.has(barcode))
  if (known.length === 0) return 'не взвешены'
  const grams = known.reduce(
    (sum, { barcode = '', qty }) => sum + qty * (weights.get(barcode) ?? 0),
    0,
  )
  const all = known.length === lines.length
  return `${grams.toLocaleString('ru')} г без упаковки${all ? '' : ', взвешены не все'}`
}

function deedOf({ what, condition, undone }: ScanOfOrder): string {
  const deed = {
    pick: 'собран',
    check: 'проверена упаковка',
    return: `вернулся: ${returnConditionNames[condition as ReturnCondition]}`,
  }[what]
  return undone ? `${deed}, отменено` : deed
}

function marksOf({ marking_code: code, marks }: ScanOfOrder): string {
  return [code, ...Object.values(marks)].filter((mark) => mark !== null).join(', ')
}
