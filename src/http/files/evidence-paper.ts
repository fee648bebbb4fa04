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
export function evidencePaper(order: StaffOrderWithHistory, scans: readonly ScanOfOrder[]): Paper {
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
    ],
    tables: [
      {
        title: 'Товары',
        columns: [
          barcodeColumn,
          { title: 'Артикул', share: 4 },
          numberColumn('Заказано'),
          numberColumn('Собрано'),
        ],
        rows: order.lines.map(({ barcode = '', article = '', qty, picked }) => [
          barcode,
          article,
          String(qty),
          String(picked),
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
