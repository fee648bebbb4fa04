import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, beforeEach } from 'node:test'
import { makeConnect } from '../../src/exchange/marketplaces/connecting/open-connector.ts'
import { openAdvisoryLocks } from '../../src/exchange/marketplaces/coordination/advisory-locks.ts'
import {
  openShipmentCoordinator,
  type ShipmentCoordinator,
} from '../../src/exchange/marketplaces/coordination/coordinator.ts'
import {
  openSyncScheduler,
  type SchedulerOptions,
} from '../../src/exchange/marketplaces/sync/scheduler.ts'
import type { Polling } from '../../src/platform/concurrency/poller.ts'
import { type Database, openBeside } from '../../src/platform/db/connection.ts'
import { perform, type Work } from '../../src/platform/db/work.ts'
import { type Clock, systemClock } from '../../src/platform/kernel/clock.ts'
import { makeSecretBox, type SecretBox } from '../../src/platform/kernel/secret-box.ts'
import { changeCabinet, connectCabinet } from '../../src/warehouse/clients/cabinets.ts'
import type { ShipmentsPlace } from '../../src/warehouse/clients/marketplace.ts'
import {
  rememberShippingPoints,
  setShippingDefaults,
} from '../../src/warehouse/shipments/shipping-method.ts'
import { testDatabase } from './database.ts'
import type { Fake, FakeAccount } from './marketplaces/fake.ts'
import { marketplaceSpeed } from './marketplaces/fake-time.ts'
import { type FakeOzon, startFakeOzon } from './marketplaces/ozon.ts'
import { type FakeWildberries, startFakeWildberries } from './marketplaces/wildberries.ts'
import { makeClient } from './warehouse.ts'

/** Fakes of both marketplaces, a database, and the sync between them. */
export interface Scene {
  readonly db: Database
  readonly wb: FakeWildberries
  readonly ozon: FakeOzon
  readonly coordinator: ShipmentCoordinator
  /** Seals credentials and sellers. */
  readonly box: SecretBox
  /** One more process that syncs. */
  syncing(options?: Partial<Pick<SchedulerOptions, 'usualRunMs' | 'intervalMs'>>): Polling
  /** A live client with one connected cabinet, and the account of the fake that it leads to. */
  connect(fake: Fake, options?: ConnectOptions): Promise<Connected>
  /** The cabinet gets the credentials of this account. */
  giveKey(cabinet: Connected, account: FakeAccount): Promise<void>
  /** Runs a verb of the service. */
  run<T>(verb: (work: Work) => Promise<T>): Promise<T>
  /** A sync run of the cabinets of this test, whether they are due or not. */
  sync(): Promise<void>
  /** The errors logged since the last call. */
  logged(): string[]
  /** The warnings logged since the last call. */
  warned(): unknown[]
}

interface ConnectOptions {
  readonly shipments?: ShipmentsPlace
  readonly clientId?: string
  /** By default the one that ships all orders of the fake; null: not chosen. */
  readonly warehouses?: readonly string[] | null
}

export interface Connected {
  readonly clientId: string
  readonly cabinetId: string
  readonly account: FakeAccount
}

export const intervalMs = 60_000

/** Who does what a test asks of the scene. */
export const actor = { kind: 'service' } as const

export interface SceneOptions {
  /** The database of a service; by default one of its own. */
  readonly db?: Database
  /** The clock of the service. */
  readonly clock?: Clock
  /** The time at the marketplaces. */
  readonly remoteNow?: () => number
}

export async function openScene({
  db: given,
  clock = systemClock,
  remoteNow: now = Date.now,
}: SceneOptions = {}): Promise<Scene> {
  const db = given ?? (await testDatabase()).db
  const [wb, ozon] = await Promise.all([startFakeWildberries({ now }), startFakeOzon({ now })])
  after(() => Promise.all([wb.close(), ozon.close()]))
  let errors: string[] = []
  let warnings: unknown[] = []
  const log = {
    error: ({ err }: { err: unknown }, text: string) => void errors.push(`${text} ${err}`),
    warn: (details: unknown) => void warnings.push(details),
  }
  const box = makeSecretBox([randomBytes(32)])
  const limitsDb = openBeside(db)
  const locks = openAdvisoryLocks(db)
  after(() => locks.end())
  const connect = makeConnect({
    db: limitsDb,
    box,
    wildberries: hostsOf(wb.baseUrl),
    ozonUrl: ozon.baseUrl,
    ozonListApartMs: 1,
    speed: marketplaceSpeed,
    now: clock.now,
    log,
  })
  const syncing: Scene['syncing'] = (given) =>
    openSyncScheduler({ db, locks, clock, connect, box, intervalMs, log, ...given })
  /** A run of the cabinets of earlier tests would only take time. */
  const former: string[] = []
  const connected: string[] = []
  beforeEach(() => former.push(...connected.splice(0)))
  const runner = syncing()
  after(() => runner.stop())
  after(() => limitsDb.end({ timeout: 1 }))
  return {
    db,
    wb,
    ozon,
    box,
    coordinator: openShipmentCoordinator({ db, locks, clock, connect }),
    syncing,
    async connect(fake, { shipments = 'ours', clientId, warehouses = [fake.ownWarehouse] } = {}) {
      const client = clientId ?? (await makeClient(db, [])).id
      const account = fake.account()
      const cabinetId = await perform(db, clock, actor, async (work) => {
        const { marketplace } = fake
        const { credentials } = account
        const draft = { marketplace, name: marketplace, credentials, shipments }
        const id = await connectCabinet(work, box, client, draft)
        if (marketplace === 'WB') await chooseUsualPoint(work, client, id)
        await changeCabinet(work, box, client, id, { warehouses })
        return id
      })
      connected.push(cabinetId)
      return { clientId: client, cabinetId, account }
    },
    run: (verb) => perform(db, clock, actor, verb),
    async giveKey({ clientId, cabinetId }, { credentials }) {
      await perform(db, clock, actor, (work) =>
        changeCabinet(work, box, clientId, cabinetId, { credentials }),
      )
    },
    async sync() {
      await makeDue(db, former)
      await runner.runOnce()
    },
    logged() {
      const taken = errors
      errors = []
      return taken
    },
    warned() {
      const taken = warnings
      warnings = []
      return taken
    },
  }
}

/** The stand-in's sorting centre becomes the default of the cabinet. */
async function chooseUsualPoint(work: Work, clientId: string, cabinetId: string): Promise<void> {
  const point = { id: 100, name: 'Москва', address: null, city: 'Москва', kind: 'sc' }
  await rememberShippingPoints(work, clientId, cabinetId, [{ ...point, cargo_types: [1, 2, 3] }])
  const defaults = [1, 2, 3].map((cargo_type) => ({
    cargo_type,
    point_id: 100,
    type: 'selfShipping' as const,
  }))
  await setShippingDefaults(work, clientId, cabinetId, defaults)
}

/** WB and its sandbox at one address. */
export function hostsOf(url: string) {
  const hosts = { baseUrl: url, contentBaseUrl: url }
  return { production: hosts, sandbox: hosts }
}

/** The time between two sync runs is over, in which limits were refilled. */
export async function makeDue(db: Database, except: readonly string[] = []): Promise<void> {
  await db`update marketplace_buckets set full_at = 0 where full_at > now_micros()`
  await db`
    update cabinet_syncs set next_at = now(), stock_at = null, reshipments_at = null,
      returns_at = null, shipments_from = shipments_from - interval '1 hour',
      lacks = (
        select coalesce(jsonb_agg(lack || '{"askedAt": "2026-01-01T00:00:00+03:00"}'), '[]')
        from jsonb_array_elements(lacks) lack)
    where cabinet_id <> all(${[...except]}::uuid[])`
}

export interface CabinetState {
  readonly synced_at: string | null
  readonly sync_error: string | null
}

export async function cabinetState(db: Database, cabinetId: string): Promise<CabinetState> {
  const [row] = await db<CabinetState[]>`
    select synced_at, sync_error from cabinets where id = ${cabinetId}`
  assert.ok(row)
  return row
}

export interface StoredOrder {
  readonly id: string
  readonly external_id: string
  readonly status: string
  readonly barcode: string | null
  readonly shipment_id: string | null
  readonly status_changed_at: string | null
}

export async function ordersOf(db: Database, cabinetId: string): Promise<StoredOrder[]> {
  const rows = await db<StoredOrder[]>`
    select id, external_id, status, barcode, shipment_id, status_changed_at from orders
    where cabinet_id = ${cabinetId} order by external_id collate "C"`
  return [...rows]
}

export interface StoredShipment {
  readonly id: string
  readonly external_id: string
  readonly status: string
  readonly orders_count: number
  readonly units: number
}

export async function shipmentsOf(db: Database, cabinetId: string): Promise<StoredShipment[]> {
  const rows = await db<StoredShipment[]>`
    select id, external_id, status, orders_count, units from shipments
    where cabinet_id = ${cabinetId} order by created_at, id`
  return [...rows]
}
