import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { admitKeys } from './clients/admission.ts'
import type { Config } from './config.ts'
import { type Database, openBeside } from './db/connection.ts'
import { addHealth } from './http/health.ts'
import { openMetricsServer } from './http/metrics-server.ts'
import { addPublicReference } from './http/public/reference.ts'
import { addPublicApi } from './http/public/v1/routes.ts'
import { buildServer } from './http/server.ts'
import { addStaffReference } from './http/staff/reference.ts'
import { addStaffApi } from './http/staff/v1/routes.ts'
import { openCallJournal } from './journal/calls.ts'
import type { Clock } from './kernel/clock.ts'
import { makeCursors } from './kernel/cursor.ts'
import { makeSecretBox } from './kernel/secret-box.ts'
import { openMaintenance } from './maintenance.ts'
import { makeConnect } from './marketplaces/connect.ts'
import { openDesk } from './marketplaces/desk/desk.ts'
import { openGuards } from './marketplaces/desk/task-guard.ts'
import { openSyncing } from './marketplaces/rounds/syncing.ts'
import { openRobot } from './sandbox/robot/robot.ts'
import { openSandbox } from './sandbox/sandbox.ts'
import type { Secrets } from './secrets.ts'
import { openDispatcher } from './webhooks/dispatcher.ts'
import { makeEgress } from './webhooks/egress.ts'
import { webhookFigures } from './webhooks/figures.ts'
import { webhooksEnabled } from './webhooks/switch.ts'

/** What the service is made of, in order. */

/** api: answers HTTP; worker: does the work in the background; all: both. */
export type Role = 'api' | 'worker' | 'all'

export interface AppDependencies {
  readonly config: Config
  readonly role: Role
  readonly db: Database
  readonly clock: Clock
  readonly secrets: Secrets
  readonly log: FastifyBaseLogger
}

export interface App {
  /** The port of the API; undefined for a worker. */
  readonly port: number | undefined
  /** The port of the figures for Prometheus. */
  readonly metricsPort: number
  /** Finishes what is under way, writes what waits, and stops. */
  close(): Promise<void>
}

export async function startApp(parts: AppDependencies): Promise<App> {
  const { config, role, db, clock, secrets, log } = parts
  const cursors = makeCursors(secrets.cursorKeys)
  const calls = openCallJournal(db, (error) =>
    log.error({ err: error }, 'call journal not written'),
  )
  const sandbox = openSandbox({ db, clock, idleHours: config.sandboxIdleHours })
  const admit = admitKeys(db, config.keyBucket)
  const server = buildServer({ log, trustProxy: config.trustProxy })
  const metrics = openMetricsServer({
    server,
    calls,
    webhookFigures: () => webhookFigures(db, clock.now()),
  })
  const { timeoutMs, privateTargets, retrySchedule } = config.webhooks
  const egress = makeEgress({ timeoutMs, privateTargets })
  const secretBox = makeSecretBox(secrets.webhookKeys)
  const dispatcher = openDispatcher({
    db,
    clock,
    egress,
    secretBox,
    schedule: retrySchedule,
    chance: Math.random,
    enabled: () => webhooksEnabled(db),
    attempted: metrics.webhooks.attempted,
    log,
  })

  const cabinetBox = makeSecretBox(secrets.cabinetKeys)
  const limitsDb = openBeside(db)
  const guards = openGuards(db)
  const connect = makeConnect({ db: limitsDb, box: cabinetBox, ...config.marketplaces })

  addHealth(server, db)
  await server.register(async (side) => {
    await addPublicReference(side, config.baseUrl)
    await addPublicApi(side, {
      db,
      clock,
      cursors,
      calls,
      sandbox,
      sandboxKeyBucket: config.sandboxKeyBucket,
      docsUrl: `${config.baseUrl}/docs`,
      webhooks: { db, clock, egress, secretBox },
      gate: { admit, calls, clock, prepareSandbox: sandbox.prepare },
    })
  })
  await server.register(async (side) => {
    await addStaffReference(side, config.baseUrl)
    await addStaffApi(side, {
      db,
      clock,
      cursors,
      baseUrl: config.baseUrl,
      ssccPrefix: config.ssccPrefix,
      cabinetBox,
      desk: openDesk({ db, clock, guards, connect }),
    })
  })

  const maintenance = openMaintenance({ db, clock, sandbox, config, log })
  const robot = openRobot({ db, clock, log })
  const { syncIntervalMs: intervalMs } = config.marketplaces
  const syncing = openSyncing({ db, guards, clock, connect, intervalMs, log })
  const close = async () => {
    await server.close()
    await robot.stop()
    await syncing.stop()
    await maintenance.stop()
    await dispatcher.stop()
    await egress.close()
    await calls.close()
    await metrics.close()
    await limitsDb.end({ timeout: 1 })
    await guards.end()
  }
  try {
    await metrics.listen(config.metricsHost, config.metricsPort)
    if (role !== 'worker') await server.listen({ host: config.host, port: config.port })
    if (role !== 'api') {
      maintenance.start()
      if (config.sandboxRobot) robot.start()
      syncing.start()
      await dispatcher.start()
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    port: (server.server.address() as AddressInfo | null)?.port,
    metricsPort: metrics.port,
    close,
  }
}
