import { deviceDatabase } from '../queue/device-database.ts'

/**
 * Photos that wait on this device, in a database of their own: scans never wait for a transaction that writes a photo, and reading
 * the queue of scans reads no photo. All tabs of the browser share it.
 */

/** What a photo shows: the call that takes it, but for its own id. */
export interface PhotoTarget {
  readonly name:
    | 'PUT /receipts/{id}/photos/{photo}'
    | 'PUT /returns/{id}/photos/{photo}'
    | 'PUT /returns/scans/photos/{photo}'
    | 'PUT /orders/{id}/photos/{photo}'
    | 'PUT /counts/{id}/photos/{photo}'
  readonly path: Readonly<Record<string, string>>
  /** The scan of the unit that it shows. */
  readonly scanId?: string | undefined
}

export interface KeptPhoto {
  readonly id: string
  readonly target: PhotoTarget
  readonly userId: string
  readonly login: string
  readonly takenAt: string
  readonly bytes: ArrayBuffer
  /** Why the service refused it; undefined while it waits. */
  readonly refused?: string
}

const transactIn = deviceDatabase('sklad-photos', (db) =>
  db.createObjectStore('photos', { keyPath: 'id' }),
)
const transact = <T>(act: (photos: IDBObjectStore) => IDBRequest<T>) =>
  transactIn(['photos'], (store) => act(store('photos')))

export function keepPhoto(photo: KeptPhoto): Promise<unknown> {
  return transact((photos) => photos.put(photo))
}

export function dropPhoto(id: string): Promise<unknown> {
  return transact((photos) => photos.delete(id))
}

/** Ids begin with their moment, so the oldest comes first. */
export function keptPhotos(): Promise<KeptPhoto[]> {
  return transact((photos) => photos.getAll() as IDBRequest<KeptPhoto[]>)
}
