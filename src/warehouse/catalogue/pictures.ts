import { createHash } from 'node:crypto'
import Type from 'typebox'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { day, type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { keepFromMerging, type Merging } from './merged-products.ts'
import {
  type PictureBytes,
  type PictureType,
  pictureBounds,
  pictureBytesMax,
} from './picture-bytes.ts'

/**
 * Pictures of goods: bytes by their SHA-256, once per client, and which of them a product shows. One that staff
 * uploaded goes before that of a marketplace's card. This file alone writes the bytes. What no product shows any more
 * is kept for a day, because pages and answers may still name it.
 */

/** Of one client, unused ones included. */
export const picturesMax = 20_000
export const pictureBytesOfClientMax = 256 * 1024 * 1024

/** The optional field of goods in answers of the service's own pages. */
export const pictureOfGoods = Type.Optional(
  Type.String({ description: 'Адрес картинки товара на этом сервисе; если её нет, поля нет.' }),
)

export interface Goods {
  readonly clientId: string
  readonly barcode: string
}

/** The hash of the picture that a product shows, in hexadecimal digits; undefined for none. */
export type PictureOf = (goods: Goods) => string | undefined

/** The pictures of goods, of any clients, in one statement. */
export async function picturesOf(db: Queryable, goods: readonly Goods[]): Promise<PictureOf> {
  const clients = goods.map(({ clientId }) => clientId)
  const barcodes = goods.map(({ barcode }) => barcode)
  const rows = await db<(Goods & { hash: string })[]>`
    select k.client_id as "clientId", k.barcode, encode(coalesce(k.uploaded, k.fetched), 'hex') as hash
    from (
      select distinct * from unnest(${clients}::uuid[], ${barcodes}::text[]) g (client_id, barcode)
    ) g
    join product_pictures k on k.client_id = g.client_id and k.barcode = g.barcode collate "C"
    where coalesce(k.uploaded, k.fetched) is not null`
  const key = ({ clientId, barcode }: Goods) => `${clientId} ${barcode}`
  const hashes = new Map(rows.map((row) => [key(row), row.hash]))
  return (each) => hashes.get(key(each))
}

/** A picture of the client by its hash, in hexadecimal digits. */
export async function findPicture(
  db: Queryable,
  clientId: string,
  hash: string,
): Promise<PictureBytes | undefined> {
  if (!/^[0-9a-f]{64}$/.test(hash)) return undefined
  const [row] = await db<{ type: PictureType; bytes: Buffer }[]>`
    select type, bytes from pictures
    where client_id = ${clientId} and hash = ${Buffer.from(hash, 'hex')}`
  return row
}

/** The hash of the picture that staff uploaded for a product, in hexadecimal digits. */
export async function uploadedPicture(
  db: Queryable,
  { clientId, barcode }: Goods,
): Promise<string | undefined> {
  const [row] = await db<{ hash: string | null }[]>`
    select encode(uploaded, 'hex') as hash from product_pictures
    where client_id = ${clientId} and barcode = ${barcode}`
  return row?.hash ?? undefined
}

/** Sets the uploaded picture of a product of the client; undefined removes it. Returns false where nothing changed. */
export async function uploadPicture(
  work: Work,
  { clientId, barcode }: Goods,
  picture: PictureBytes | undefined,
): Promise<boolean> {
  const { tx } = work
  await keepFromMerging(work, clientId, [barcode])
  await tx`
    insert into product_pictures (client_id, barcode) values (${clientId}, ${barcode})
    on conflict do nothing`
  const [row] = await tx<{ uploaded: Buffer | null }[]>`
    select uploaded from product_pictures
    where client_id = ${clientId} and barcode = ${barcode} for update`
  const before = row?.uploaded ?? null
  const hash = picture === undefined ? null : await storePicture(work, clientId, picture)
  if (before === hash || (hash !== null && before?.equals(hash))) return false
  await tx`
    update product_pictures set uploaded = ${hash}
    where client_id = ${clientId} and barcode = ${barcode}`
  await noteUnused(work, clientId, before)
  return true
}

/**
 * A product becomes another one. If that one shows no picture, it shows that of the first, which also keeps it for what
 * is over. An address that a card of the other one names is still fetched.
 */
export async function mergePictures(
  { tx }: Work,
  clientId: string,
  { from, into }: Merging,
): Promise<void> {
  await tx`
    insert into product_pictures as k (client_id, barcode, uploaded, card_url, fetched)
    select client_id, ${into}, uploaded, case when fetched is not null then card_url end, fetched
    from product_pictures
    where client_id = ${clientId} and barcode = ${from} and coalesce(uploaded, fetched) is not null
    for update
    on conflict (client_id, barcode) do update set uploaded = excluded.uploaded, fetched = excluded.fetched,
      card_url = coalesce(k.card_url, excluded.card_url)
    where coalesce(k.uploaded, k.fetched) is null`
}

/** Keeps the bytes for a product that names them in the same transaction. Throws conflict where the client has too many. */
export async function storePicture(
  { tx }: Work,
  clientId: string,
  { type, bytes }: PictureBytes,
): Promise<Buffer> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`pictures ${clientId}`}, 0))`
  const hash = createHash('sha256').update(bytes).digest()
  const known = await tx`
    update pictures set unused_since = null
    where client_id = ${clientId} and hash = ${hash} returning hash`
  if (known.length > 0) return hash
  const [{ pictures, size }] = await tx<[{ pictures: number; size: number }]>`
    select count(*) as pictures, coalesce(sum(octet_length(bytes)), 0)::bigint as size
    from pictures where client_id = ${clientId}`
  if (pictures >= picturesMax || size + bytes.length > pictureBytesOfClientMax) throw conflict(full)
  await tx`
    insert into pictures (client_id, hash, type, bytes)
    values (${clientId}, ${hash}, ${type}, ${bytes})`
  return hash
}

const megabyte = 1024 * 1024
const full =
  `У клиента уже ${picturesMax.toLocaleString('ru')} картинок или ${pictureBytesOfClientMax / megabyte} МБ — больше не ` +
  'хранится. Удалите ненужные картинки товаров: место освободится через день'

/** A product has stopped showing this picture. */
export async function noteUnused(
  { tx, at }: Work,
  clientId: string,
  hash: Buffer | null,
): Promise<void> {
  if (hash === null) return
  await tx`
    update pictures p set unused_since = ${at}
    where client_id = ${clientId} and hash = ${hash} and ${isUnused(tx)}`
}

function isUnused(db: Queryable) {
  return db`
    not exists (select from product_pictures k where k.client_id = p.client_id and k.uploaded = p.hash)
    and not exists (select from product_pictures k where k.client_id = p.client_id and k.fetched = p.hash)`
}

const unusedForMs = day
const sweptMax = 200

/** Deletes some of the pictures that no product has shown for a day. */
export async function deleteUnusedPictures(db: Database, now: Instant): Promise<void> {
  const before = toTimestamp(now - unusedForMs)
  // A product that shows one meanwhile holds its row, and then the picture is in use.
  await db`
    delete from pictures p using (
      select client_id, hash from pictures where unused_since < ${before} limit ${sweptMax}
    ) old
    where p.client_id = old.client_id and p.hash = old.hash and p.unused_since < ${before}
      and ${isUnused(db)}`
}

/** Words for a file that is no picture. */
export const pictureRule =
  `целая неподвижная картинка JPEG, PNG или WebP до ${pictureBytesMax / megabyte} МБ, ` +
  `до ${Math.floor(pictureBounds.pointsMax / 1_000_000)} млн точек и до ${pictureBounds.sideMax} точек по стороне`
