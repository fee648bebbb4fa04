import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { StaffUser } from '../../api/staff-calls.ts'

export interface WorkerSession extends StaffUser {
  readonly signOut: () => Promise<void>
}

export const WorkerContext = createContext<WorkerSession | undefined>(undefined)

/** Who works, below the gate. */
export function useWorker(): WorkerSession {
  const worker = useContext(WorkerContext)
  if (worker === undefined) throw new Error('nobody has signed in above')
  return worker
}

/** Why the service ends the session of a device that a manager has revoked. */
export const revokedCode = 'device_revoked'

/** What this browser remembers of itself; nothing secret. */
export const remembered = {
  /** Who worked last: without network the page goes on as that worker. */
  worker: stored<StaffUser>('sklad.worker'),
  /** The name under which this device is enrolled. */
  terminal: stored<string>('sklad.terminal'),
  /** Who has worked here, newest first. */
  logins: stored<readonly string[]>('sklad.logins'),
  /** What their colleagues call them, by login. */
  names: stored<Readonly<Record<string, string>>>('sklad.names'),
  /** Where labels are printed. */
  station: stored<{ readonly id: string; readonly name: string }>('sklad.station'),
  /** The task that the worker opened last. */
  place: stored<{ readonly userId: string; readonly path: string; readonly title: string }>(
    'sklad.place',
  ),
}

function stored<T>(key: string) {
  return {
    get(): T | undefined {
      const text = localStorage.getItem(key)
      return text === null ? undefined : (JSON.parse(text) as T)
    },
    set(value: T | undefined): void {
      if (value === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(value))
    },
  }
}

/** The home page offers to go on there, with whatever the address holds, when the browser has been closed. */
export function rememberPlace(path: string, title: string): void {
  const worker = remembered.worker.get()
  if (worker !== undefined) remembered.place.set({ userId: worker.id, path, title })
}

export function forgetPlace(): void {
  remembered.place.set(undefined)
}
