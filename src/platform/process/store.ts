import { checkServer } from '../db/check-server.ts'
import { type Database, openDatabase } from '../db/connection.ts'
import { migrate } from '../db/migrate.ts'
import { StartError } from '../kernel/errors.ts'
import { hasCluster } from '../postgres/cluster.ts'
import { startEmbedded } from '../postgres/supervisor.ts'

/** The migrated database: the one at DATABASE_URL or, without it, the embedded one. */
export interface Store {
  readonly db: Database
  /** Closes the connections; the embedded server stops when no other process uses it. */
  close(): Promise<void>
}

/** Of the service's settings: where the database is and how it is reached. */
export interface StoreSettings {
  /** Undefined for the embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined
  /** For what a pooler of transactions can't carry; undefined where `databaseUrl` reaches the server. */
  readonly databaseListenUrl: string | undefined
  readonly dataDir: string
  readonly poolSize: number
  readonly preparedStatements: boolean
}

export interface StoreOptions {
  /** Whether the tables are brought to this version; else whoever opens it does. */
  readonly migrates?: boolean
  /** Whether an embedded database is made where there is none; else that is refused with a StartError. */
  readonly creates?: boolean
  /** Breaks the opening off. */
  readonly stop?: AbortSignal
}

export async function openStore(
  settings: StoreSettings,
  as: 'service' | 'command',
  log: (line: string) => void,
  { migrates = true, creates = true, stop }: StoreOptions = {},
): Promise<Store> {
  if (!creates && settings.databaseUrl === undefined && !hasCluster(settings.dataDir)) {
    throw new StartError(
      `${settings.dataDir} has no database: set DATA_DIR or DATABASE_URL as the service has it, or start the service first`,
    )
  }
  const embedded =
    settings.databaseUrl === undefined
      ? await startEmbedded({ dataDir: settings.dataDir, as, log, stop })
      : undefined
  const target = embedded?.target ?? { url: settings.databaseUrl ?? '' }
  const db = openDatabase(target, {
    max: settings.poolSize,
    applicationName: `sklad ${as}`,
    prepared: settings.preparedStatements,
    ...(settings.databaseListenUrl === undefined
      ? {}
      : { directTarget: { url: settings.databaseListenUrl } }),
  })
  const close = async () => {
    await db.end({ timeout: 5 })
    await embedded?.stop()
  }
  const breakOff = () => void db.end({ timeout: 0 })
  stop?.addEventListener('abort', breakOff)
  try {
    stop?.throwIfAborted()
    await checkServer(db)
    if (migrates) await migrate(db)
    stop?.throwIfAborted()
    return { db, close }
  } catch (error) {
    await close()
    throw error
  } finally {
    stop?.removeEventListener('abort', breakOff)
  }
}
