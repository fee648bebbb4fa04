import type { ExportColumn, ExportRow } from '../../documents/exports/table.ts'
import type { Charge } from '../../warehouse/billing/charges.ts'
import { dayOnPaper } from './act-paper.ts'

/** The charges of an act as a file. */

export const chargeColumns: readonly ExportColumn[] = [
  { title: 'День', kind: 'text', isCode: true },
  { title: 'Код услуги', kind: 'text', isCode: true },
  { title: 'Услуга', kind: 'text' },
  { title: 'Единица', kind: 'text' },
  { title: 'За что', kind: 'text' },
  { title: 'Номер', kind: 'text', isCode: true },
  { title: 'Комментарий', kind: 'text' },
  { title: 'Количество', kind: 'number' },
  { title: 'Цена, руб.', kind: 'money' },
  { title: 'Сумма, руб.', kind: 'money' },
]

const sourceWords: Readonly<Record<Charge['source']['kind'], string>> = {
  receipt: 'приёмка',
  order: 'заказ',
  shipment: 'отгрузка',
  return: 'приём возвратов',
  count: 'пересчёт',
  product: 'товар',
  storage: 'хранение за день',
  manual: 'начислено вручную',
  month: 'месяц целиком',
}

/** A cell for each column. */
export function chargeCells(charge: Charge): ExportRow {
  const { source } = charge
  return [
    ...[dayOnPaper(charge.day), charge.service, charge.service_name, charge.unit],
    ...[sourceWords[source.kind], source.number, source.comment],
    ...[Number(charge.quantity), Number(charge.price), Number(charge.amount)],
  ]
}
