import type { Queryable, Transaction } from '../../platform/db/connection.ts'

/**
 * Photos whose bytes lie in a store outside of the database. They come into the database first and are acknowledged
 * there, so none is lost while the store is away: they wait. What is deleted here leaves a row in `photo_leftovers`, by
 * a trigger, until the store has deleted it, too.
 */

export interface BytesStore {
  put(key: string, bytes: Buffer): Promise<void>
  remove(key: string): Promise<void>
}

/** The same bytes of several objects of a client are one object of the store. */
export function storeKey(clientId: string, hash: string): string {
  return `${clientId}/${hash}.jpg`
}

/** Brings the photo that waits longest to the store. False where none waits. */
export async function moveWaitingPhoto(tx: Transaction, store: BytesStore): Promise<boolean> {
  const [photo] = await tx<{ client_id: string; id: string; hash: string; bytes: Buffer }[]>`
    select client_id, id, encode(hash, 'hex') as hash, bytes from photos
    where bytes is not null order by created_at, id limit 1 for update skip locked`
  if (photo === undefined) return false
  const { client_id: clientId, id, hash, bytes } = photo
  // A removal of the same bytes waits, or has ended before.
  await tx`
    delete from photo_leftovers
    where client_id = ${clientId} and hash = decode(${hash}, 'hex')`
  await store.put(storeKey(clientId, hash), bytes)
  await tx`update photos set bytes = null where client_id = ${clientId} and id = ${id}`
  return true
}

/** Removes bytes from the store that belong to no photo any more. False where nothing is left over. */
export async function clearLeftover(tx: Transaction, store: BytesStore): Promise<boolean> {
  const [left] = await tx<{ client_id: string; hash: string; kept: boolean }[]>`
    select l.client_id, encode(l.hash, 'hex') as hash, exists (
        select from photos p where p.client_id = l.client_id and p.hash = l.hash and p.bytes is null
      ) as kept
    from photo_leftovers l
    where not exists (
      select from photos p where p.client_id = l.client_id and p.hash = l.hash and p.bytes is not null)
    order by l.client_id, l.hash limit 1 for update of l skip locked`
  if (left === undefined) return false
  const { client_id: clientId, hash, kept } = left
  if (!kept) await store.remove(storeKey(clientId, hash))
  await tx`
    delete from photo_leftovers
    where client_id = ${clientId} and hash = decode(${hash}, 'hex')`
  return true
}

/** Photos that wait for the store. */
export interface WaitingPhotos {
  readonly waiting: number
  /** How long the oldest is here; 0 if none waits. */
  readonly oldestMs: number
}

export async function waitingPhotos(db: Queryable): Promise<WaitingPhotos> {
  const [row] = await db<[WaitingPhotos]>`
    select count(*)::int as waiting,
      coalesce(greatest(0, extract(epoch from now() - min(created_at)) * 1000), 0)::int8 as "oldestMs"
    from photos where bytes is not null`
  return row
}
