import type { ExportColumn, ExportRow } from '../../documents/exports/table.ts'
import type { GoodsSales } from '../../warehouse/metrics/sales.ts'

/** The sales of a period by product as a file. */

export const salesColumns: readonly ExportColumn[] = [
  { title: 'Штрихкод', kind: 'text', isCode: true },
  { title: 'Артикул', kind: 'text', isCode: true },
  { title: 'Товар', kind: 'text' },
  { title: 'Заказано', kind: 'number' },
  { title: 'Отменено', kind: 'number' },
  { title: 'Отгружено', kind: 'number' },
  { title: 'Вернулось', kind: 'number' },
]

/** A cell for each column. */
export function salesCells(sold: GoodsSales): ExportRow {
  return [
    ...[sold.barcode, sold.article, sold.name],
    ...[sold.ordered, sold.cancelled, sold.shipped, sold.returned],
  ]
}
