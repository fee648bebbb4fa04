import Type, { type Static } from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { moment, momentOrNull, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { type ExceptionKind, exceptionKindLabels, exceptionKinds } from './kinds.ts'

export const exceptionKindRule =
  'receipt_scan — скан приёмки, pick — скан сборки, pack_check — проверка упаковки, return_scan — скан ' +
  'возврата, return_scan_of_day — он же без номера приёма возвратов, count_scan — скан пересчёта, location_put, ' +
  'location_take и location_move — положили на место, взяли с него, переложили; box_put, box_take и box_move — то же с ' +
  'коробом; box_place и pallet_place — поставили короб или паллету.'
export const exceptionStatuses = ['OPEN', 'RESOLVED'] as const
export type ExceptionStatus = (typeof exceptionStatuses)[number]
export const exceptionDecisions = ['accepted', 'entered', 'dismissed'] as const
export type ExceptionDecision = (typeof exceptionDecisions)[number]

export const exceptionDecisionRule =
  'accepted — скан принимается сейчас, вашим именем; entered — единицы уже учтены вручную: ' +
  'корректировкой, новым сканом, новой приёмкой; dismissed — учитывать нечего.'

export const ScanException = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор исключения.' }),
    client_id: Type.String({ description: 'Клиент.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    kind: oneOfValues(exceptionKinds, exceptionKindRule),
    kind_label: Type.String({ description: 'Что отсканировали, по-русски.' }),
    object_id: Type.String({
      description:
        'Приёмка, задание на сборку, отгрузка, приём возвратов, пересчёт, место, короб или паллета; у ' +
        'return_scan_of_day — клиент.',
    }),
    scan_id: Type.String({ description: 'Номер скана от терминала.' }),
    scan: Type.Unknown({ description: 'Скан, каким его прислал терминал.' }),
    queued_at: moment('Когда отсканировали, по часам терминала.'),
    queued_by: textOrNull('Логин того, кто отсканировал; null, если терминал его не назвал.'),
    queued_by_name: textOrNull('Его имя; null, если такого пользователя нет.'),
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
  queued_by_name: string | null
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
    kind_label: exceptionKindLabels[row.kind],
    object_id: row.object_id,
    scan_id: row.scan_id,
    scan: row.scan,
    queued_at: row.queued_at,
    queued_by: row.queued_by,
    queued_by_name: row.queued_by_name,
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
