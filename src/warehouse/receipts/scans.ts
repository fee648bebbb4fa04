import Type, { type Static } from 'typebox'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment, momentOrNull, textOrNull } from '../../platform/kernel/schema.ts'
import { questioned } from './state.ts'

/** The scans of a receipt, as staff see them. */

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
  scanned_by_name: Type.Optional(Type.String({ description: 'Он же словами; есть в списке.' })),
  undone: Type.Boolean({ description: 'Скан отменён и не считается.' }),
  undone_at: momentOrNull('Когда отменён; null, если не отменён.'),
  undone_by: textOrNull('Кем отменён; null, если не отменён.'),
  undone_by_name: Type.Optional(textOrNull('Он же словами; есть в списке.')),
  expected_qty: count('Заявлено единиц в строке.'),
  accepted_qty: count('Посчитано единиц в строке, теперь.'),
  in_question_qty: count(
    'Из них сверх заявленного: они под вопросом. У товара, которого в приёмке нет, — все, пока ' +
      'менеджер не решит.',
  ),
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
  /** Of the receipt: nothing of it is in question any more. */
  approved: boolean
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
    in_question_qty: questioned(row, row.approved),
  }
}

/** Selects rows of ScanRow from scans `s`; the conditions follow. */
function scans(db: Queryable) {
  return db`
    select s.scan_id, s.barcode, i.name, s.quantity as qty,
      coalesce(m.code, s.marking_code) as marking_code, s.box_id, s.at, s.actor, s.undone_at, s.undone_by,
      i.expected_qty as expected, i.accepted_qty as accepted, r.approved_at is not null as approved
    from receipt_scans s
    join receipts r on r.client_id = s.client_id and r.id = s.receipt_id
    join receipt_items i on i.client_id = s.client_id and i.receipt_id = s.receipt_id
      and i.barcode = s.barcode
    left join marking_codes m on m.identity = s.marking_code and m.client_id = s.client_id`
}

/** One scan; undefined where the receipt has none with this id. */
export async function findScan(
  db: Queryable,
  clientId: string,
  receiptId: string,
  scanId: string,
): Promise<ReceiptScan | undefined> {
  const [row] = await db<ScanRow[]>`
    ${scans(db)}
    where s.client_id = ${clientId} and s.receipt_id = ${receiptId} and s.scan_id = ${scanId}`
  return row && scanView(row)
}

/** A scan that the receipt is known to have. */
export async function existingScan(
  db: Queryable,
  clientId: string,
  receiptId: string,
  scanId: string,
): Promise<ReceiptScan> {
  const scan = await findScan(db, clientId, receiptId, scanId)
  if (scan === undefined) throw new Error(`scan ${scanId} vanished`)
  return scan
}

/** The scans of a receipt, newest first, undone ones too. */
export async function listScans(
  db: Database,
  clientId: string,
  receiptId: string,
  page: PageRequest,
): Promise<Page<ReceiptScan>> {
  const total = db`
    select count(*) from receipt_scans
    where client_id = ${clientId} and receipt_id = ${receiptId}`
  const [at, scanId] = page.after?.map(String) ?? []
  const rows = await db<(ScanRow & { total: number })[]>`
    select listed.*, ${totalFor(db, total, page)} as total from (
      ${scans(db)}
      where s.client_id = ${clientId} and s.receipt_id = ${receiptId}
        ${at === undefined || scanId === undefined ? db`` : db`and (s.at, s.scan_id) < (${at}::timestamptz, ${scanId})`}
      order by s.at desc, s.scan_id desc limit ${page.limit + 1}
    ) listed
    order by listed.at desc, listed.scan_id desc`
  return pageOf(rows, page, {
    view: scanView,
    position: (row) => [row.at, row.scan_id],
    count: () => countOf(db, total),
  })
}
