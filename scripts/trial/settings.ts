import { join } from 'node:path'
import { StartError } from '../../src/platform/kernel/errors.ts'

/** The service's settings in a trial. They never lead to a real database or marketplace. */
export type Settings = Readonly<Record<string, string>>

export interface TrialPlaces {
  /** The data directory of the trial. */
  readonly folder: string
  readonly port: string
  readonly baseUrl: string
  /** The password of the first administrator. */
  readonly password: string
  readonly wildberriesUrl: string
  readonly ozonUrl: string
}

/** Variables that any program needs. None of them is a setting of the service. */
const surroundings = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']

/** Throws StartError if DATABASE_URL is set: the trial has a database of its own. */
export function refuseDatabase(env: NodeJS.ProcessEnv): void {
  if (!env.DATABASE_URL) return
  throw new StartError(
    'задана DATABASE_URL, а у пробы всегда своя база: уберите её, например env -u DATABASE_URL npm run trial',
  )
}

/**
 * The folder for data that outlive the trial; undefined without DATA_DIR. It lies inside DATA_DIR, because a running
 * service may use DATA_DIR itself.
 */
export function keptFolder({ DATA_DIR }: NodeJS.ProcessEnv): string | undefined {
  return DATA_DIR ? join(DATA_DIR, 'trial') : undefined
}

/** What any program needs of an environment. */
export function surroundingsOf(env: NodeJS.ProcessEnv): Settings {
  const kept = surroundings.flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(kept)
}

/** The service's environment. Every setting that is not named here keeps its default, whatever the caller's environment says. */
export function settingsOf(env: NodeJS.ProcessEnv, places: TrialPlaces): Settings {
  return {
    ...surroundingsOf(env),
    DATA_DIR: places.folder,
    PORT: places.port,
    // The trial prints its keys, so only this machine may reach it.
    HOST: '127.0.0.1',
    BASE_URL: places.baseUrl,
    METRICS_PORT: '0',
    LOG_LEVEL: env.LOG_LEVEL || 'warn',
    WB_BASE_URL: places.wildberriesUrl,
    WB_CONTENT_BASE_URL: places.wildberriesUrl,
    WB_SANDBOX_BASE_URL: places.wildberriesUrl,
    WB_SANDBOX_CONTENT_BASE_URL: places.wildberriesUrl,
    OZON_BASE_URL: places.ozonUrl,
    SYNC_INTERVAL: env.SYNC_INTERVAL || '5s',
    SKLAD_ADMIN_PASSWORD: places.password,
  }
}
