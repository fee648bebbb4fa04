import Type, { type Static } from 'typebox'
import type { Queryable } from '../db/connection.ts'
import { afterPosition } from '../db/newest-first.ts'
import { clientsOf } from '../db/newest-of-all.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../db/page.ts'
import type { Work } from '../db/work.ts'
import { notFound } from '../kernel/errors.ts'
import { isId } from '../kernel/ids.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { moment, momentOrNull, oneOfValues } from '../kernel/schema.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { type CredentialsDraft, credentialsOf, sealCredentials } from './credentials.ts'
import {
  type Marketplace,
  marketplaces,
  type ShipmentsPlace,
  shipmentsPlaces,
} from './marketplace.ts'
import { addCabinet } from './verbs.ts'

/** Cabinets as staff see and change them; `me.ts` has what sellers see. */

export const credentialsStates = ['none', 'unchecked', 'good', 'expiring', 'refused'] as const
export type CredentialsState = (typeof credentialsStates)[number]

export const StaffCabinet = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор кабинета.' }),
    client_id: Type.String({ description: 'Юридическое лицо.' }),
    marketplace: oneOfValues(marketplaces, 'Маркетплейс кабинета.'),
    name: Type.String({ description: 'Название кабинета.' }),
    active: Type.Boolean({ description: 'Подключён ли кабинет сейчас.' }),
    synced_at: momentOrNull('Когда данные маркетплейса успешно получены; null, если ещё ни разу.'),
    sync_error: Type.Optional(
      Type.String({
        description: 'Почему не удалась последняя синхронизация; при удачной поля нет.',
      }),
    ),
    shipments: oneOfValues(
      shipmentsPlaces,
      'Где собирают новые отгрузки: `ours` — здесь, `mirrored` — в кабинете маркетплейса.',
    ),
    has_credentials: Type.Boolean({ description: 'Заданы ли ключи маркетплейса.' }),
    credentials_at: momentOrNull('Когда они заданы; null, если их нет.'),
    credentials_state: oneOfValues(
      credentialsStates,
      'Что с ключами: нет, ещё не проверены, приняты, скоро истекут (за две недели), не приняты.',
    ),
    credentials_expire_at: momentOrNull('До какого времени они действуют, если известно.'),
    created_at: moment('Когда заведён.'),
  },
  { $id: 'StaffCabinet', description: 'Кабинет на маркетплейсе.' },
)
export type StaffCabinet = Static<typeof StaffCabinet>

interface CabinetRow {
  id: string
  client_id: string
  marketplace: Marketplace
  name: string
  active: boolean
  synced_at: Timestamp | null
  sync_error: string | null
  shipments: ShipmentsPlace
  credentials_at: Timestamp | null
  credentials_state: CredentialsState
  credentials_expire_at: Timestamp | null
  created_at: Timestamp
}

function columns(db: Queryable) {
  return db`
    k.id, k.client_id, k.marketplace, k.name, k.active, k.synced_at, k.sync_error, k.shipments,
    k.credentials_at, ${stateOf(db)} as credentials_state, y.credentials_expire_at, k.created_at`
}

/** Managers hear of a key that runs out so long before. */
export const expiringDays = 14

function stateOf(db: Queryable) {
  return db`
    case when k.credentials is null then 'none'
      when y.started_at is null or k.credentials_at > y.started_at then 'unchecked'
      when y.credentials_refused then 'refused'
      when y.credentials_expire_at < now() + make_interval(days => ${expiringDays}) then 'expiring'
      when y.access_at is null then 'unchecked' else 'good' end`
}

/** Cabinets k with how far their syncing is, y. */
function tables(db: Queryable) {
  return db`
    cabinets k
    left join cabinet_syncs y on y.client_id = k.client_id and y.cabinet_id = k.id`
}

function viewOf(row: CabinetRow): StaffCabinet {
  return {
    id: row.id,
    client_id: row.client_id,
    marketplace: row.marketplace,
    name: row.name,
    active: row.active,
    synced_at: row.synced_at,
    ...(row.sync_error === null ? {} : { sync_error: row.sync_error }),
    shipments: row.shipments,
    has_credentials: row.credentials_at !== null,
    credentials_at: row.credentials_at,
    credentials_state: row.credentials_state,
    credentials_expire_at: row.credentials_expire_at,
    created_at: row.created_at,
  }
}

/** A cabinet; locked against changes where that is asked for. */
export async function findCabinet(
  db: Queryable,
  clientId: string,
  id: string,
  lock = false,
): Promise<StaffCabinet | undefined> {
  if (!isId(id)) return undefined
  const [row] = await db<CabinetRow[]>`
    select ${columns(db)} from ${tables(db)}
    where k.client_id = ${clientId} and k.id = ${id} ${lock ? db`for no key update of k` : db``}`
  return row === undefined ? undefined : viewOf(row)
}

/** The cabinets of a client, the newest first. */
export async function listCabinets(
  db: Queryable,
  clientId: string,
  page: PageRequest,
): Promise<Page<StaffCabinet>> {
  const total = db`select count(*) from cabinets k where k.client_id = ${clientId}`
  const rows = await db<(CabinetRow & { total: number })[]>`
    select ${columns(db)}, (${total}) as total from ${tables(db)}
    where k.client_id = ${clientId} ${afterPosition(db, 'k', page.after)}
    order by k.created_at desc, k.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: viewOf,
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

export interface CabinetFilter {
  readonly client_id: string | undefined
  readonly credentials_state: CredentialsState | undefined
}

/** Cabinets of all live clients or of one, the newest first. */
export async function listCabinetsOfAll(
  db: Queryable,
  filter: CabinetFilter,
  page: PageRequest,
): Promise<Page<StaffCabinet>> {
  const { client_id: client, credentials_state: state } = filter
  if (client !== undefined && !isId(client)) return { items: [], total: 0, next: null }
  const matching = db`
    ${clientsOf(db, client)} join (${tables(db)}) on k.client_id = c.id
    where ${state === undefined ? db`true` : db`${stateOf(db)} = ${state}`}`
  const total = db`select count(*) from ${matching}`
  const rows = await db<(CabinetRow & { total: number })[]>`
    select ${columns(db)}, (${total}) as total from ${matching} ${afterPosition(db, 'k', page.after)}
    order by k.created_at desc, k.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: viewOf,
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

export interface ConnectedDraft {
  readonly marketplace: Marketplace
  readonly name: string
  readonly credentials?: CredentialsDraft | undefined
  /** Mirrored where there are credentials, and ours where there are none, unless told. */
  readonly shipments?: ShipmentsPlace | undefined
}

/** A cabinet with what opens it on the marketplace. Throws validation_error, not_found. */
export async function connectCabinet(
  work: Work,
  box: SecretBox,
  clientId: string,
  draft: ConnectedDraft,
): Promise<string> {
  const { marketplace, name, credentials } = draft
  const given = credentials && credentialsOf(marketplace, credentials)
  const shipments = draft.shipments ?? (given === undefined ? 'ours' : 'mirrored')
  const id = await addCabinet(work, clientId, { marketplace, name, shipments })
  if (given !== undefined)
    await keepCredentials(work, clientId, id, sealCredentials(box, id, given))
  return id
}

export interface CabinetPatch {
  readonly name?: string | undefined
  readonly active?: boolean | undefined
  /** Null: taken away. */
  readonly credentials?: CredentialsDraft | null | undefined
  readonly shipments?: ShipmentsPlace | undefined
}

/**
 * Changes a cabinet; where shipments are made stays as it is unless told. False: it was so before.
 * Throws validation_error, not_found.
 */
export async function changeCabinet(
  work: Work,
  box: SecretBox,
  clientId: string,
  id: string,
  patch: CabinetPatch,
): Promise<boolean> {
  const { tx } = work
  const old = await lockCabinet(work, clientId, id)
  const { name = old.name, active = old.active, shipments = old.shipments, credentials } = patch
  const given = credentials && credentialsOf(old.marketplace, credentials)
  const taken = credentials === null && old.credentials_at !== null
  if (given) await keepCredentials(work, clientId, id, sealCredentials(box, id, given))
  if (taken) await keepCredentials(work, clientId, id, null)
  const changed = name !== old.name || active !== old.active || shipments !== old.shipments
  if (changed) {
    await tx`
      update cabinets set name = ${name}, active = ${active}, shipments = ${shipments}
      where client_id = ${clientId} and id = ${id}`
  }
  return changed || taken || (given !== undefined && given !== null)
}

async function lockCabinet(work: Work, clientId: string, id: string): Promise<CabinetRow> {
  const [row] = await work.tx<CabinetRow[]>`
    select ${columns(work.tx)} from ${tables(work.tx)}
    where k.client_id = ${clientId} and k.id = ${id} for no key update of k`
  if (row === undefined) throw notFound('Кабинет не найден')
  return row
}

async function keepCredentials(
  work: Work,
  clientId: string,
  id: string,
  sealed: Buffer | null,
): Promise<void> {
  await work.tx`
    update cabinets set credentials = ${sealed},
      credentials_at = ${sealed === null ? null : work.at}
    where client_id = ${clientId} and id = ${id}`
}
