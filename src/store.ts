import type { Config } from './config.ts'
import { checkServer } from './db/check-server.ts'
import { type Database, openDatabase } from './db/connection.ts'
import { startEmbedded } from './db/embedded/supervisor.ts'
import { migrate } from './db/migrate.ts'

/** The migrated database: the one at DATABASE_URL or, without it, the embedded one. */
export interface Store {
  readonly db: Database
  /** Closes the connections; the embedded server stops when no other process uses it. */
  close(): Promise<void>
}

export async function openStore(
  config: Config,
  as: 'service' | 'command',
  log: (line: string) => void,
  { migrates = true }: { readonly migrates?: boolean } = {},
): Promise<Store> {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: config.dataDir, as, log })
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
  try {
    await checkServer(db)
    if (migrates) await migrate(db)
    return { db, close }
  } catch (error) {
    await close()
    throw error
  }
}
