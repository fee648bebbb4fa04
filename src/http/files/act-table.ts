import type { ExportColumn, ExportRow } from '../../documents/exports/table.ts'
import type { ActWithLines } from '../../warehouse/billing/act-lines.ts'
import { dayOnPaper } from './act-paper.ts'

/** An act for 1C: a row a service. */

const code = (title: string): ExportColumn => ({ title, kind: 'text', isCode: true })
const money = (title: string): ExportColumn => ({ title, kind: 'money' })

export const actColumns: readonly ExportColumn[] = [
  code('Код'),
  { title: 'Наименование', kind: 'text' },
  { title: 'Единица', kind: 'text' },
  { title: 'Количество', kind: 'number' },
  money('Цена'),
  money('Сумма'),
  code('Ставка НДС'),
  money('Сумма НДС'),
  money('Всего'),
  code('Номер акта'),
  code('Дата акта'),
  code('ИНН заказчика'),
]

/** The rows of an act, with a cell for each column. */
export function actRows({ lines, ...act }: ActWithLines): readonly ExportRow[] {
  const rate = act.vat_rate === null ? 'Без НДС' : `${act.vat_rate}%`
  return lines.map((line) => [
    ...[line.code, line.name, line.unit, Number(line.quantity)],
    ...[line.price === null ? null : line.price / 100, line.amount / 100],
    ...[rate, line.vat / 100, line.total / 100],
    ...[String(act.number), dayOnPaper(act.day), act.client.inn],
  ])
}
