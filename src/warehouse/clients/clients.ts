import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { havingWords } from '../../platform/db/lists/filter.ts'
import { afterPosition } from '../../platform/db/lists/newest-first.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Work } from '../../platform/db/work.ts'
import { foldCase } from '../../platform/kernel/case-folding.ts'
import { conflict, invalidField, notFound } from '../../platform/kernel/errors.ts'
import { isId, newId } from '../../platform/kernel/ids.ts'
import { innProblemOf } from '../../platform/kernel/inn.ts'
import type { Mode } from '../../platform/kernel/mode.ts'
import { moscowDate } from '../../platform/kernel/moscow-time.ts'
import { moment, textOrNull } from '../../platform/kernel/schema.ts'
import { oldestWarehouse } from './warehouses.ts'

/** Clients: legal entities that keep goods in the warehouse. This file alone writes them. */

export const Client = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор юридического лица.' }),
    name: Type.String({ description: 'Название.' }),
    inn: textOrNull('ИНН; null, если не заполнен.'),
    warehouse_code: Type.String({ description: 'Код склада, где лежат товары.' }),
    account_receipts: Type.Boolean({
      description: 'Можно ли пользователям клиента заявлять поставки в кабинете.',
    }),
    created_at: moment('Когда заведён.'),
  },
  { $id: 'Client', description: 'Юридическое лицо.' },
)
export type Client = Static<typeof Client>

function columns(db: Queryable) {
  return db`c.id, c.name, c.inn, c.warehouse_code, c.account_receipts, c.created_at`
}

/** Finds a live client; with `lock` nobody else changes it until the transaction ends. */
export async function findClient(
  db: Queryable,
  id: string,
  lock = false,
): Promise<Client | undefined> {
  if (!isId(id)) return undefined
  const [row] = await db<Client[]>`
    select ${columns(db)} from clients c where c.id = ${id} and c.mode = 'live'
    ${lock ? db`for no key update` : db``}`
  return row
}

/** Keeps the client in its warehouse until the transaction ends: it does not move while goods are received there. */
export async function keepInWarehouse({ tx }: Work, id: string): Promise<void> {
  await tx`select from clients where id = ${id} for share`
}

/** Whether the client's goods lie in one of these warehouses. */
export async function isClientOf(
  db: Queryable,
  id: string,
  warehouses: readonly string[],
): Promise<boolean> {
  const [known] = await db`
    select id from clients where id = ${id} and warehouse_code = any(${[...warehouses]})`
  return known !== undefined
}

/** Live clients by name, of some warehouses where codes are given: those whose things a manager exports. */
export function clientNames(
  db: Queryable,
  warehouses: readonly string[],
  client: string | undefined,
): Promise<{ id: string; name: string }[]> {
  return db<{ id: string; name: string }[]>`
    select c.id, c.name from clients c
    where c.mode = 'live' ${client === undefined ? db`` : db`and c.id = ${client}`}
      ${warehouses.length === 0 ? db`` : db`and c.warehouse_code = any(${[...warehouses]})`}
    order by c.name, c.id`
}

/** Lists live clients, of some warehouses where codes are given, newest first; `search`: words of the name, or part of the INN. */
export async function listClients(
  db: Queryable,
  search: string | undefined,
  page: PageRequest,
  warehouses: readonly string[] = [],
): Promise<Page<Client>> {
  const matches = db`
    c.mode = 'live' ${warehouses.length === 0 ? db`` : db`and c.warehouse_code = any(${[...warehouses]})`}
    ${
      search === undefined
        ? db``
        : db`and ${havingWords(db, search, db`concat_ws(' ', c.name_folded, c.inn)`)}`
    }`
  const total = db`select count(*) from clients c where ${matches}`
  const rows = await db<(Client & { total: number })[]>`
    select ${columns(db)}, ${totalFor(db, total, page)} as total from clients c
    where ${matches} ${afterPosition(db, 'c', page.after)}
    order by c.created_at desc, c.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ total: _, ...client }) => client,
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

export interface NewClient {
  readonly mode: Mode
  readonly name: string
  readonly inn?: string | undefined
  /** The oldest warehouse by default. */
  readonly warehouse?: string | undefined
  /** The legal entity keeps goods of two kinds apart, each under a client of its own. */
  readonly allowDuplicateInn?: boolean | undefined
}

/** Creates a client. Throws validation_error naming `inn` or `warehouse_code`. */
export async function createClient(work: Work, draft: NewClient): Promise<string> {
  const { tx } = work
  const { mode, name, inn } = draft
  refuseBadInn(inn)
  const warehouse = draft.warehouse ?? (await oldestWarehouse(work))
  await refuseUnknownWarehouse(work, mode, warehouse)
  if (mode === 'live' && inn !== undefined && !draft.allowDuplicateInn) {
    await refuseDuplicateInn(work, { inn, warehouse })
  }
  const id = newId()
  await tx`
    insert into clients (id, mode, name, name_folded, inn, warehouse_code, created_at)
    values (${id}, ${mode}, ${name}, ${foldCase(name)}, ${inn ?? null}, ${warehouse}, ${work.at})`
  await tx`insert into client_counters (client_id) values (${id})`
  return id
}

export interface ClientChanges {
  readonly name?: string | undefined
  /** Null removes it. */
  readonly inn?: string | null | undefined
  readonly warehouse?: string | undefined
  readonly allowDuplicateInn?: boolean | undefined
  /** Whether the client's users may announce receipts in the account. */
  readonly accountReceipts?: boolean | undefined
}

/** Changes a live client. Returns false where nothing differs. Throws validation_error, not_found. */
export async function changeClient(work: Work, id: string, patch: ClientChanges): Promise<boolean> {
  const { tx } = work
  const [old] = await tx<Client[]>`
    select ${columns(tx)} from clients c
    where id = ${id} and mode = 'live' for no key update`
  if (old === undefined) throw notFound('Клиент не найден')
  const name = patch.name ?? old.name
  const inn = patch.inn === undefined ? old.inn : patch.inn
  const warehouse = patch.warehouse ?? old.warehouse_code
  const accountReceipts = patch.accountReceipts ?? old.account_receipts
  refuseBadInn(patch.inn ?? undefined)
  if (warehouse !== old.warehouse_code) {
    await refuseUnknownWarehouse(work, 'live', warehouse)
    await refuseWhileGoodsLie(work, id)
  }
  const moved = inn !== old.inn || warehouse !== old.warehouse_code
  const allowed = accountReceipts !== old.account_receipts
  if (name === old.name && !moved && !allowed) return false
  if (moved && inn !== null && !patch.allowDuplicateInn) {
    await refuseDuplicateInn(work, { inn, warehouse })
  }
  await tx`
    update clients set name = ${name}, name_folded = ${foldCase(name)}, inn = ${inn},
      warehouse_code = ${warehouse}, account_receipts = ${accountReceipts}
    where id = ${id}`
  if (warehouse !== old.warehouse_code) await keepMove(work, id, [old.warehouse_code, warehouse])
  return true
}

/** From today on the client is in another warehouse; before its first move it was in the one that it leaves. */
async function keepMove(
  { tx, now }: Work,
  id: string,
  [from, to]: readonly [string, string],
): Promise<void> {
  await tx`
    insert into client_warehouses (client_id, first_day, warehouse_code)
    select id, month_of(moscow_day(created_at)), ${from} from clients c
    where id = ${id} and not exists (select from client_warehouses h where h.client_id = c.id)`
  await tx`
    insert into client_warehouses (client_id, first_day, warehouse_code) values (${id}, ${moscowDate(now)}, ${to})
    on conflict (client_id, first_day) do update set warehouse_code = excluded.warehouse_code`
}

function refuseBadInn(inn: string | undefined): void {
  const problem = inn === undefined ? undefined : innProblemOf(inn)
  if (problem !== undefined) throw invalidField('inn', problem)
}

/**
 * Refuses a second client of a legal entity in the warehouse: mostly somebody adds the client again. Of several equal
 * clients at once the lock on the warehouse lets one be the first.
 */
async function refuseDuplicateInn(
  { tx }: Work,
  { inn, warehouse }: { readonly inn: string; readonly warehouse: string },
): Promise<void> {
  await tx`select from warehouses where code = ${warehouse} for no key update`
  const [known] = await tx<{ name: string }[]>`
    select name from clients
    where warehouse_code = ${warehouse} and inn = ${inn} and mode = 'live'
    order by created_at limit 1`
  if (known === undefined) return
  throw invalidField(
    'inn',
    `на этом складе уже есть клиент с таким ИНН: ${known.name}. Если нужен второй, ` +
      'передайте allow_duplicate_inn: true (в командной строке --allow-duplicate-inn)',
  )
}

/**
 * Refuses a move while goods of the client lie in the old warehouse, or a receipt is being counted: goods do not move
 * with a setting.
 */
async function refuseWhileGoodsLie({ tx }: Work, id: string): Promise<void> {
  const [held] = await tx<[{ units: number; places: number; receipts: number }]>`
    select coalesce((
        select sum(quantity) from stock_balances where client_id = ${id} and quantity > 0
      ), 0)::bigint as units,
      (select count(*) from boxes where client_id = ${id} and location_id is not null)
        + (select count(*) from pallets where client_id = ${id} and location_id is not null) as places,
      (select count(*) from receipts where client_id = ${id} and status = 'RECEIVING') as receipts`
  if (held.units > 0) {
    throw conflict(
      `На складе лежат товары клиента, ${held.units} шт.: сначала отгрузите или спишите их`,
    )
  }
  if (held.places > 0) {
    throw conflict('На местах хранения стоят короба или паллеты клиента: сначала снимите их')
  }
  if (held.receipts > 0) throw conflict('У клиента идёт приёмка: сначала завершите её')
}

/** Refuses a warehouse of sandboxes for a live client, too. */
async function refuseUnknownWarehouse(work: Work, mode: Mode, code: string): Promise<void> {
  const [known] = await work.tx<{ mode: Mode }[]>`
    select mode from warehouses where code = ${code}`
  if (known === undefined || (mode === 'live' && known.mode === 'test')) {
    throw invalidField('warehouse_code', 'такого склада нет')
  }
}
