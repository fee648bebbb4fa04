import type { Database } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { Marketplace } from './marketplace.ts'

export type Mode = 'live' | 'test'

/** The warehouse a client gets when none is named: the oldest, made on the spot if there is none. */
const defaultWarehouse = { code: 'MAIN', name: 'Основной склад' }

export async function addWarehouse(
  work: Work,
  warehouse: { code: string; name: string; mode?: Mode },
): Promise<void> {
  const added = await work.tx`
    insert into warehouses (code, name, mode, created_at)
    values (${warehouse.code}, ${warehouse.name}, ${warehouse.mode ?? 'live'}, ${work.at})
    on conflict do nothing returning code`
  if (added.length === 0) throw conflict(`Склад с кодом ${warehouse.code} уже есть`)
}

export interface ClientDraft {
  readonly mode: Mode
  readonly name: string
  readonly inn?: string | undefined
  readonly warehouse?: string | undefined
}

/** A legal entity with its counters. Throws not_found for a warehouse that is not there. */
export async function createClient(work: Work, draft: ClientDraft): Promise<string> {
  const { tx } = work
  const warehouse = draft.warehouse ?? (await firstWarehouse(work))
  const [known] = await tx`select code from warehouses where code = ${warehouse}`
  if (known === undefined) throw notFound(`Склад ${warehouse} не найден`)
  const id = newId()
  await tx`
    insert into clients (id, mode, name, inn, warehouse_code, created_at)
    values (${id}, ${draft.mode}, ${draft.name}, ${draft.inn ?? null}, ${warehouse}, ${work.at})`
  await tx`insert into client_counters (client_id) values (${id})`
  return id
}

async function firstWarehouse(work: Work): Promise<string> {
  const [first] = await work.tx<{ code: string }[]>`
    select code from warehouses where mode = 'live' order by created_at, code limit 1`
  if (first !== undefined) return first.code
  await addWarehouse(work, defaultWarehouse)
  return defaultWarehouse.code
}

export interface CabinetDraft {
  readonly marketplace: Marketplace
  readonly name: string
}

export async function addCabinet(
  work: Work,
  clientId: string,
  draft: CabinetDraft,
): Promise<string> {
  const [client] = await work.tx`select id from clients where id = ${clientId}`
  if (client === undefined) throw notFound('Клиент не найден')
  const id = newId()
  await work.tx`
    insert into cabinets (client_id, id, marketplace, name, created_at)
    values (${clientId}, ${id}, ${draft.marketplace}, ${draft.name}, ${work.at})`
  return id
}

/** From the first orders on, the status transitions of a cabinet are known. */
export async function startHistory(work: Work, clientId: string, cabinetId: string): Promise<void> {
  await work.tx`
    update cabinets set history_since = ${work.at}
    where client_id = ${clientId} and id = ${cabinetId} and history_since is null`
}

/** The last sync of the cabinet went through: its figures are as of now, and an old error is gone. */
export async function recordSync(work: Work, clientId: string, cabinetId: string): Promise<void> {
  await work.tx`
    update cabinets set synced_at = ${work.at}, sync_error = null
    where client_id = ${clientId} and id = ${cabinetId}`
}

/** The last sync failed; `reason` is a Russian sentence that the seller reads. */
export async function recordSyncFailure(
  work: Work,
  clientId: string,
  cabinetId: string,
  reason: string,
): Promise<void> {
  await work.tx`
    update cabinets set sync_error = ${reason} where client_id = ${clientId} and id = ${cabinetId}`
}

/** Live clients, the oldest first. */
export function listClients(db: Database): Promise<object[]> {
  return db`
    select id, name, inn, warehouse_code, created_at from clients
    where mode = 'live' order by created_at, id`
}
