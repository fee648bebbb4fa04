import pino from 'pino'
import { type ProcessRole, startApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { loadSecrets } from '../../src/platform/process/secrets.ts'
import { openStore } from '../../src/platform/process/store.ts'

/** The service without pages, in a process of one role, for marketplaces whose time passes faster. Arguments: role, speed. */

const [, , role = 'api', speed = '1'] = process.argv
const config = readConfig(process.env)
const store = await openStore(config, 'service', () => {})
const app = await startApp({
  config,
  role: role as ProcessRole,
  db: store.db,
  clock: systemClock,
  secrets: await loadSecrets(config),
  log: pino({ level: 'error' }, pino.destination(2)),
  marketplaceSpeed: Number(speed),
})
process.once('SIGTERM', async () => {
  await app.close()
  await store.close()
  process.exit(0)
})
console.log(`ready at ${JSON.stringify({ port: app.port, metricsPort: app.metricsPort })}`)
