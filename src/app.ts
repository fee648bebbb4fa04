import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import { printJobsChannel } from './documents/printing/jobs.ts'
import { printFigures } from './documents/printing/queries.ts'
import { callSpan } from './exchange/marketplaces/calls/call-span.ts'
import { makeCredentialsCheck } from './exchange/marketplaces/connecting/check-credentials.ts'
import { makeConnect } from './exchange/marketplaces/connecting/open-connector.ts'
import { openAdvisoryLocks } from './exchange/marketplaces/coordination/advisory-locks.ts'
import { openShipmentCoordinator } from './exchange/marketplaces/coordination/coordinator.ts'
import { openMarkProver } from './exchange/marketplaces/proving/runner.ts'
import { openCallRecorder } from './exchange/marketplaces/recording/recorder.ts'
import { cabinetFigures } from './exchange/marketplaces/sync/figures.ts'
import { openSyncScheduler } from './exchange/marketplaces/sync/scheduler.ts'
import { botNameOf, openBotApi } from './exchange/notices/bot-api.ts'
import { readBotFeed } from './exchange/notices/bot-feed.ts'
import { openEmail } from './exchange/notices/email.ts'
import { noticeFigures } from './exchange/notices/figures.ts'
import { type Channels, openNoticeSender } from './exchange/notices/sender.ts'
import { openTelegram } from './exchange/notices/telegram.ts'
import { makeUnsubscribing } from './exchange/notices/unsubscribe.ts'
import { openBlobStore } from './exchange/pictures/blob-store.ts'
import { openPictureFetcher, type PictureFetcherParts } from './exchange/pictures/fetcher.ts'
import { openPhotoMover } from './exchange/pictures/photo-mover.ts'
import { attemptSpan, openDispatcher } from './exchange/webhooks/dispatcher.ts'
import { makeEgress } from './exchange/webhooks/egress.ts'
import { webhookFigures } from './exchange/webhooks/figures.ts'
import { addAccountReference } from './http/account/reference.ts'
import { addAccountApi } from './http/account/v1/routes.ts'
import { addMcp } from './http/mcp/mcp.ts'
import { openMetricsServer } from './http/metrics/metrics-server.ts'
import type { ObserveCall } from './http/metrics/process-metrics.ts'
import type { WebFiles } from './http/pages/bundle.ts'
import { addWeb } from './http/pages/pages.ts'
import { addUnsubscribe } from './http/pages/unsubscribe.ts'
import { addClientPackages } from './http/public/packages/serve.ts'
import { addPublicReference, interfaceVersion } from './http/public/reference.ts'
import { addPublicApi } from './http/public/v1/routes.ts'
import type { NoticeWays } from './http/route/notices.ts'
import { addDrain, addHealth } from './http/server/drain.ts'
import { recordRequests } from './http/server/request-spans.ts'
import { buildServer } from './http/server/server.ts'
import { unparsedGate } from './http/server/unparsed.ts'
import { addStaffReference } from './http/staff/reference.ts'
import { addStaffApi } from './http/staff/v1/routes.ts'
import { admitKeys } from './identity/keys/admission.ts'
import { recordKeyUses } from './identity/keys/api-keys.ts'
import { openClientTurns } from './identity/keys/client-turns.ts'
import { lastBackupAt } from './operations/backup/last-backup.ts'
import { openMaintenance } from './operations/maintenance.ts'
import { type Database, openBeside } from './platform/db/connection.ts'
import { openHeldPolls } from './platform/db/held-polls.ts'
import { openReports } from './platform/db/reports.ts'
import type { Clock } from './platform/kernel/clock.ts'
import { makeCursors } from './platform/kernel/cursor.ts'
import { makeSecretBox } from './platform/kernel/secret-box.ts'
import { openSpans } from './platform/process/open-spans.ts'
import type { Secrets } from './platform/process/secrets.ts'
import type { Spans } from './platform/process/spans.ts'
import { serviceVersion } from './platform/process/version.ts'
import { openSandboxReceivers } from './sandbox/receivers.ts'
import { openRobot } from './sandbox/robot/robot.ts'
import { openSandbox, recordSandboxRequests } from './sandbox/sandbox.ts'
import { eventsChannel } from './warehouse/events/outbox.ts'
import { openCallJournal } from './warehouse/journal/calls.ts'
import { recordRefusedReceipts } from './warehouse/journal/refused-receipts.ts'
import { waitingPhotos } from './warehouse/photos/stored-bytes.ts'

/**
 * The composition root: opens the parts of the service, connects them and starts those that the role
 * needs. A part gets all it works with as arguments. Parts stop in the order of `close`.
 */

/** api: answers HTTP; worker: does the work in the background; all: both. */
export type ProcessRole = 'api' | 'worker' | 'all'

export interface AppDependencies {
  readonly config: Config
  readonly role: ProcessRole
  readonly db: Database
  readonly clock: Clock
  readonly secrets: Secrets
  readonly log: FastifyBaseLogger
  /** The bundled web pages; without it the service has none. */
  readonly web?: () => Promise<WebFiles>
  /** See `limitsAtSpeed` in exchange/marketplaces/calls/account-buckets.ts. */
  readonly marketplaceSpeed?: number
}

export interface App {
  /** The port of the API; undefined for a worker. */
  readonly port: number | undefined
  /** The port of the Prometheus metrics. */
  readonly metricsPort: number
  /**
   * Finishes the work under way, writes what is buffered, and stops. Resolves with the parts that did not close in order.
   *
   * @param drains whether callers get time to go to another process first
   */
  close(drains?: boolean): Promise<readonly string[]>
}

export async function startApp(given: AppDependencies): Promise<App> {
  const spans = await openSpans(given.config.spans, { 'sklad.role': given.role }, given.log)
  const http = openHttp(given, spans)
  // Beside the routes, which are made meanwhile: the first call of a test key waits for it. Maintenance repeats what fails here.
  if (given.role !== 'api') http.sandbox.build().catch(() => {})
  const webhooks = openWebhooks(given, http, spans)
  const marketplaces = openMarketplaces(given, http, spans)
  const notices = openNoticeParts(given)
  await addSellersSides(given, http, webhooks, notices)
  await addStaffSide(given, http, marketplaces, notices)
  addUnsubscribe(http.server, { ...given, unsubscribing: notices.unsubscribing })
  if (given.web !== undefined) addWeb(http.server, given.web)
  http.drain.closeConnectionsLast()
  const background = openBackground(given, http, webhooks, marketplaces, notices)

  const { log } = given
  const closeServer = async (drains: boolean) => {
    if (drains) await http.drain.run()
    await http.server.close()
  }
  const close = async (drains = false) => [
    // The work in the background needs no caller: it stops while requests are still answered.
    ...(await closeBeside(log, { 'HTTP server': () => closeServer(drains), ...background.parts })),
    ...(await closeInOrder(log, {
      'connections of webhooks': () => webhooks.egress.close(),
      'journal of calls': () => http.calls.close(),
      spans: async () => spans?.close(),
      metrics: () => http.metrics.close(),
      'connections of reports': () => http.reports.end(),
      ...marketplaces.parts,
    })),
  ]
  try {
    await listen(given, http)
    if (given.role !== 'api') await background.start()
  } catch (error) {
    await close()
    throw error
  }
  const address = http.server.server.address() as AddressInfo | null
  return { port: address?.port, metricsPort: http.metrics.port, close }
}

type Http = ReturnType<typeof openHttp>
type Webhooks = ReturnType<typeof openWebhooks>
type Marketplaces = ReturnType<typeof openMarketplaces>
type Notices = ReturnType<typeof openNoticeParts>

/** What both sides of the API need. */
function openHttp(
  { config, role, db, clock, secrets, log }: AppDependencies,
  spans: Spans | undefined,
) {
  const calls = openCallJournal(
    db,
    [recordKeyUses, recordSandboxRequests, recordRefusedReceipts],
    (error) => log.error({ err: error }, 'call journal not written'),
  )
  const admit = admitKeys(db, config.keyBucket)
  const server = buildServer({
    log,
    trustProxy: config.trustProxy,
    clock,
    accessLog: config.accessLog,
    unparsedGate: unparsedGate({ admit, calls, clock }),
  })
  const metrics = openMetricsServer({
    server,
    calls,
    webhookFigures: () => webhookFigures(db, clock.now()),
    cabinetFigures: () => cabinetFigures(db),
    houseFigures: async () => ({
      ...(await printFigures(db)),
      lastBackup: await lastBackupAt(db),
      notices: await noticeFigures(db),
      photos: config.blobs ? await waitingPhotos(db) : { waiting: 0, oldestMs: 0 },
    }),
    build: { version: serviceVersion, role },
  })
  metrics.observePool('main', db)
  if (spans !== undefined) {
    recordRequests(server, spans)
    metrics.observeSpans(spans)
  }
  const drain = addDrain(server)
  addHealth(server, db, drain)
  addClientPackages(server, config.baseUrl)
  const reports = openReports(db, config)
  const cursors = makeCursors(secrets.cursorKeys)
  const turns = openClientTurns(config.poolSize)
  const sandbox = openSandbox({
    ...{ db, clock, turns },
    idleHours: config.sandboxIdleHours,
    cell: config.cell,
  })
  const receivers = openSandboxReceivers(db, clock, config.baseUrl)
  const photoStore = config.blobs && openBlobStore(config.blobs, clock)
  const sandboxes = { sandbox, receivers }
  return { server, admit, drain, calls, metrics, reports, cursors, turns, photoStore, ...sandboxes }
}

function openWebhooks(
  { config, db, clock, secrets, log }: AppDependencies,
  { metrics, receivers }: Http,
  spans: Spans | undefined,
) {
  const { timeoutMs, privateTargets, retrySchedule } = config.webhooks
  const egress = makeEgress({ timeoutMs, privateTargets })
  const secretBox = makeSecretBox(secrets.webhookKeys)
  const dispatcher = openDispatcher({
    db,
    clock,
    egress,
    receivers,
    secretBox,
    schedule: retrySchedule,
    chance: Math.random,
    onAttempt: (attempt, event) => {
      metrics.webhooks.onAttempt(attempt)
      spans?.record(attemptSpan(attempt, event))
    },
    log,
  })
  return { egress, secretBox, dispatcher }
}

/** All sync runs of a process share them, so the pages of many cabinets leave the other connections to requests. */
const syncConnections = 4

function openMarketplaces(
  { config, db, clock, secrets, log, marketplaceSpeed: speed = 1 }: AppDependencies,
  { metrics }: Http,
  spans: Spans | undefined,
) {
  const recorder = openCallRecorder(db, clock, log)
  const cabinetBox = makeSecretBox(secrets.cabinetKeys)
  const limitsDb = openBeside(db)
  const syncDb = openBeside(db, syncConnections)
  const locks = openAdvisoryLocks(db)
  metrics.observePool('sync', syncDb)
  const onAttempt: ObserveCall = (marketplace, attempt) => {
    metrics.onMarketplaceCall(marketplace, attempt)
    spans?.record(callSpan(marketplace, attempt))
  }
  const shared = { ...config.marketplaces, db: limitsDb, speed, onAttempt }
  return {
    cabinetBox,
    locks,
    syncDb,
    connect: makeConnect({ ...shared, box: cabinetBox, log, recorder }),
    checkCredentials: makeCredentialsCheck(shared),
    parts: {
      'recorder of calls': () => recorder.close(),
      'connections of limits': () => limitsDb.end({ timeout: 1 }),
      'connections of sync runs': () => syncDb.end({ timeout: 1 }),
      'advisory locks': () => locks.end(),
    },
  }
}

/** The API of sellers' programs and the account of their people: the same routes behind two gates. */
async function addSellersSides(
  { config, db, clock, secrets, log }: AppDependencies,
  { server, admit, calls, reports, cursors, turns, sandbox, receivers, photoStore }: Http,
  { egress, secretBox }: Webhooks,
  { ways: noticeWays }: Notices,
): Promise<void> {
  const heldPolls = openHeldPolls(db, eventsChannel, (error) =>
    log.warn({ err: error }, 'feed does not listen'),
  )
  // Before the server waits for the calls under way.
  server.addHook('preClose', heldPolls.stop)
  const sellers = {
    db,
    reports,
    clock,
    turns,
    cursors,
    calls,
    sandbox,
    receivers,
    sandboxKeyBucket: config.sandboxKeyBucket,
    docsUrl: config.docsUrl,
    webhooks: { db, clock, egress, receivers, secretBox },
    heldPolls,
    eventRetentionDays: config.webhooks.retentionDays,
  }
  await server.register(async (side) => {
    const document = await addPublicReference(side, config)
    const gate = { admit, calls, clock, prepareSandbox: sandbox.prepare }
    await addPublicApi(side, { ...sellers, gate })
    addMcp(side, { baseUrl: config.baseUrl, version: interfaceVersion, document })
  })
  await server.register(async (side) => {
    await addAccountReference(side, config)
    await addAccountApi(side, {
      ...sellers,
      baseUrl: config.baseUrl,
      cell: config.cell,
      sessionBucket: config.accountBucket,
      noticeWays,
      photoStore,
      box: makeSecretBox(secrets.accountKeys),
    })
  })
}

async function addStaffSide(
  { config, db, clock, secrets, log }: AppDependencies,
  { server, reports, cursors, photoStore }: Http,
  { locks, connect, cabinetBox, checkCredentials }: Marketplaces,
  { ways: noticeWays }: Notices,
): Promise<void> {
  const printPolls = openHeldPolls(db, printJobsChannel, (error) =>
    log.warn({ err: error }, 'print stations do not listen'),
  )
  server.addHook('preClose', printPolls.stop)
  await server.register(async (side) => {
    await addStaffReference(side, config)
    await addStaffApi(side, {
      db,
      reports,
      clock,
      cursors,
      baseUrl: config.baseUrl,
      cell: config.cell,
      ssccPrefix: config.ssccPrefix,
      cabinetBox,
      accountBox: makeSecretBox(secrets.accountKeys),
      checkCredentials,
      connect,
      coordinator: openShipmentCoordinator({ db, clock, locks, connect }),
      noticeWays,
      photoStore,
      printPolls,
    })
  })
}

/** The ways to people that the settings open, and what people write back. */
function openNoticeParts({ config, db, clock, secrets }: AppDependencies) {
  const { mail, bot, baseUrl } = config
  const { noticeKeys: keys } = secrets
  const unsubscribing = makeUnsubscribing(keys, baseUrl)
  const api = bot && openBotApi(bot)
  const channels: Channels = {
    ...(mail && { email: openEmail({ ...mail, baseUrl, keys, unsubscribing }) }),
    ...(api && { telegram: openTelegram(api, baseUrl) }),
  }
  const ways: NoticeWays = {
    channels: Object.keys(channels) as (keyof Channels)[],
    keys,
    botName: api === undefined ? async () => undefined : botNameOf(api),
  }
  return { channels, ways, unsubscribing, listen: api && (() => readBotFeed({ db, clock, api })) }
}

type Parts = Readonly<Record<string, () => Promise<unknown>>>

/** Closes one part after the other. One that fails, because the database is away, keeps no other from closing. */
async function closeInOrder(log: FastifyBaseLogger, parts: Parts): Promise<readonly string[]> {
  const failed = []
  for (const part of Object.entries(parts)) failed.push(...(await closePart(log, part)))
  return failed
}

async function closeBeside(log: FastifyBaseLogger, parts: Parts): Promise<readonly string[]> {
  const failed = await Promise.all(Object.entries(parts).map((part) => closePart(log, part)))
  return failed.flat()
}

/** The part's name where it did not close. */
async function closePart(
  log: FastifyBaseLogger,
  [name, close]: [name: string, close: () => Promise<unknown>],
): Promise<readonly string[]> {
  try {
    await close()
    return []
  } catch (error) {
    log.warn({ err: error }, `${name} did not close in order`)
    return [name]
  }
}

/** The work without HTTP, in every process of role worker or all. */
function openBackground(
  { config, db, clock, log }: AppDependencies,
  { sandbox, photoStore }: Http,
  { dispatcher }: Webhooks,
  { locks, connect, cabinetBox: box, syncDb }: Marketplaces,
  { channels, listen }: Notices,
) {
  const maintenance = openMaintenance({ db, clock, sandbox, config, log })
  const robot = openRobot({ db, clock, log })
  const { syncIntervalMs: intervalMs } = config.marketplaces
  const syncScheduler = openSyncScheduler({
    db,
    runsDb: syncDb,
    locks,
    clock,
    connect,
    box,
    intervalMs,
    log,
  })
  const markProver = openMarkProver({ db: syncDb, locks, clock, connect, log })
  const pictures = openPictures({ config, db, clock, log })
  const photoMover = photoStore && openPhotoMover({ db, clock, store: photoStore, log })
  const notices = openNoticeSender({ db, clock, channels, listen, log })
  return {
    async start() {
      maintenance.start()
      if (config.sandboxRobot) robot.start()
      syncScheduler.start()
      markProver.start()
      pictures.start()
      photoMover?.start()
      notices.start()
      await dispatcher.start()
    },
    parts: {
      'sandbox robot': () => robot.stop(),
      'sync runs': () => syncScheduler.stop(),
      'proving of marks': () => markProver.stop(),
      'moving of photos': async () => photoMover?.stop(),
      pictures: () => pictures.stop(),
      notices: () => notices.stop(),
      maintenance: () => maintenance.stop(),
      webhooks: () => dispatcher.stop(),
    },
  }
}

/** Of one picture. */
const pictureTimeoutMs = 15_000

function openPictures({
  config,
  ...parts
}: Omit<PictureFetcherParts, 'egress' | 'hosts'> & Pick<AppDependencies, 'config'>) {
  // A host of this machine is reached where the setting names it.
  const egress = makeEgress({ privateTargets: 'sandbox', timeoutMs: pictureTimeoutMs })
  return openPictureFetcher({ ...parts, egress, hosts: config.pictureHosts })
}

async function listen({ config, role }: AppDependencies, { server, metrics }: Http): Promise<void> {
  await metrics.listen(config.metricsHost, config.metricsPort)
  if (role !== 'worker') await server.listen({ host: config.host, port: config.port })
}
