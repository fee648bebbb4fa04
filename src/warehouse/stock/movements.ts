import Type, { type Static } from 'typebox'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/filter.ts'
import {
  countedMax,
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/page.ts'
import type { Position } from '../../platform/kernel/cursor.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { ObjectName } from '../../platform/kernel/object-name.ts'
import { moment, named, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { type MovementKind, movementKinds } from './ledger.ts'

export const StockMovement = Type.Object(
  {
    id: Type.Integer({ description: 'Номер движения у клиента: растёт.' }),
    client_id: Type.String({ description: 'Клиент.' }),
    time: moment('Когда.'),
    barcode: Type.String({ description: 'Штрихкод товара.' }),
    name: Type.String({ description: 'Название товара.' }),
    kind: oneOfValues(
      movementKinds,
      'Вид движения; return — вернулось на склад, question меняет только единицы под вопросом.',
    ),
    delta: Type.Integer({ description: 'Единиц пришло (+) или ушло (−).' }),
    question_delta: Type.Integer({
      description: 'Единиц стало (+) или перестало быть (−) под вопросом.',
    }),
    reason: textOrNull('Код причины.'),
    comment: textOrNull('Комментарий.'),
    receipt_id: textOrNull('Приёмка.'),
    shipment_id: textOrNull('Отгрузка.'),
    order_id: textOrNull('Заказ.'),
    return_id: textOrNull('Приём возвратов.'),
    document: Type.Optional(named(ObjectName)),
    actor: Type.String({ description: 'Кто: `staff:<id>`, `command-line` и другие.' }),
    actor_name: Type.Optional(Type.String({ description: 'Он же словами: логин или «робот».' })),
  },
  { $id: 'StockMovement', description: 'Запись журнала движений.' },
)
export type StockMovement = Static<typeof StockMovement>

export interface MovementFilter {
  readonly barcode: string | undefined
  readonly kind: MovementKind | undefined
}

type MovementRow = Omit<StockMovement, 'time'> & { at: Timestamp; total: number }

/**
 * Lists the ledger of a client, newest first. Filtered by kind alone it is read by time, the order of
 * that index, else by number; movements of one moment keep the order of their numbers.
 */
export async function listMovements(
  db: Database,
  clientId: string,
  filter: MovementFilter,
  page: PageRequest,
): Promise<Page<StockMovement>> {
  const byTime = filter.kind !== undefined && filter.barcode === undefined
  const where = db`
    m.client_id = ${clientId}
    ${conditionsOf(db, filter, {
      barcode: (barcode) => db`m.barcode = ${barcode}`,
      kind: (kind) => db`m.kind = ${kind}`,
    })}`
  const total = db`
    select count(*) from (
      select from stock_movements m where ${where} limit ${countedMax}) counted`
  const rows = await db<MovementRow[]>`
    select m.id, m.client_id, m.at, m.barcode, p.name, m.kind, m.delta, m.question_delta, m.reason,
      m.comment, m.receipt_id, m.shipment_id, m.order_id, m.return_id,
      m.actor, ${totalFor(db, total, page)} as total
    from (
      select * from stock_movements m where ${where} ${afterMovement(db, page.after, byTime)}
      order by ${byTime ? db`m.at desc, m.id desc` : db`m.id desc`} limit ${page.limit + 1}
    ) m
    join products p on p.client_id = m.client_id and p.barcode = m.barcode
    order by ${byTime ? db`m.at desc, m.id desc` : db`m.id desc`}`
  return pageOf(rows, page, {
    view: ({ at, total: _, ...row }) => ({
      id: row.id,
      client_id: row.client_id,
      time: at,
      barcode: row.barcode,
      name: row.name,
      kind: row.kind,
      delta: row.delta,
      question_delta: row.question_delta,
      reason: row.reason,
      comment: row.comment,
      receipt_id: row.receipt_id,
      shipment_id: row.shipment_id,
      order_id: row.order_id,
      return_id: row.return_id,
      actor: row.actor,
    }),
    position: (row) => [row.at, row.id],
    count: () => countOf(db, total),
  })
}

function afterMovement(db: Queryable, after: Position | undefined, byTime: boolean) {
  if (after === undefined) return db``
  const [at, id] = [String(after[0]), Number(after[1])]
  return byTime ? db`and (m.at, m.id) < (${at}::timestamptz, ${id}::bigint)` : db`and m.id < ${id}`
}
