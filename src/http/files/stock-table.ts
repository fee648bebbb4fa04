import type { ExportColumn, ExportRow } from '../../documents/exports/table.ts'
import type { Marketplace } from '../../warehouse/clients/marketplace.ts'
import type { StockItem } from '../../warehouse/stock/view.ts'

/** The stock as a file, for managers and for sellers. */

const number = (title: string): ExportColumn => ({ title, kind: 'number' })
const text = (title: string): ExportColumn => ({ title, kind: 'text' })
const code = (title: string): ExportColumn => ({ title, kind: 'text', isCode: true })

export const stockColumns: readonly ExportColumn[] = [
  ...[code('Штрихкод'), code('Артикул'), text('Товар'), number('Остаток')],
  ...[number('Можно продавать'), number('Под вопросом'), number('В резерве')],
  ...[number('Коробов'), number('Паллет'), number('Показывает WB'), number('Показывает OZON')],
  { title: 'Изменён', kind: 'moment' },
]

/** A cell for each column. */
export function stockCells(item: StockItem): ExportRow {
  return [
    ...[item.barcode, item.article ?? null, item.name, item.quantity],
    ...[item.available, item.in_question, item.reserved, item.boxes, item.pallets],
    ...[shownBy(item, 'WB'), shownBy(item, 'OZON'), item.updated_at],
  ]
}

/** What all cabinets of a marketplace show; null where none shows the goods. */
function shownBy({ marketplace_stock }: StockItem, marketplace: Marketplace): number | null {
  const figures = marketplace_stock.filter((each) => each.marketplace === marketplace)
  return figures.length === 0 ? null : figures.reduce((sum, { quantity }) => sum + quantity, 0)
}
