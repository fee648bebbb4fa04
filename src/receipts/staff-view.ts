import Type, { type Static } from 'typebox'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { count, moment, momentOrNull, textOrNull } from '../kernel/schema.ts'
import { surplus } from './state.ts'
import { Receipt, ReceiptItem, type ReceiptItemRow, type ReceiptRow, receiptView } from './view.ts'

/** Receipts and their scans as staff see them. */

export const StaffReceiptItem = Type.Object(
  {
    ...ReceiptItem.properties,
    card_honest_mark: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description:
        'Маркируется ли товар по его карточке: заявка может говорить другое. ' +
        'null: товар складу ещё не известен.',
    }),
  },
  { $id: 'StaffReceiptItem', description: 'Строка приёмки.' },
)

const { items: _, ...receiptFields } = Receipt.properties

export const StaffReceipt = Type.Object(
  {
    ...receiptFields,
    external_ref: Type.Optional(Type.String({ description: 'Номер документа продавца.' })),
    client_id: Type.String({ description: 'Клиент.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    cabinet_id: textOrNull('Кабинет; null, если не указан.'),
    items: Type.Optional(
      Type.Array(Type.Unsafe<Static<typeof StaffReceiptItem>>({ $ref: 'StaffReceiptItem#' }), {
        description: 'Состав; в списке поля нет.',
      }),
    ),
  },
  { $id: 'StaffReceipt', description: 'Приёмка, как её видит склад.' },
)
export type StaffReceipt = Static<typeof StaffReceipt>

export interface StaffReceiptRow extends ReceiptRow {
  client_id: string
  client_name: string
  cabinet_id: string | null
}

export interface StaffItemRow extends ReceiptItemRow {
  card_honest_mark: boolean | null
}

/** With its lines where they are given, as in a list otherwise. */
export function staffReceiptView(
  row: StaffReceiptRow,
  lines?: readonly StaffItemRow[],
): StaffReceipt {
  const { client_id, client_name, cabinet_id } = row
  const { items, ...receipt } = receiptView(row, lines)
  return {
    ...receipt,
    ...(row.external_ref === null ? {} : { external_ref: row.external_ref }),
    client_id,
    client_name,
    cabinet_id,
    ...(items === undefined || lines === undefined
      ? {}
      : {
          items: items.map((item, at) => ({
            ...item,
            card_honest_mark: lines[at]?.card_honest_mark ?? null,
          })),
        }),
  }
}

const scanFields = {
  scan_id: Type.String({ description: 'Номер скана, который дал терминал.' }),
  barcode: Type.String({ description: 'Штрихкод строки.' }),
  name: Type.String({ description: 'Название товара.' }),
  qty: count('Сколько единиц посчитано этим сканом.'),
  marking_code: Type.Optional(
    Type.String({ description: 'Код маркировки единицы; у немаркируемых поля нет.' }),
  ),
  box_id: Type.Optional(
    Type.String({ description: 'Короб, в который положены единицы; если не положены, поля нет.' }),
  ),
  scanned_at: moment('Когда.'),
  scanned_by: Type.String({ description: 'Кто: `staff:<id>` или `robot`.' }),
  undone: Type.Boolean({ description: 'Скан отменён и не считается.' }),
  undone_at: momentOrNull('Когда отменён; null, если не отменён.'),
  undone_by: textOrNull('Кем отменён; null, если не отменён.'),
  expected_qty: count('Заявлено единиц в строке.'),
  accepted_qty: count('Посчитано единиц в строке, теперь.'),
  in_question_qty: count('Из них сверх заявленного: они под вопросом.'),
}

export const ReceiptScan = Type.Object(scanFields, {
  $id: 'ReceiptScan',
  description: 'Скан и строка, которую он считал.',
})
export type ReceiptScan = Static<typeof ReceiptScan>

export const ScanResult = Type.Object(
  {
    ...scanFields,
    repeated: Type.Boolean({ description: 'Повтор: этот запрос ничего не изменил.' }),
  },
  { $id: 'ScanResult', description: 'Чем кончился скан или его отмена.' },
)
export type ScanResult = Static<typeof ScanResult>

export interface ScanRow {
  scan_id: string
  barcode: string
  name: string
  qty: number
  marking_code: string | null
  box_id: string | null
  at: Timestamp
  actor: string
  undone_at: Timestamp | null
  undone_by: string | null
  expected: number
  accepted: number
}

export function scanView(row: ScanRow): ReceiptScan {
  return {
    scan_id: row.scan_id,
    barcode: row.barcode,
    name: row.name,
    qty: row.qty,
    ...(row.marking_code === null ? {} : { marking_code: row.marking_code }),
    ...(row.box_id === null ? {} : { box_id: row.box_id }),
    scanned_at: row.at,
    scanned_by: row.actor,
    undone: row.undone_at !== null,
    undone_at: row.undone_at,
    undone_by: row.undone_by,
    expected_qty: row.expected,
    accepted_qty: row.accepted,
    in_question_qty: surplus(row),
  }
}

/** Workers don't know of what is not confirmed yet. */
export interface ReceiptViewer {
  readonly seesPending: boolean
}
