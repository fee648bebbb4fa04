import pino from 'pino'
import { startApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { makeFirstAdministrator } from '../../src/identity/staff/first-administrator.ts'
import { createUser, issueToken } from '../../src/identity/staff/users.ts'
import { perform } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { isNothingSealed, loadSecrets } from '../../src/platform/process/secrets.ts'
import { openStore } from '../../src/platform/process/store.ts'
import { callsTo } from './calls.ts'
import type { Settings } from './settings.ts'
import { fillTower } from './tower.ts'

/**
 * Plays yesterday and today until now, before the service of the trial starts: here its clock can be moved. Resolves with the token
 * of an administrator.
 */
export async function playPast(settings: Settings): Promise<string> {
  const config = readConfig(settings)
  const now = Date.now()
  const clock = new ManualClock(now)
  const store = await openStore(config, 'service', () => {})
  try {
    const { db } = store
    await makeFirstAdministrator(db, clock, config.adminPassword)
    const token = await perform(db, clock, { kind: 'service' }, async (work) => {
      const person = { login: `trial-${now}`, role: 'administrator', passwordHash: null } as const
      return (await issueToken(work, await createUser(work, person), 'Проба')).token
    })
    const app = await startApp({
      config: { ...config, port: 0, metricsPort: 0 },
      role: 'api',
      db,
      clock,
      secrets: await loadSecrets(config, () => isNothingSealed(db)),
      log: pino({ level: 'error' }),
    })
    try {
      const baseUrl = `http://127.0.0.1:${app.port}`
      const staff = callsTo(baseUrl, '/staff/v1', token)
      await fillTower({ baseUrl, staff, now, moveTo: (at) => clock.set(at) })
    } finally {
      await app.close()
    }
    return token
  } finally {
    await store.close()
  }
}
