// "node scripts/scenario.ts": plays the scenario of the sandbox in a database of its own and keeps its rows.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { openDatabase } from '../src/platform/db/connection.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { startEmbedded } from '../src/platform/postgres/supervisor.ts'
import { keptRowsFile } from '../src/sandbox/scenario/kept-rows.ts'
import { playForRows } from '../src/sandbox/scenario/read-rows.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'sklad-scenario-'))
const embedded = await startEmbedded({ dataDir, as: 'command' })
const db = openDatabase(embedded.target, { applicationName: 'scenario', max: 1 })
try {
  await migrate(db)
  const scenario = await playForRows(db)
  const file = brotliCompressSync(JSON.stringify(scenario))
  writeFileSync(keptRowsFile, file)
  const rows = scenario.tables.reduce((total, table) => total + table.rows.length, 0)
  console.log(`${rows} rows of the scenario are kept in ${file.length} bytes`)
} finally {
  await db.end({ timeout: 5 })
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
}
