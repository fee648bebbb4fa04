import type { Work } from '../db/work.ts'
import { invalidField, notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { fold } from './fold.ts'
import type { Marketplace, ShipmentsPlace } from './marketplace.ts'
import type { Mode } from './mode.ts'
import { oldestWarehouse } from './warehouses.ts'

export interface ClientDraft {
  readonly mode: Mode
  readonly name: string
  readonly inn?: string | undefined
  /** The oldest, unless told. */
  readonly warehouse?: string | undefined
}

/** A legal entity with its counters. Throws validation_error naming `inn` or `warehouse_code`. */
export async function createClient(work: Work, draft: ClientDraft): Promise<string> {
  const { tx } = work
  const { mode, name, inn } = draft
  refuseBadInn(inn)
  const warehouse = draft.warehouse ?? (await oldestWarehouse(work))
  await refuseUnknownWarehouse(work, mode, warehouse)
  const id = newId()
  await tx`
    insert into clients (id, mode, name, name_folded, inn, warehouse_code, created_at)
    values (${id}, ${mode}, ${name}, ${fold(name)}, ${inn ?? null}, ${warehouse}, ${work.at})`
  await tx`insert into client_counters (client_id) values (${id})`
  return id
}

export interface ClientPatch {
  readonly name?: string | undefined
  /** Null: none. */
  readonly inn?: string | null | undefined
  readonly warehouse?: string | undefined
}

/** Changes a live client. False: it was so before. Throws as `createClient` does, and not_found. */
export async function changeClient(work: Work, id: string, patch: ClientPatch): Promise<boolean> {
  const { tx } = work
  const [old] = await tx<{ name: string; inn: string | null; warehouse_code: string }[]>`
    select name, inn, warehouse_code from clients
    where id = ${id} and mode = 'live' for no key update`
  if (old === undefined) throw notFound('Клиент не найден')
  const name = patch.name ?? old.name
  const inn = patch.inn === undefined ? old.inn : patch.inn
  const warehouse = patch.warehouse ?? old.warehouse_code
  refuseBadInn(patch.inn ?? undefined)
  if (warehouse !== old.warehouse_code) await refuseUnknownWarehouse(work, 'live', warehouse)
  if (name === old.name && inn === old.inn && warehouse === old.warehouse_code) return false
  await tx`
    update clients set name = ${name}, name_folded = ${fold(name)}, inn = ${inn},
      warehouse_code = ${warehouse}
    where id = ${id}`
  return true
}

function refuseBadInn(inn: string | undefined): void {
  if (inn !== undefined && !/^(?:\d{10}|\d{12})$/.test(inn)) {
    throw invalidField('inn', '10 или 12 цифр')
  }
}

/** The goods of live clients lie in real warehouses. */
async function refuseUnknownWarehouse(work: Work, mode: Mode, code: string): Promise<void> {
  const [known] = await work.tx<{ mode: Mode }[]>`
    select mode from warehouses where code = ${code}`
  if (known === undefined || (mode === 'live' && known.mode === 'test')) {
    throw invalidField('warehouse_code', 'такого склада нет')
  }
}

export interface CabinetDraft {
  readonly marketplace: Marketplace
  readonly name: string
  /** Where the shipments of its orders are made; `ours` unless told. */
  readonly shipments?: ShipmentsPlace | undefined
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
    insert into cabinets (client_id, id, marketplace, name, shipments, created_at)
    values (${clientId}, ${id}, ${draft.marketplace}, ${draft.name},
      ${draft.shipments ?? 'ours'}, ${work.at})`
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
