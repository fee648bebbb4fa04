import type { Config } from './config.ts'
import { checkServer } from './db/check-server.ts'
import { type Database, openDatabase } from './db/connection.ts'
import { hasCluster } from './db/embedded/cluster.ts'
import { startEmbedded } from './db/embedded/supervisor.ts'
import { migrate } from './db/migrate.ts'
import { StartError } from './kernel/start-error.ts'

/** The migrated database: the one at DATABASE_URL or, without it, the embedded one. */
export interface Store {
  readonly db: Database
  /** Closes the connections; the embedded server stops when no other process uses it. */
  close(): Promise<void>
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
  config: Config,
  as: 'service' | 'command',
  log: (line: string) => void,
  { migrates = true, creates = true, stop }: StoreOptions = {},
): Promise<Store> {
  if (!creates && config.databaseUrl === undefined && !hasCluster(config.dataDir)) {
    throw new StartError(
      `${config.dataDir} has no database: set DATA_DIR or DATABASE_URL as the service has it, or start the service first`,
    )
  }
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: config.dataDir, as, log, stop })
      : undefined
  const target = embedded?.target ?? { url: config.databaseUrl ?? '' }
  const db = openDatabase(target, {
    max: config.poolSize,
    applicationName: `sklad ${as}`,
    prepared: config.preparedStatements,
    ...(config.databaseListenUrl === undefined
      ? {}
      : { directTarget: { url: config.databaseListenUrl } }),
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
