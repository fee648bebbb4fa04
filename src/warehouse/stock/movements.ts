import Type, { type Static } from 'typebox'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf, isWithin } from '../../platform/db/lists/filter.ts'
import { newestAcrossClients } from '../../platform/db/lists/newest-first.ts'
import {
  countedMax,
  countOf,
  emptyPage,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Position } from '../../platform/kernel/cursor.ts'
import { areIds } from '../../platform/kernel/ids.ts'
import type { Instant, Timestamp } from '../../platform/kernel/moscow-time.ts'
import { ObjectName } from '../../platform/kernel/object-name.ts'
import { moment, named, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { clientsOf } from '../clients/list-conditions.ts'
import { type MovementKind, movementKinds } from './ledger.ts'

/** What moved, and by how much: for staff and sellers alike. */
export const movementGoods = {
  time: moment('Когда.'),
  barcode: Type.String({ description: 'Штрихкод товара.' }),
  name: Type.String({ description: 'Название товара.' }),
  kind: oneOfValues(
    movementKinds,
    'Вид движения; return — вернулось на склад, question меняет только единицы под вопросом.',
  ),
}
export const movementUnits = {
  delta: Type.Integer({ description: 'Единиц пришло (+) или ушло (−).' }),
  question_delta: Type.Integer({
    description: 'Единиц стало (+) или перестало быть (−) под вопросом.',
  }),
}

export const StockMovement = Type.Object(
  {
    id: Type.Integer({ description: 'Номер движения у клиента: растёт.' }),
    client_id: Type.String({ description: 'Клиент.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    ...movementGoods,
    ...movementUnits,
    reason: textOrNull('Код причины.'),
    comment: textOrNull('Комментарий.'),
    receipt_id: textOrNull('Приёмка.'),
    shipment_id: textOrNull('Отгрузка.'),
    order_id: textOrNull('Заказ.'),
    return_id: textOrNull('Приём возвратов.'),
    document: Type.Optional(named(ObjectName)),
    entry_id: Type.Optional(
      Type.String({
        description:
          'Номер записи, который дал тот, кто исправил остаток: к ней можно приложить фото; без номера поля нет.',
      }),
    ),
    entry_with_photos: Type.Optional(
      Type.String({
        description:
          'Номер записи (entry_id), к которой приложены фото: GET /clients/{id}/stock-entries/{entry}/photos; без фото поля нет.',
      }),
    ),
    actor: Type.String({ description: 'Кто: `staff:<id>`, `command-line` и другие.' }),
    actor_name: Type.Optional(Type.String({ description: 'Он же словами: имя или «робот».' })),
  },
  { $id: 'StockMovement', description: 'Запись журнала движений.' },
)
export type StockMovement = Static<typeof StockMovement>

export interface MovementFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[]
  readonly barcode: string | undefined
  readonly kind: MovementKind | undefined
  /** The code of a reason. */
  readonly reason: string | undefined
  readonly from: Instant | undefined
  readonly to: Instant | undefined
}

type MovementRow = Omit<StockMovement, 'time' | 'entry_id' | 'entry_with_photos'> & {
  at: Timestamp
  entry_id: string | null
  photographed: boolean | null
  total: number
}

/** Lists the ledger of a client or of all, newest first; movements of one moment by their numbers. */
export async function listMovements(
  db: Database,
  { client_id: client, warehouses, from, to, ...filter }: MovementFilter,
  page: PageRequest,
): Promise<Page<StockMovement>> {
  if (!areIds(client)) return emptyPage
  const matching = db`true ${conditionsOf(db, filter, {
    barcode: (barcode) => db`x.barcode = ${barcode}`,
    kind: (kind) => db`x.kind = ${kind}`,
    reason: (reason) => db`x.reason = ${reason}`,
  })}`
  const clients = clientsOf(db, client, warehouses)
  const within = { from, to }
  const where = db`${matching} and ${isWithin(db, db`x.at`, within)}`
  const total = db`
    select count(*) from (
      select from ${clients} join stock_movements x on x.client_id = c.id where ${where}
      limit ${countedMax}) counted`
  const across = {
    clients,
    table: 'stock_movements',
    time: 'at',
    where: matching,
    within,
    parts: partsOf(db, filter),
  }
  const bound = { limit: page.limit, after: placeAfter(db, page.after) }
  const rows = await db<MovementRow[]>`
    select m.id, m.client_id, owner.name as client_name, m.at, m.barcode, p.name, m.kind, m.delta, m.question_delta,
      m.reason, m.comment, m.receipt_id, m.shipment_id, m.order_id, m.return_id,
      m.actor, entry.entry_id, entry.photographed, ${totalFor(db, total, page)} as total
    from (${newestAcrossClients(db, across, bound)}) k
    join stock_movements m on m.client_id = k.client_id and m.id = k.id
    join clients owner on owner.id = m.client_id
    join products p on p.client_id = m.client_id and p.barcode = m.barcode
    left join lateral (
      select e.entry_id, exists (
        select from photos f
        where f.client_id = e.client_id and f.kind = 'stock_entry' and f.object_id = e.entry_id
      ) as photographed
      from stock_entries e
      where e.client_id = m.client_id and e.at = m.at and e.actor = m.actor
        and m.kind in ('correction', 'write_off', 'question')
      order by photographed desc, e.entry_id limit 1
    ) entry on true
    order by m.at desc, m.id desc`
  return pageOf(rows, page, {
    view: ({ at, entry_id: entry, photographed, ...row }) => ({
      id: row.id,
      client_id: row.client_id,
      client_name: row.client_name,
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
      ...(entry === null ? {} : { entry_id: entry }),
      ...(entry === null || photographed !== true ? {} : { entry_with_photos: entry }),
      actor: row.actor,
    }),
    position: (row) => [row.at, row.id],
    count: () => countOf(db, total),
  })
}

/** The ledger is read by time in the index of its goods, of its reasons or of each of its kinds: none is of time alone. */
function partsOf(
  db: Queryable,
  { barcode, kind, reason }: Pick<MovementFilter, 'barcode' | 'kind' | 'reason'>,
): Fragment[] {
  const isNarrow = [barcode, kind, reason].some((value) => value !== undefined)
  return isNarrow ? [db`true`] : movementKinds.map((each) => db`x.kind = ${each}`)
}

function placeAfter(db: Queryable, after: Position | undefined): Fragment | undefined {
  if (after === undefined) return undefined
  const [at, id] = [String(after[0]), Number(after[1])]
  return db`(${at}::timestamptz, ${id}::bigint)`
}
