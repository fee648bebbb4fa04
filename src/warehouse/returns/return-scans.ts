import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { moment, momentOrNull, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { type ReturnCondition, returnConditions } from './state.ts'

/** The scans of a return batch, as staff see them. */

const fields = {
  scan_id: Type.String({ description: 'Номер скана, который дал терминал.' }),
  code: Type.String({ description: 'Что отсканировано.' }),
  barcode: Type.String({ description: 'Штрихкод товара.' }),
  name: Type.String({ description: 'Название товара.' }),
  order_id: textOrNull('Заказ, с которым единица уехала; null, если по коду его не узнать.'),
  order_external_id: textOrNull('Номер этого заказа в кабинете.'),
  marking_code: textOrNull('Код маркировки единицы: GTIN и серийный номер; null, если его нет.'),
  condition: oneOfValues(
    returnConditions,
    'sellable — можно продавать, damaged — повреждён, unknown — не осмотрен.',
  ),
  reason: textOrNull('Код причины из GET /reasons, вид correction; у sellable может не быть.'),
  reason_label: textOrNull('Причина словами.'),
  expected: Type.Boolean({ description: 'Единицу ждали: она в списке expected.' }),
  scanned_at: moment('Когда.'),
  scanned_by: Type.String({ description: 'Кто: `staff:<id>` или `robot`.' }),
  undone: Type.Boolean({ description: 'Скан отменён и не считается.' }),
  undone_at: momentOrNull('Когда отменён; null, если не отменён.'),
  undone_by: textOrNull('Кем отменён; null, если не отменён.'),
}

export const ReturnScan = Type.Object(fields, {
  $id: 'ReturnScan',
  description: 'Единица, которая вернулась.',
})
export type ReturnScan = Static<typeof ReturnScan>

export const ReturnScanResult = Type.Object(
  {
    return_id: Type.String({ description: 'Приём возвратов, в который попала единица.' }),
    ...fields,
    repeated: Type.Boolean({ description: 'Повтор: этот запрос ничего не изменил.' }),
  },
  { $id: 'ReturnScanResult', description: 'Чем кончился скан возврата или его отмена.' },
)
export type ReturnScanResult = Static<typeof ReturnScanResult>

interface ReturnScanRow {
  scan_id: string
  code: string
  barcode: string
  name: string
  order_id: string | null
  order_external_id: string | null
  marking_code: string | null
  condition: ReturnCondition
  reason: string | null
  reason_label: string | null
  expected: boolean
  at: Timestamp
  actor: string
  undone_at: Timestamp | null
  undone_by: string | null
}

function viewOf({ at, actor, undone_at, undone_by, ...row }: ReturnScanRow): ReturnScan {
  return {
    ...row,
    scanned_at: at,
    scanned_by: actor,
    undone: undone_at !== null,
    undone_at,
    undone_by,
  }
}

/** Selects rows of ReturnScanRow from scans `s`; the conditions follow. */
function scanRows(db: Queryable) {
  return db`
    select s.scan_id, s.code, s.barcode, p.name, s.order_id, o.external_id as order_external_id,
      s.marking_code, s.condition, s.reason, r.label as reason_label,
      s.line is not null as expected, s.at, s.actor, s.undone_at, s.undone_by
    from return_scans s
    join products p on p.client_id = s.client_id and p.barcode = s.barcode
    left join orders o on o.client_id = s.client_id and o.id = s.order_id
    left join reasons r on r.kind = 'correction' and r.code = s.reason`
}

/** The scans of a batch in their order, undone ones too. */
export async function scansOfReturn(
  db: Queryable,
  clientId: string,
  returnId: string,
): Promise<ReturnScan[]> {
  const rows = await db<ReturnScanRow[]>`
    ${scanRows(db)}
    where s.client_id = ${clientId} and s.return_id = ${returnId}
    order by s.at, s.scan_id`
  return rows.map(viewOf)
}

/** The result of a recorded scan; undefined where the batch has none with this id. */
export async function resultOfReturnScan(
  db: Queryable,
  clientId: string,
  returnId: string,
  scanId: string,
  repeated: boolean,
): Promise<ReturnScanResult | undefined> {
  const [result] = await resultsOfReturnScans(db, [{ clientId, returnId, scanId }], repeated)
  return result
}

/** A scan of a batch. */
export interface ReturnScanName {
  readonly clientId: string
  readonly returnId: string
  readonly scanId: string
}

/** The results of scans, in their order; undefined where the batch has none with this id. */
export async function resultsOfReturnScans(
  db: Queryable,
  names: readonly ReturnScanName[],
  repeated: boolean,
): Promise<(ReturnScanResult | undefined)[]> {
  if (names.length === 0) return []
  const rows = names.map(({ clientId, returnId, scanId }, n) => ({
    n,
    ...{ client_id: clientId, return_id: returnId, scan_id: scanId },
  }))
  const found = await db<(ReturnScanRow & { n: number })[]>`
    select q.n, x.* from jsonb_to_recordset(${db.json(rows)}) as q
      (n integer, client_id uuid, return_id uuid, scan_id text)
    cross join lateral (
      ${scanRows(db)}
      where s.client_id = q.client_id and s.return_id = q.return_id and s.scan_id = q.scan_id
      offset 0
    ) x`
  const scans = new Map(found.map(({ n, ...row }) => [n, viewOf(row)]))
  return names.map(({ returnId }, n) => {
    const scan = scans.get(n)
    return scan && { return_id: returnId, ...scan, repeated }
  })
}

/** The batch that has a scan which named no batch. */
export async function batchOfDayScan(
  db: Queryable,
  clientId: string,
  scanId: string,
): Promise<string | undefined> {
  const [batch] = (await batchesOfDayScans(db, [{ clientId, scanId }])).values()
  return batch
}

/** The batches that have scans which named no batch, by client and id of the scan with a space between. */
export async function batchesOfDayScans(
  db: Queryable,
  scans: readonly { readonly clientId: string; readonly scanId: string }[],
): Promise<Map<string, string>> {
  const rows = scans.map(({ clientId, scanId }) => ({ client_id: clientId, scan_id: scanId }))
  const found = await db<{ client_id: string; scan_id: string; return_id: string }[]>`
    select s.client_id, s.scan_id, s.return_id
    from jsonb_to_recordset(${db.json(rows)}) as q (client_id uuid, scan_id text)
    join return_scans s on s.client_id = q.client_id and s.scan_id = q.scan_id and s.of_day`
  return new Map(found.map((row) => [`${row.client_id} ${row.scan_id}`, row.return_id]))
}
