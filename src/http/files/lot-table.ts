import type { ExportColumn, ExportRow } from '../../documents/exports/table.ts'
import { lotStateWords, type StockLot } from '../../warehouse/stock/lot-queries.ts'

/** Expiry dates as a file. */

export const lotColumns: readonly ExportColumn[] = [
  { title: 'Штрихкод', kind: 'text', isCode: true },
  { title: 'Артикул', kind: 'text', isCode: true },
  { title: 'Товар', kind: 'text' },
  { title: 'Срок годности', kind: 'text' },
  { title: 'Партия', kind: 'text', isCode: true },
  { title: 'Состояние', kind: 'text' },
  { title: 'Осталось дней', kind: 'number' },
  { title: 'Единиц', kind: 'number' },
  { title: 'Из них собрано в заказы', kind: 'number' },
]

/** A cell for each column. */
export function lotCells(lot: StockLot): ExportRow {
  return [
    ...[lot.barcode, lot.article, lot.name, lot.expires_on, lot.number || null],
    ...[lotStateWords[lot.state], lot.days_left, lot.quantity, lot.picked],
  ]
}
