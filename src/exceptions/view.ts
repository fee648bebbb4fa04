import Type, { type Static } from 'typebox'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { moment, momentOrNull, oneOfValues, textOrNull } from '../kernel/schema.ts'

export const exceptionKinds = ['receipt_scan', 'pick', 'return_scan'] as const
export const exceptionKindRule =
  'receipt_scan — скан приёмки, pick — скан сборки, return_scan — скан возврата.'
export type ExceptionKind = (typeof exceptionKinds)[number]
export const exceptionStatuses = ['OPEN', 'RESOLVED'] as const
export type ExceptionStatus = (typeof exceptionStatuses)[number]
export const exceptionDecisions = ['entered', 'dismissed'] as const
export type ExceptionDecision = (typeof exceptionDecisions)[number]

export const exceptionDecisionRule =
  'entered — единицы учтены вручную: корректировкой, новым сканом, новой приёмкой; dismissed — ' +
  'учитывать нечего.'

export const ScanException = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор исключения.' }),
    client_id: Type.String({ description: 'Клиент.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    kind: oneOfValues(exceptionKinds, exceptionKindRule),
    object_id: Type.String({ description: 'Приёмка, задание на сборку или приём возвратов.' }),
    scan_id: Type.String({ description: 'Номер скана от терминала.' }),
    scan: Type.Unknown({ description: 'Скан, каким его прислал терминал.' }),
    queued_at: moment('Когда отсканировали, по часам терминала.'),
    queued_by: textOrNull('Логин того, кто отсканировал; null, если терминал его не назвал.'),
    reason: Type.String({ description: 'Почему скан не принят.' }),
    created_at: moment('Когда скан пришёл и не был принят.'),
    sent_by: Type.String({ description: 'Кто его прислал: `staff:<id>`.' }),
    status: oneOfValues(exceptionStatuses, 'OPEN — ждёт решения, RESOLVED — решено.'),
    decision: Type.Union([oneOfValues(exceptionDecisions, exceptionDecisionRule), Type.Null()]),
    comment: textOrNull('Комментарий к решению.'),
    resolved_at: momentOrNull('Когда решено.'),
    resolved_by: textOrNull('Кто решил: `staff:<id>`.'),
  },
  {
    $id: 'ScanException',
    description: 'Скан из очереди терминала, который не принят и ждёт решения менеджера.',
  },
)
export type ScanException = Static<typeof ScanException>

export interface ExceptionRow {
  id: string
  client_id: string
  client_name: string
  kind: ExceptionKind
  object_id: string
  scan_id: string
  scan: unknown
  queued_at: Timestamp
  queued_by: string | null
  reason: string
  created_at: Timestamp
  sent_by: string
  decision: ExceptionDecision | null
  comment: string | null
  resolved_at: Timestamp | null
  resolved_by: string | null
}

export function exceptionView(row: ExceptionRow): ScanException {
  return {
    id: row.id,
    client_id: row.client_id,
    client_name: row.client_name,
    kind: row.kind,
    object_id: row.object_id,
    scan_id: row.scan_id,
    scan: row.scan,
    queued_at: row.queued_at,
    queued_by: row.queued_by,
    reason: row.reason,
    created_at: row.created_at,
    sent_by: row.sent_by,
    status: row.decision === null ? 'OPEN' : 'RESOLVED',
    decision: row.decision,
    comment: row.comment,
    resolved_at: row.resolved_at,
    resolved_by: row.resolved_by,
  }
}
