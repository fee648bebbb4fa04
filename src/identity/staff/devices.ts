import { hash, randomBytes, randomInt } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import { afterPosition } from '../../platform/db/lists/newest-first.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Work } from '../../platform/db/work.ts'
import { notFound, ServiceError } from '../../platform/kernel/errors.ts'
import { isId, newId } from '../../platform/kernel/ids.ts'
import { type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { moment, momentOrNull, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { isColleague } from './user-warehouses.ts'

/**
 * Handhelds on which workers switch by PIN, and devices that work without a person (`unattended.ts`).
 *
 *   WAITING --enrol--> ENROLLED --revoke--> REVOKED
 *   WAITING ------------------------revoke--> REVOKED
 *
 * - A manager gets a code that enrols one device once, within a quarter of an hour. The device keeps a
 *   secret in its cookie; the database has SHA-256 of both.
 * - A device without a person stands in one warehouse, and whoever works there sees it.
 * - A handheld stands in no warehouse. Colleagues of the last person who signed in on it see it; before the first
 *   sign-in, colleagues of the one who added it.
 * - Revoking a device ends its sessions. Signing in locks the device's row, so no session of a revoked
 *   device remains.
 */
export const deviceStatuses = ['WAITING', 'ENROLLED', 'REVOKED'] as const
export type DeviceStatus = (typeof deviceStatuses)[number]

/** Devices that work without a person. */
export const unattendedPurposes = ['STATION', 'SCREEN'] as const
export type UnattendedPurpose = (typeof unattendedPurposes)[number]
export const devicePurposes = ['HANDHELD', ...unattendedPurposes] as const
export type DevicePurpose = (typeof devicePurposes)[number]
export const devicePurposeRule =
  'HANDHELD — терминал, на нём входят по PIN; STATION — станция печати, SCREEN — экран на стене: им вход не нужен.'

export const StaffDevice = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор терминала.' }),
    name: Type.String({ description: 'Название: по нему терминал узнают на складе.' }),
    purpose: oneOfValues(devicePurposes, devicePurposeRule),
    warehouse_code: textOrNull('Склад, где стоит станция или экран; у терминала null.'),
    status: oneOfValues(
      deviceStatuses,
      'WAITING — ждёт своего кода, ENROLLED — зарегистрирован, REVOKED — отозван.',
    ),
    created_at: moment('Когда заведён.'),
    code_expires_at: moment('До какого времени действует код регистрации.'),
    enrolled_at: momentOrNull('Когда зарегистрирован; null, если ещё нет.'),
    last_used_at: momentOrNull('Когда им пользовались, с точностью до минуты; null — ещё нет.'),
    last_login: textOrNull('Кто входил последним: логин; null — ещё никто.'),
    last_name: textOrNull('Он же по имени; без имени — логин.'),
    revoked_at: momentOrNull('Когда отозван; null, если нет.'),
  },
  { $id: 'StaffDevice', description: 'Терминал склада.' },
)
export type StaffDevice = Static<typeof StaffDevice>

const codeLifeMs = 15 * 60_000
/** Without letters and digits that look alike. */
const codeAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 10

/** A code that nobody guesses, in letters that people and scanners tell apart. */
export function randomLetters(length: number): string {
  return Array.from({ length }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('')
}

export interface AddedDevice {
  readonly id: string
  /** Shown once; the database has its hash. */
  readonly code: string
}

export interface DeviceDraft {
  readonly name: string
  readonly purpose: DevicePurpose
  /** Of a device without a person; null for a handheld. */
  readonly warehouse: string | null
}

export async function addDevice(
  work: Work,
  { name, purpose, warehouse }: DeviceDraft,
): Promise<AddedDevice> {
  const id = newId()
  const code = randomLetters(codeLength)
  await work.tx`
    insert into staff_devices (id, name, purpose, warehouse_code, code_hash, code_expires_at, added_by, created_at)
    values (${id}, ${name}, ${purpose}, ${warehouse}, ${hashOf(code)}, ${toTimestamp(work.now + codeLifeMs)},
      ${work.actor.kind === 'staff' ? work.actor.userId : null}, ${work.at})`
  return { id, code: spelledCode(code) }
}

export interface EnrolledDevice {
  readonly id: string
  readonly purpose: DevicePurpose
  /** The value of the device's cookie. */
  readonly secret: string
}

/** Uses up the code. Throws unauthorized for one that is wrong, used or expired. */
export async function enrolDevice(work: Work, given: string): Promise<EnrolledDevice> {
  const secret = randomBytes(32).toString('base64url')
  const [device] = await work.tx<{ id: string; purpose: DevicePurpose }[]>`
    update staff_devices set code_hash = null, secret_hash = ${hashOf(secret)}, enrolled_at = ${work.at}
    where code_hash = ${hashOfCode(given)}
      and code_expires_at > ${work.at}
    returning id, purpose`
  if (device === undefined) throw new ServiceError('unauthorized', wrongCode)
  return { ...device, secret }
}

export const wrongCode =
  'Код неверный, уже использован или устарел: попросите менеджера завести терминал заново'

/**
 * Returns the ids of the users whose sessions ended; undefined for a device that was revoked before.
 * Throws not_found.
 */
export async function revokeDevice({ tx, at }: Work, id: string): Promise<string[] | undefined> {
  const [device] = await tx<{ revoked_at: Timestamp | null }[]>`
    select revoked_at from staff_devices where id = ${id} for update`
  if (device === undefined) throw notFound('Терминал не найден')
  if (device.revoked_at !== null) return undefined
  await tx`update staff_devices set revoked_at = ${at}, code_hash = null where id = ${id}`
  const ended = await tx<{ user_id: string }[]>`
    delete from staff_sessions where device_id = ${id} returning user_id`
  return ended.map(({ user_id }) => user_id)
}

/** The device that waits for this code; undefined where it is another's, used or expired. */
export async function deviceOfCode(
  db: Queryable,
  { id, code, at }: { readonly id: string; readonly code: string; readonly at: Timestamp },
): Promise<Pick<StaffDevice, 'name' | 'code_expires_at'> | undefined> {
  const [device] = await db<Pick<StaffDevice, 'name' | 'code_expires_at'>[]>`
    select name, code_expires_at from staff_devices
    where id = ${id} and code_hash = ${hashOfCode(code)} and code_expires_at > ${at}`
  return device
}

/** Whether a cookie is of a device that a manager has revoked. */
export async function isRevokedDevice(db: Queryable, secret: string): Promise<boolean> {
  const [device] = await db`
    select id from staff_devices
    where secret_hash = ${hashOf(secret)} and revoked_at is not null`
  return device !== undefined
}

/** A code that came in any spelling: in lower case, with spaces, without the dash. */
function lettersOf(given: string): string {
  return given.toUpperCase().replaceAll(/[\s-]/g, '')
}

/** The code as it is shown: two halves with a dash between. */
export function spelledCode(given: string): string {
  const letters = lettersOf(given)
  return `${letters.slice(0, codeLength / 2)}-${letters.slice(codeLength / 2)}`
}

function hashOfCode(given: string): Buffer {
  return hashOf(lettersOf(given))
}

/** What the database keeps of codes and of devices' cookies. */
export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

function devices(db: Queryable) {
  return db`
    select d.id, d.name, d.purpose, d.warehouse_code, case when d.revoked_at is not null then 'REVOKED'
        when d.enrolled_at is not null then 'ENROLLED' else 'WAITING' end as status,
      d.created_at, d.code_expires_at, d.enrolled_at, d.last_used_at, u.login as last_login,
      u.shown_name as last_name, d.revoked_at
    from staff_devices d left join staff_users u on u.id = d.last_user_id`
}

export async function findDevice(db: Queryable, id: string): Promise<StaffDevice | undefined> {
  const [row] = await db<StaffDevice[]>`${devices(db)} where d.id = ${id}`
  return row
}

/** Whether somebody of these warehouses sees the device `d`. */
function isWithin(db: Queryable, warehouses: readonly string[]) {
  if (warehouses.length === 0) return db`true`
  return db`case when d.warehouse_code is null then not exists (
      select from staff_users u
      where u.id = coalesce(d.last_user_id, d.added_by) and not ${isColleague(db, warehouses)})
    else d.warehouse_code = any(${[...warehouses]}) end`
}

/** Whether somebody of these warehouses sees a device of this id. */
export async function isDeviceOf(
  db: Queryable,
  id: string,
  warehouses: readonly string[],
): Promise<boolean> {
  if (!isId(id)) return false
  const rows = await db`
    select d.id from staff_devices d where d.id = ${id} and ${isWithin(db, warehouses)}`
  return rows.length > 0
}

export interface DeviceFilter {
  readonly purpose: DevicePurpose | undefined
  readonly status: DeviceStatus | undefined
}

/** Devices that somebody of these warehouses sees, newest first; without codes all. */
export async function listDevices(
  db: Queryable,
  filter: DeviceFilter,
  page: PageRequest,
  warehouses: readonly string[],
): Promise<Page<StaffDevice>> {
  const where = db`${isWithin(db, warehouses)} ${conditionsOf(db, filter, {
    purpose: (purpose) => db`d.purpose = ${purpose}`,
    status: (status) =>
      status === 'REVOKED'
        ? db`d.revoked_at is not null`
        : db`(d.revoked_at is null and (d.enrolled_at is not null) = ${status === 'ENROLLED'})`,
  })}`
  const total = db`select count(*) from staff_devices d where ${where}`
  const rows = await db<(StaffDevice & { total: number })[]>`
    select listed.*, ${totalFor(db, total, page)} as total from (
      ${devices(db)} where ${where} ${afterPosition(db, 'd', page.after)}
      order by d.created_at desc, d.id desc limit ${page.limit + 1}
    ) listed
    order by listed.created_at desc, listed.id desc`
  return pageOf(rows, page, {
    view: ({ total: _, ...device }) => device,
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}
