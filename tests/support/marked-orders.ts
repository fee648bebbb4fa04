import { after } from 'node:test'
import type { MarkKind } from '../../src/warehouse/orders/fact-kinds.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { type FakeWildberries, startFakeWildberries } from './marketplaces/wildberries.ts'
import { startService, type TestService } from './service.ts'
import { chooseUsualPoint, good, openFloor } from './shipping.ts'
import { at, newOrder, noon } from './warehouse.ts'

/** A service beside a stand-in of WB. Its clock runs, and `jump` puts it forward. */
export async function startMarkedService() {
  const wb = await startFakeWildberries()
  after(() => wb.close())
  let ahead = 0
  const clock = { now: () => Date.now() + ahead }
  const jump = (ms: number) => {
    ahead += ms
  }
  const settings = { WB_BASE_URL: wb.baseUrl, SYNC_INTERVAL: '1h' }
  const service = await startService(settings, 'all', undefined, clock)
  return { wb, clock, jump, service }
}

interface MarkedGoods {
  readonly service: TestService
  readonly wb: FakeWildberries
  readonly barcode: string
  /** Whether its card says that the goods are marked. */
  readonly honestMark?: boolean
}

export interface WantedMarks {
  /** What WB says of the order. */
  readonly raw?: Readonly<Record<string, unknown>>
  readonly requiredMarks: readonly MarkKind[]
}

/** A connected cabinet with an open shipment of orders of one unit each, whose marks WB wants. */
export async function openShipmentOf(
  { service, wb, barcode, honestMark = false }: MarkedGoods,
  wanted: readonly WantedMarks[],
) {
  const { db } = service
  const floor = await openFloor(service, { [barcode]: 10 })
  const account = wb.account()
  wb.addCard(account, { barcodes: [barcode], honestMark })
  const numbers = wanted.map(({ raw }) => wb.addOrder(account, raw && { raw }))
  const draft = { credentials: account.credentials, shipments: 'ours' }
  good(await floor.manager.patch(`/cabinets/${floor.cabinet}`, draft))
  good(await floor.manager.patch(`/cabinets/${floor.cabinet}`, { warehouses: [wb.ownWarehouse] }))
  await chooseUsualPoint(floor.manager, floor.cabinet)
  await at(db, noon, async (work) => {
    const drafts = wanted.map(({ requiredMarks }, n) => {
      const lines = [{ barcode, quantity: 1, requiredMarks }]
      return { ...newOrder(numbers[n] ?? '', barcode), lines }
    })
    await takeInOrders(work, floor.client, floor.cabinet, drafts)
  })
  const rows = await db<{ id: string; external_id: string }[]>`
    select id, external_id from orders where client_id = ${floor.client}`
  const ids = numbers.map((number) => rows.find((row) => row.external_id === number)?.id ?? '')
  const opened = { cabinet_id: floor.cabinet, external_id: '1', name: 'Дневная' }
  const shipment = good<StaffShipment>(await floor.worker.post('/shipments', opened), 201)
  good(await floor.add(shipment.id, ids))
  return {
    ...floor,
    account,
    numbers,
    ids,
    shipment,
    taskId: shipment.picking_task_id,
    close: () => floor.worker.post(`/shipments/${shipment.id}/close`),
  }
}

/** Like openShipmentOf: each order needs a marking code. */
export async function openMarkedOrders(
  service: TestService,
  wb: FakeWildberries,
  barcode: string,
  count: number,
) {
  const wanted = Array.from({ length: count }, () => ({ requiredMarks: ['marking_code'] as const }))
  const floor = await openShipmentOf({ service, wb, barcode, honestMark: true }, wanted)
  const { account, ids, numbers, taskId: task } = floor
  const calls = (method: string) =>
    wb
      .calls()
      .filter((call) => call.account === account.id && call.method === method)
      .map(({ path }) => path)
      .filter((path) => path.includes('/meta'))
  return {
    ...floor,
    task,
    calls,
    take: async (n: number, code: string, scan = `s${n}`) =>
      good(
        await floor.pick(task, { scan_id: scan, order_id: ids[n], barcode, marking_code: code }),
      ),
    codesOf: (n: number) => wb.markingCodesOf(account, numbers[n] ?? ''),
    states: async () =>
      (
        await service.db<{ state: string }[]>`
          select state from mark_proofs where client_id = ${floor.client} order by scan_id`
      ).map(({ state }) => state),
    shown: () => floor.task({ picking_task_id: task }),
    lines: async () => (await floor.task({ picking_task_id: task })).lines ?? [],
    reads: () => calls('POST').length,
  }
}
