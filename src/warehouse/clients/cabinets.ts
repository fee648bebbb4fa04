import type { Transaction } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import type { SecretBox } from '../../platform/kernel/secret-box.ts'
import { type CabinetRow, cabinetColumns, cabinetTables } from './cabinet-view.ts'
import {
  type CredentialsCheck,
  type CredentialsDraft,
  credentialsOf,
  sealCredentials,
  type TokenType,
} from './credentials.ts'
import type { Marketplace, ShipmentsPlace } from './marketplace.ts'

/** Cabinets of clients on marketplaces: the only writer of cabinets. */

export interface NewCabinet {
  readonly marketplace: Marketplace
  readonly name: string
  /** Where shipments of its orders are made; `ours` by default. */
  readonly shipments?: ShipmentsPlace | undefined
  /** From the creation of an order to its deadline, where the marketplace names none. */
  readonly deadline_hours?: number | undefined
}

export async function addCabinet(work: Work, clientId: string, draft: NewCabinet): Promise<string> {
  const [client] = await work.tx`select id from clients where id = ${clientId}`
  if (client === undefined) throw notFound('Клиент не найден')
  const id = newId()
  await work.tx`
    insert into cabinets (client_id, id, marketplace, name, shipments, observed_since, deadline_hours,
      created_at)
    values (${clientId}, ${id}, ${draft.marketplace}, ${draft.name},
      ${draft.shipments ?? 'ours'}, ${draft.shipments === 'observe' ? work.at : null},
      ${draft.deadline_hours ?? null}, ${work.at})`
  return id
}

export interface NewConnectedCabinet {
  readonly marketplace: Marketplace
  readonly name: string
  readonly credentials?: CredentialsDraft | undefined
  /** What the marketplace said of them. */
  readonly check?: CredentialsCheck | undefined
  /** By default `mirrored` with credentials and `ours` without. */
  readonly shipments?: ShipmentsPlace | undefined
}

/** Adds a cabinet with its credentials, if given. Throws validation_error, not_found. */
export async function connectCabinet(
  work: Work,
  box: SecretBox,
  clientId: string,
  draft: NewConnectedCabinet,
): Promise<string> {
  const { marketplace, name, credentials } = draft
  const given = credentials && credentialsOf(marketplace, credentials)
  const shipments = draft.shipments ?? (given === undefined ? 'ours' : 'mirrored')
  const id = await addCabinet(work, clientId, { marketplace, name, shipments })
  if (given !== undefined)
    await keepCredentials(work, clientId, id, sealCredentials(box, id, given), draft.check)
  return id
}

export interface CabinetChanges {
  readonly name?: string | undefined
  readonly active?: boolean | undefined
  /** Null removes them. */
  readonly credentials?: CredentialsDraft | null | undefined
  /** What the marketplace said of them. */
  readonly check?: CredentialsCheck | undefined
  readonly shipments?: ShipmentsPlace | undefined
  /** The rule for orders whose marketplace names no deadline. Null: none. */
  readonly deadline_hours?: number | null | undefined
  readonly shipping_method_required?: boolean | undefined
  /** The marketplace's numbers of the warehouses whose orders are ours. Null: not chosen. */
  readonly warehouses?: readonly string[] | null | undefined
}

/**
 * Changes a cabinet. Returns false where nothing differs. Throws validation_error, not_found. What observing
 * means for orders and shipments is in `exchange/marketplaces/cabinets/observe-cabinet.ts`.
 */
export async function changeCabinet(
  work: Work,
  box: SecretBox,
  clientId: string,
  id: string,
  patch: CabinetChanges,
): Promise<boolean> {
  const { tx } = work
  const old = await lockCabinet(work, clientId, id)
  const { name = old.name, active = old.active, shipments = old.shipments, credentials } = patch
  const { deadline_hours = old.deadline_hours } = patch
  const { shipping_method_required = old.shipping_method_required } = patch
  const { warehouses = old.own_warehouses } = patch
  const given = credentials && credentialsOf(old.marketplace, credentials)
  const taken = credentials === null && old.credentials_at !== null
  if (given) await keepCredentials(work, clientId, id, sealCredentials(box, id, given), patch.check)
  if (taken) await keepCredentials(work, clientId, id, null)
  const changed =
    name !== old.name ||
    active !== old.active ||
    shipments !== old.shipments ||
    deadline_hours !== old.deadline_hours ||
    shipping_method_required !== old.shipping_method_required ||
    JSON.stringify(warehouses) !== JSON.stringify(old.own_warehouses)
  if (changed) {
    await tx`
      update cabinets set name = ${name}, active = ${active}, shipments = ${shipments},
        observed_since = case when ${shipments} = 'observe' then coalesce(observed_since, ${work.at}) end,
        observed_until = case when shipments = 'observe' and ${shipments} <> 'observe' then ${work.at}
          else observed_until end,
        has_hidden_rows =
          ${shipments} <> 'observe' and (has_hidden_rows or shipments = 'observe'),
        deadline_hours = ${deadline_hours},
        shipping_method_required = ${shipping_method_required},
        own_warehouses = ${warehouses as string[] | null}
      where client_id = ${clientId} and id = ${id}`
  }
  return changed || taken || (given !== undefined && given !== null)
}

async function lockCabinet(work: Work, clientId: string, id: string): Promise<CabinetRow> {
  const [row] = await work.tx<CabinetRow[]>`
    select ${cabinetColumns(work.tx)} from ${cabinetTables(work.tx)}
    where k.client_id = ${clientId} and k.id = ${id} for no key update of k`
  if (row === undefined) throw notFound('Кабинет не найден')
  return row
}

const unchecked: CredentialsCheck = {
  rights: undefined,
  expiresAt: undefined,
  isForSandbox: false,
}

async function keepCredentials(
  work: Work,
  clientId: string,
  id: string,
  sealed: Buffer | null,
  { rights, expiresAt, isForSandbox, type }: CredentialsCheck = unchecked,
): Promise<void> {
  await work.tx`
    update cabinets set credentials = ${sealed},
      credentials_at = ${sealed === null ? null : work.at},
      credentials_rights = ${rights === undefined ? null : [...rights]},
      credentials_end = ${expiresAt === undefined ? null : toTimestamp(expiresAt)},
      credentials_sandbox = ${isForSandbox}, credentials_type = ${type ?? null},
      -- A key that the marketplace accepts ends the failure of the former one.
      sync_error = case when ${rights !== undefined} then null else sync_error end
    where client_id = ${clientId} and id = ${id}`
}

/** What a sync run reads in a token that was entered before anybody asked for its kind. */
export async function recordTokenType(
  tx: Transaction,
  clientId: string,
  id: string,
  type: TokenType,
): Promise<void> {
  await tx`
    update cabinets set credentials_type = ${type}
    where client_id = ${clientId} and id = ${id} and credentials_type is distinct from ${type}`
}

/** Sellers see all orders and shipments of the cabinet from now on. */
export async function endHiding(work: Work, clientId: string, id: string): Promise<void> {
  await work.tx`
    update cabinets set has_hidden_rows = false where client_id = ${clientId} and id = ${id}`
}

/** Keeps the raw calls of a cabinet until then; null: no more. Throws not_found. */
export async function recordCallsUntil(
  work: Work,
  clientId: string,
  id: string,
  until: Timestamp | null,
): Promise<void> {
  await lockCabinet(work, clientId, id)
  await work.tx`
    update cabinets set calls_recorded_until = ${until}
    where client_id = ${clientId} and id = ${id}`
}

/** The cabinet has the data of another seller from now on, whose warehouses nobody has chosen. */
export async function forgetOwnWarehouses(
  work: Work,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  await work.tx`
    update cabinets set own_warehouses = null where client_id = ${clientId} and id = ${cabinetId}`
}

/**
 * Chooses the seller's only warehouse, unless somebody has chosen meanwhile or the cabinet has other credentials than
 * those with which the marketplace named it. Returns whether it did.
 */
export async function chooseOnlyWarehouse(
  work: Work,
  clientId: string,
  cabinetId: string,
  warehouse: string,
  readWith: Buffer,
): Promise<boolean> {
  const chosen = await work.tx`
    update cabinets set own_warehouses = ${[warehouse]}
    where client_id = ${clientId} and id = ${cabinetId}
      and own_warehouses is null and credentials = ${readWith}
    returning id`
  return chosen.length > 0
}

/** Records whose data the cabinet has from now on. */
export async function recordSeller(
  work: Work,
  clientId: string,
  cabinetId: string,
  sealed: Buffer,
): Promise<void> {
  await work.tx`
    update cabinets set seller = ${sealed} where client_id = ${clientId} and id = ${cabinetId}`
}

/** Records when the first orders arrived: from then on the status history is complete. */
export async function startHistory(work: Work, clientId: string, cabinetId: string): Promise<void> {
  await work.tx`
    update cabinets set history_since = ${work.at}
    where client_id = ${clientId} and id = ${cabinetId} and history_since is null`
}

/** Records a successful sync of the cabinet and clears the last error. */
export async function recordSync(work: Work, clientId: string, cabinetId: string): Promise<void> {
  await work.tx`
    update cabinets set synced_at = ${work.at}, sync_error = null
    where client_id = ${clientId} and id = ${cabinetId}`
}

/** Records a failed sync; `reason` is a Russian sentence that the seller reads. */
export async function recordSyncFailure(
  work: Work,
  clientId: string,
  cabinetId: string,
  reason: string,
): Promise<void> {
  await work.tx`
    update cabinets set sync_error = ${reason} where client_id = ${clientId} and id = ${cabinetId}`
}
