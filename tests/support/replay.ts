import { after } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import type { Marketplace } from '../../src/warehouse/clients/marketplace.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { openClient } from './client.ts'
import { eventually } from './faults.ts'
import { type Answers, serveKnownAnswers } from './marketplaces/known-answers/server.ts'
import { type StartedService, startService } from './service.ts'
import { type Floor, good, openFloor } from './shipping.ts'

/** A running service that reads one account, which answers as written down in the test. */
export interface Replay extends Pick<Floor, 'client' | 'manager' | 'worker'> {
  readonly service: StartedService
  readonly cabinet: string
  /** The account answers so from now on. */
  play(answers: Answers): void
  /** A sync run as of the next day: waits for one that began after this call, and returns its error. */
  sync(): Promise<string | null>
  /** Calls that the account does not answer. */
  unanswered(): readonly string[]
  /** By number, as staff see them. */
  orders(): Promise<ReadonlyMap<string, StaffOrder>>
  /** By number, each with its orders, as staff see them. */
  shipments(): Promise<ReadonlyMap<string, StaffShipment>>
  /** Numbers of the orders that count as sorted by the marketplace. */
  sorted(): Promise<string[]>
  /** Numbers of the orders that must be brought again. */
  toReship(): Promise<string[]>
  /** What the seller reads. */
  read<T>(path: string): Promise<T>
}

export interface ReplayOptions {
  readonly marketplace: Marketplace
  readonly credentials: Readonly<Record<string, string>>
  /** Units in the warehouse by barcode. */
  readonly units: Readonly<Record<string, number>>
  readonly answers: Answers
  /** The marketplace's numbers of those whose orders are taken in from the start. */
  readonly warehouses: readonly number[]
}

export async function openReplay(options: ReplayOptions): Promise<Replay> {
  const account = await serveKnownAnswers()
  after(() => account.close())
  account.play(options.answers)
  const service = await startService(
    {
      WB_BASE_URL: account.baseUrl,
      WB_CONTENT_BASE_URL: account.baseUrl,
      OZON_BASE_URL: account.baseUrl,
      SYNC_INTERVAL: '1h',
    },
    'all',
  )
  const { client, manager, worker } = await openFloor(service, options.units, [])
  const { marketplace, credentials } = options
  const draft = { marketplace, name: 'Кабинет', credentials, shipments: 'mirrored' }
  const made = await manager.post(`/clients/${client}/cabinets`, draft)
  const { id: cabinet } = good<{ id: string }>(made, 201)
  good(await manager.patch(`/cabinets/${cabinet}`, { warehouses: options.warehouses.map(String) }))
  const { key } = await perform(service.db, systemClock, { kind: 'service' }, (work) =>
    issueApiKey(work, client, { name: 'Чтение', receiptsEnabled: false }),
  )
  const seller = openClient(service.baseUrl, key)
  const list = async <T>(path: string) =>
    good<{ items: T[] }>(await worker.get(`/${path}?client_id=${client}&limit=200`)).items
  return {
    service,
    client,
    manager,
    worker,
    cabinet,
    play: account.play,
    unanswered: account.unanswered,
    async sync() {
      await eventually('no sync run is due or under way', () => isQuiet(service, cabinet))
      await service.db`
        update cabinet_syncs set
          reshipments_at = reshipments_at - interval '1 day', labels_at = labels_at - interval '1 day'
        where cabinet_id = ${cabinet}`
      const before = (await runOf(service, cabinet))?.started_at
      good(await manager.post(`/cabinets/${cabinet}/sync`), 202)
      await eventually('the cabinet is synced', async () => {
        const run = await runOf(service, cabinet)
        return run !== undefined && run.started_at !== before && run.ended
      })
      const { sync_error } = good<CabinetState>(await manager.get(`/cabinets/${cabinet}`))
      return sync_error ?? null
    },
    async orders() {
      const orders = await list<StaffOrder>('orders')
      return new Map(orders.map((order) => [order.external_id, order]))
    },
    async shipments() {
      const shipments = await list<StaffShipment>('shipments')
      const whole = await Promise.all(
        shipments.map(async ({ id }) => good<StaffShipment>(await worker.get(`/shipments/${id}`))),
      )
      return new Map(whole.map((shipment) => [shipment.external_id, shipment]))
    },
    async toReship() {
      const path = `/orders?client_id=${client}&to_reship=true&limit=200`
      const { items } = good<{ items: StaffOrder[] }>(await worker.get(path))
      return items.map((order) => order.external_id)
    },
    async sorted() {
      const rows = await service.db<{ external_id: string }[]>`
        select external_id from orders where cabinet_id = ${cabinet} and sorted
        order by external_id collate "C"`
      return rows.map((row) => row.external_id)
    },
    read: async <T>(path: string) => good<T>(await seller.get(path)),
  }
}

interface CabinetState {
  readonly sync_error?: string | null
}

interface SyncRunState {
  readonly started_at: string
  readonly ended: boolean
}

/** The last sync run; undefined before the first. */
async function runOf({ db }: StartedService, cabinet: string): Promise<SyncRunState | undefined> {
  const [run] = await db<SyncRunState[]>`
    select started_at, leased_until is null as ended from cabinet_syncs
    where cabinet_id = ${cabinet} and started_at is not null`
  return run
}

async function isQuiet({ db }: StartedService, cabinet: string): Promise<boolean> {
  const rows = await db`
    select cabinet_id from cabinet_syncs
    where cabinet_id = ${cabinet} and lease is null and next_at > now()`
  return rows.length > 0
}

/** Of what the seller reads, the part that tests look at. */
export interface ReadStock {
  readonly barcode: string
  readonly quantity: number
  readonly marketplace_stock: readonly {
    readonly warehouse_name: string
    readonly quantity: number
  }[]
}

export interface ReadMetrics {
  readonly funnel: Readonly<Record<string, number>>
  readonly shipments: { readonly cancelled: number }
}
