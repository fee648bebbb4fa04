import {
  barcodeColumn,
  goodsColumn,
  momentOnPaper,
  numberColumn,
  type Paper,
  signed,
} from '../../../../documents/papers/paper.ts'
import type { CountOutcome } from '../../../../warehouse/counts/state.ts'
import type { StockCount } from '../../../../warehouse/counts/view.ts'
import type { PickingLine, PickingTask } from '../../../../warehouse/picking/view.ts'
import type { ReturnBatchContent } from '../../../../warehouse/returns/batch-view.ts'
import { returnConditionNames } from '../../../../warehouse/returns/state.ts'
import type { StaffShipment } from '../../../../warehouse/shipments/staff-view.ts'

/** What stands on the papers of returns, counts, shipments and picking tasks. */

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

/** The act of a return batch: what came, in what condition, and what is missing. */
export function returnPaper(batch: ReturnBatchContent): Paper {
  const came = batch.scans.filter(({ undone }) => !undone)
  const missing = batch.expected.filter(({ missing_qty }) => missing_qty > 0)
  return {
    title: `Акт о возврате ${batch.number}`,
    facts: [
      ['Клиент', batch.client_name],
      ['Начат', momentOnPaper(batch.created_at)],
      ['Закончен', batch.finished_at === null ? 'ещё идёт' : momentOnPaper(batch.finished_at)],
      ['Ожидали', `${batch.expected_qty} шт.`],
      ['Приехало', `${batch.came_qty} шт., из них не ждали ${batch.unexpected_qty}`],
      [
        'Состояние',
        `можно продавать ${batch.sellable_qty}, повреждено ${batch.damaged_qty}, не осмотрено ${batch.unknown_qty}`,
      ],
    ],
    tables: [
      {
        title: 'Приехало',
        columns: [
          { title: 'Заказ', share: 4 },
          barcodeColumn,
          goodsColumn,
          { title: 'Состояние', share: 3 },
          { title: 'Причина', share: 3 },
        ],
        rows: came.map((scan) => [
          scan.order_external_id ?? 'не определён',
          scan.barcode,
          scan.name,
          returnConditionNames[scan.condition],
          scan.reason_label ?? '',
        ]),
      },
      {
        title: 'Не приехало',
        columns: [
          { title: 'Заказ', share: 4 },
          barcodeColumn,
          goodsColumn,
          numberColumn('Не хватает'),
        ],
        rows: missing.map((line) => [
          line.external_id,
          line.barcode ?? '',
          line.name ?? '',
          String(line.missing_qty),
        ]),
      },
    ],
    notes: [],
    signatures: ['Принял (склад)', 'Сдал (перевозчик или маркетплейс)'],
  }
}

const outcomeNames: Readonly<Record<CountOutcome, string>> = {
  correct: 'остаток исправлен',
  in_question: 'под вопросом',
  ignore: 'без изменений',
}

/** The result of a count. What the reader may not see of the ledger is left empty. */
export function countPaper(count: StockCount): Paper {
  const shown = (figure: number | undefined) => (figure === undefined ? '' : String(figure))
  return {
    title: 'Результат пересчёта',
    facts: [
      ['Пересчёт', count.id],
      ['Состояние', count.status_label],
      ['Начат', count.started_at === null ? 'ещё нет' : momentOnPaper(count.started_at)],
      ['Закончен', count.ended_at === null ? 'ещё идёт' : momentOnPaper(count.ended_at)],
      ['Посчитано', `товаров — ${count.goods_count}, единиц — ${count.units}`],
      ...(count.differing === undefined
        ? []
        : [['Строк с расхождением', String(count.differing)] as const]),
    ],
    tables: [
      {
        title: 'Товары',
        columns: [
          barcodeColumn,
          goodsColumn,
          numberColumn('В учёте'),
          numberColumn('Факт'),
          numberColumn('Разница'),
          { title: 'Решение', share: 4 },
        ],
        rows: (count.lines ?? []).map((line) => [
          line.barcode,
          line.name,
          shown(line.expected),
          String(line.counted),
          line.difference === undefined ? '' : signed(line.difference),
          line.outcome == null ? '' : outcomeNames[line.outcome],
        ]),
      },
    ],
    notes: [],
    signatures: ['Считали', 'Проверил'],
  }
}

/** The transfer act of a shipment: the orders that are handed over. */
export function shipmentPaper(shipment: StaffShipment): Paper {
  const orders = (shipment.orders ?? []).filter(({ status }) => status !== 'CANCELLED')
  const units = total(orders.flatMap(({ lines }) => lines.map(({ qty }) => qty)))
  return {
    title: `Акт приёма-передачи, отгрузка ${shipment.external_id}`,
    facts: [
      ['Маркетплейс', shipment.marketplace],
      ['Состояние', shipment.status_label],
      [
        'Передана',
        shipment.closed_at === null ? 'ещё собирается' : momentOnPaper(shipment.closed_at),
      ],
      ['Заказов', String(orders.length)],
      ['Единиц', String(units)],
    ],
    tables: [
      {
        title: 'Заказы',
        columns: [
          { title: 'Заказ', share: 4 },
          { title: 'Товары', share: 10 },
          numberColumn('Единиц'),
        ],
        rows: orders.map((order) => [
          order.external_id,
          order.lines.map((line) => line.barcode ?? line.article ?? 'без штрихкода').join(', '),
          String(total(order.lines.map(({ qty }) => qty))),
        ]),
      },
    ],
    notes: [],
    signatures: ['Сдал (склад)', 'Принял (маркетплейс или перевозчик)'],
  }
}

/** The picking list of a task: what is still to be collected, and from where. */
export function pickingPaper(task: PickingTask): Paper {
  const lines = (task.lines ?? []).filter(
    ({ picked, qty, order_status }) => picked < qty && order_status !== 'CANCELLED',
  )
  return {
    title: `Лист сборки, отгрузка ${task.shipment_external_id}`,
    facts: [
      ['Открыта', momentOnPaper(task.opened_at)],
      ['Срок', task.deadline === null ? 'не назван' : momentOnPaper(task.deadline)],
      ['Заказов собрано', `${task.packed_count} из ${task.orders_count}`],
    ],
    tables: [
      {
        title: 'Осталось собрать',
        columns: [
          barcodeColumn,
          goodsColumn,
          { title: 'Заказ', share: 4 },
          numberColumn('Нужно'),
          { title: 'Где', share: 5 },
        ],
        rows: lines.map((line) => [
          line.barcode,
          line.set === undefined ? line.name : `${line.name} (набор «${line.set.name}»)`,
          line.order_external_id,
          String(line.qty - line.picked),
          placesOf(line),
        ]),
      },
    ],
    notes: [],
    signatures: ['Собрал'],
  }
}

function placesOf({ from }: PickingLine): string {
  return from
    .map(({ location_code: place, sscc, box_id: box, qty }) => {
      const where = [place, sscc ?? box].filter((name) => name !== undefined)
      return `${where.join(', ')}: ${qty}`
    })
    .join('; ')
}
