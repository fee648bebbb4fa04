import { join } from 'node:path'
import { StartError } from '../../src/kernel/start-error.ts'

/** The settings of the service in a trial. They never lead to a database or a marketplace that is real. */
export type Settings = Readonly<Record<string, string>>

export interface TrialPlaces {
  /** Where the data go, unless the person wants to keep them. */
  readonly folder: string
  readonly port: string
  readonly baseUrl: string
  /** Of the first administrator. */
  readonly password: string
  readonly wildberriesUrl: string
  readonly ozonUrl: string
}

/** What programs need of their surroundings; nothing of it is a setting of the service. */
const surroundings = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']

/** @throws StartError where the person works with a database of their own */
export function refuseDatabase(env: NodeJS.ProcessEnv): void {
  if (!env.DATABASE_URL) return
  throw new StartError(
    'задана DATABASE_URL, а у пробы всегда своя база: уберите её, например env -u DATABASE_URL npm run trial',
  )
}

/**
 * The folder that outlives the trial; undefined where it is none. It lies inside of DATA_DIR, since
 * that may be a running service's.
 */
export function keptFolder({ DATA_DIR }: NodeJS.ProcessEnv): string | undefined {
  return DATA_DIR ? join(DATA_DIR, 'trial') : undefined
}

/** All that is not named here is left at its default, whatever the person has set. */
export function settingsOf(env: NodeJS.ProcessEnv, places: TrialPlaces): Settings {
  const kept = surroundings.flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(kept),
    DATA_DIR: places.folder,
    PORT: places.port,
    // The trial prints its keys, so it is for this machine alone.
    HOST: '127.0.0.1',
    BASE_URL: places.baseUrl,
    METRICS_PORT: '0',
    LOG_LEVEL: env.LOG_LEVEL || 'warn',
    WB_BASE_URL: places.wildberriesUrl,
    WB_CONTENT_BASE_URL: places.wildberriesUrl,
    OZON_BASE_URL: places.ozonUrl,
    SYNC_INTERVAL: env.SYNC_INTERVAL || '5s',
    SKLAD_ADMIN_PASSWORD: places.password,
  }
}
