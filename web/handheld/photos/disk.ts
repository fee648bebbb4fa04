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

const store = 'photos'
let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= openAnew().catch((error) => {
    opened = undefined
    throw error
  })
  return opened
}

function openAnew(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('sklad-photos', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: 'id' })
    request.onsuccess = () => {
      request.result.onclose = () => {
        opened = undefined
      }
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
  })
}

async function transact<T>(act: (photos: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await open()
  return new Promise((resolve, reject) => {
    const tx = db.transaction(store, 'readwrite', { durability: 'strict' })
    const request = act(tx.objectStore(store))
    tx.oncomplete = () => resolve(request.result)
    tx.onabort = () => reject(tx.error)
  })
}

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
