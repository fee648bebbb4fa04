/**
 * A database on this device (IndexedDB), opened when it is first needed. The browser may close it, such as when it runs out of
 * memory: the next transaction opens it anew. What a transaction changed is on disk when its promise resolves.
 */
export function deviceDatabase(name: string, make: (db: IDBDatabase) => void) {
  let opened: Promise<IDBDatabase> | undefined
  const forget = () => {
    opened = undefined
  }

  function open(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1)
      request.onupgradeneeded = () => make(request.result)
      request.onsuccess = () => {
        request.result.onclose = forget
        resolve(request.result)
      }
      request.onerror = () => reject(request.error)
    })
  }

  /** Runs `act` in one transaction. Resolves with what it asked for. */
  return async function transact<T>(
    stores: readonly string[],
    act: (store: (name: string) => IDBObjectStore) => IDBRequest<T> | undefined,
  ): Promise<T> {
    opened ??= open().catch((error) => {
      forget()
      throw error
    })
    const db = await opened
    return new Promise((resolve, reject) => {
      const tx = db.transaction([...stores], 'readwrite', { durability: 'strict' })
      const request = act((name) => tx.objectStore(name))
      tx.oncomplete = () => resolve(request?.result as T)
      tx.onabort = () => reject(tx.error)
    })
  }
}
