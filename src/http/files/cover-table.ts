import type { ExportColumn, ExportRow } from '../../documents/exports/table.ts'
import type { Cover } from '../../warehouse/metrics/cover.ts'

/** How long goods last, as a file. */

export const coverColumns: readonly ExportColumn[] = [
  { title: 'Штрихкод', kind: 'text', isCode: true },
  { title: 'Артикул', kind: 'text', isCode: true },
  { title: 'Товар', kind: 'text' },
  { title: 'Можно продавать', kind: 'number' },
  { title: 'Заказывают в сутки', kind: 'number' },
  { title: 'Хватит на суток', kind: 'number' },
  { title: 'Состояние', kind: 'text' },
]

const stateWords = {
  out: 'закончился',
  low: 'скоро закончится',
  enough: 'хватает',
  idle: 'не заказывают',
} as const

/** A cell for each column. */
export function coverCells(goods: Cover): ExportRow {
  return [
    ...[goods.barcode, goods.article, goods.name],
    ...[goods.available, goods.a_day, goods.days, stateWords[goods.state]],
  ]
}
