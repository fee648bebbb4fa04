import { createHash } from 'node:crypto'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, notFound, rateLimited } from '../../platform/kernel/errors.ts'
import {
  day,
  type Instant,
  midnight,
  moscowDate,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { type PhotoKind, type PhotoSubject, photosKeptForMs } from './kinds.ts'

/**
 * Photos as evidence. Each belongs to one object of one client, is never changed, and goes when its time is over or when a manager
 * removes it. The device that took it makes its id, and the same bytes of the same object are one photo, so a device may send it as
 * often as it likes.
 */

export const photosOfObjectMax = 60
export const photosOfDayMax = 1_000
/** In the database: a store has its own bounds. */
export const photoBytesOfClientMax = 4 * 1024 * 1024 * 1024

export interface PhotoRow {
  readonly id: string
  readonly scan_id: string | null
  readonly hash: string
  readonly taken_at: Timestamp
  readonly created_at: Timestamp
  readonly created_by: string
}

export interface NewPhoto {
  readonly id: string
  readonly scanId: string | undefined
  /** By the clock of the device. */
  readonly takenAt: Instant | undefined
  /** As `cleanJpeg` left them. */
  readonly bytes: Buffer
}

export interface AddedPhoto {
  readonly photo: PhotoRow
  readonly isNew: boolean
}

/** Adds a photo to its object. Throws not_found without the object, and conflict where there are too many. */
export async function addPhoto(
  work: Work,
  named: PhotoSubject,
  { id, scanId, takenAt, bytes }: NewPhoto,
): Promise<AddedPhoto> {
  const { tx, now, at, actor } = work
  const subject = await subjectNow(tx, named)
  const { clientId, kind, objectId } = subject
  await lockPhotos(work, clientId)
  const hash = createHash('sha256').update(bytes).digest()
  const known = await knownPhoto(tx, subject, id, hash)
  if (known !== undefined) return { photo: known, isNew: false }
  if (!(await hasPhotoObject(tx, subject))) throw notFound()
  await refuseTooMany(work, subject, bytes.length)
  const taken = toTimestamp(Math.min(takenAt ?? now, now))
  await tx`
    insert into photos
      (client_id, id, kind, object_id, scan_id, hash, bytes, size, taken_at, created_at, created_by, keep_until)
    values (
      ${clientId}, ${id}, ${kind}, ${objectId}, ${scanId ?? null}, ${hash}, ${bytes},
      ${bytes.length}, ${taken}, ${at},
      ${actorText(actor)}, ${toTimestamp(now + photosKeptForMs[kind])}
    )`
  const photo = await knownPhoto(tx, subject, id, hash)
  if (photo === undefined) throw new Error(`the photo ${id} was not written`)
  return { photo, isNew: true }
}

/** Photos of a client come and move one after the other, so that they keep their bounds. */
export async function lockPhotos({ tx }: Work, clientId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`photos ${clientId}`}, 0))`
}

/**
 * Where photos of a subject belong now: those of an accepted exception to the batch that has its unit. Nobody decides
 * on the exception until the transaction ends.
 */
async function subjectNow(tx: Queryable, subject: PhotoSubject): Promise<PhotoSubject> {
  const { clientId, kind, objectId } = subject
  if (kind !== 'scan_exception') return subject
  await tx`
    select from scan_exceptions where client_id = ${clientId} and id = ${objectId}::uuid for share`
  const returnId = await batchOfException(tx, clientId, objectId)
  return returnId === undefined ? subject : { clientId, kind: 'return', objectId: returnId }
}

/** The batch of returns that took in the unit of an accepted exception, of a scan that had named no batch. */
export async function batchOfException(
  db: Queryable,
  clientId: string,
  exceptionId: string,
): Promise<string | undefined> {
  const [row] = await db<{ return_id: string }[]>`
    select s.return_id from scan_exceptions x
    join return_scans s on s.client_id = x.client_id and s.scan_id = x.scan_id and s.of_day
    where x.client_id = ${clientId} and x.id = ${exceptionId}::uuid and x.kind = 'return_scan_of_day'`
  return row?.return_id
}

function columns(db: Queryable) {
  return db`p.id, p.scan_id, encode(p.hash, 'hex') as hash, p.taken_at, p.created_at, p.created_by`
}

/** The photo with this id, or these bytes of the object. Throws conflict where the id belongs to another photo. */
async function knownPhoto(
  tx: Queryable,
  { clientId, kind, objectId }: PhotoSubject,
  id: string,
  hash: Buffer,
): Promise<PhotoRow | undefined> {
  const [row] = await tx<(PhotoRow & { same: boolean })[]>`
    select ${columns(tx)}, p.kind = ${kind} and p.object_id = ${objectId} and p.hash = ${hash} as same
    from photos p
    where p.client_id = ${clientId}
      and (p.id = ${id} or (p.kind = ${kind} and p.object_id = ${objectId} and p.hash = ${hash}))
    order by p.id = ${id} desc limit 1`
  if (row === undefined) return undefined
  const { same, ...photo } = row
  if (!same) throw conflict('Под этим номером уже есть другое фото: сделайте снимок ещё раз')
  return photo
}

const tables = {
  receipt: 'receipts',
  return: 'return_batches',
  order: 'orders',
  count: 'stock_counts',
  scan_exception: 'scan_exceptions',
} as const

/** Whether the client has what the photo would be of. */
export async function hasPhotoObject(
  tx: Queryable,
  { clientId, kind, objectId }: PhotoSubject,
): Promise<boolean> {
  const rows =
    kind === 'stock_entry'
      ? await tx`select from stock_entries where client_id = ${clientId} and entry_id = ${objectId}`
      : await tx`
          select from ${tx(tables[kind])}
          where client_id = ${clientId} and id = ${objectId}::uuid`
  return rows.length > 0
}

async function refuseTooMany(
  { tx, now }: Work,
  { clientId, kind, objectId }: PhotoSubject,
  size: number,
): Promise<void> {
  const today = toTimestamp(midnight(moscowDate(now)))
  const [{ of_object, of_day, bytes }] = await tx<
    [{ of_object: number; of_day: number; bytes: number }]
  >`
    select
      (
        select count(*) from photos
        where client_id = ${clientId} and kind = ${kind} and object_id = ${objectId}
      )::int as of_object,
      (select count(*) from photos where client_id = ${clientId} and created_at >= ${today})::int as of_day,
      (select coalesce(sum(octet_length(bytes)), 0) from photos where client_id = ${clientId})::bigint as bytes`
  if (of_object >= photosOfObjectMax) {
    throw conflict(`Здесь уже ${photosOfObjectMax} фото, больше приложить нельзя`)
  }
  if (of_day >= photosOfDayMax) {
    throw rateLimited(
      Math.ceil((midnight(moscowDate(now)) + day - now) / 1_000),
      `За день у клиента уже ${photosOfDayMax.toLocaleString('ru')} фото: остальные примутся завтра`,
    )
  }
  if (bytes + size > photoBytesOfClientMax) {
    throw conflict('Место для фото этого клиента кончилось: уберите ненужные фото')
  }
}

/** The photos of an object, the oldest first. */
export function photosOf(db: Queryable, subject: PhotoSubject): Promise<PhotoRow[]> {
  return db<PhotoRow[]>`
    select ${columns(db)} from ${shownOf(db, subject)} p order by p.taken_at, p.id`
}

/** The photos of an object; of an exception also those of its receipt, return or count that name its scan. */
function shownOf(db: Queryable, { clientId, kind, objectId }: PhotoSubject): Fragment {
  const own = db`
    select * from photos
    where client_id = ${clientId} and kind = ${kind} and object_id = ${objectId}`
  if (kind !== 'scan_exception') return db`(${own})`
  return db`(
    ${own}
    union all
    select p.* from scan_exceptions x
    left join return_scans s
      on x.kind = 'return_scan_of_day' and s.client_id = x.client_id and s.scan_id = x.scan_id and s.of_day
    join photos p on p.client_id = x.client_id and p.scan_id = x.scan_id
      and p.object_id = coalesce(s.return_id, x.object_id)::text
      and p.kind = case x.kind when 'receipt_scan' then 'receipt' when 'count_scan' then 'count' else 'return' end
    where x.client_id = ${clientId} and x.id = ${objectId}::uuid)`
}

export interface PhotoBytes {
  readonly kind: PhotoKind
  readonly hash: string
  /** Null: they lie in the store. */
  readonly bytes: Buffer | null
}

/** A photo of the client, wherever it belongs. */
export async function findPhoto(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<PhotoBytes | undefined> {
  const [row] = await db<PhotoBytes[]>`
    select kind, encode(hash, 'hex') as hash, bytes from photos
    where client_id = ${clientId} and id = ${id}`
  return row
}

/** Removes a photo of an object. Answers its hash; undefined where there is none. */
export async function removePhoto(
  { tx }: Work,
  subject: PhotoSubject,
  id: string,
): Promise<string | undefined> {
  const [row] = await tx<{ hash: string }[]>`
    delete from photos
    where client_id = ${subject.clientId} and id = ${id}
      and exists (select from ${shownOf(tx, subject)} p where p.id = ${id})
    returning encode(hash, 'hex') as hash`
  return row?.hash
}

const sweptMax = 200

/** Deletes some of the photos whose time is over. */
export async function deleteOldPhotos(db: Database, now: Instant): Promise<void> {
  await db`
    delete from photos p using (
      select client_id, id from photos where keep_until < ${toTimestamp(now)}
      order by keep_until limit ${sweptMax}
    ) old
    where p.client_id = old.client_id and p.id = old.id`
}
