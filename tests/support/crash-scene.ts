import type { TestContext } from 'node:test'
import { faultScene, type Hold } from './faults.ts'
import type { Fake } from './marketplaces/fake.ts'
import type { Fakes } from './marketplaces/fakes.ts'
import { chooseUsualPoint, good, openFloor } from './shipping.ts'
import { type StaffClient, staffCalls } from './staff.ts'

/** A service process with one connected cabinet, which a test kills and replaces by another process. */
export const barcode = '4600000000017'

/** `chooses`: whether a manager chooses the cabinet's warehouse at once. */
export async function openCrashScene(t: TestContext, fakes: Fakes, fake: Fake, chooses = true) {
  const scene = await faultScene(t)
  const { db } = scene
  const settings = { ...fakes.settings, SYNC_INTERVAL: '1s' }
  const first = await scene.start(settings)
  const floor = await openFloor({ db, baseUrl: first.baseUrl }, { [barcode]: 5 })
  const account = fake.account()
  const card = fake.addCard(account, { barcodes: [barcode] })
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
  const { marketplace } = fake
  const draft = { marketplace, name: 'Свой', credentials: account.credentials, shipments: 'ours' }
  const made = await floor.manager.post(`/clients/${floor.client}/cabinets`, draft)
  const { id: cabinet } = good<{ id: string }>(made, 201)
  if (marketplace === 'WB') await chooseUsualPoint(floor.manager, cabinet)
  const choice = { warehouses: [fake.ownWarehouse] }
  if (chooses) good(await floor.manager.patch(`/cabinets/${cabinet}`, choice))
  const count = async () => (await db`select from orders where client_id = ${floor.client}`).length
  return {
    ...floor,
    db,
    account,
    cabinet,
    line,
    first,
    count,
    addOrder: (raw: Readonly<Record<string, unknown>> = {}) =>
      fake.addOrder(account, { lines: [line], raw }),
    /** Starts another process and releases the leases of the first at once. */
    async second() {
      await db`update cabinet_syncs set leased_until = now()`
      await db`update remote_commands set requested_at = requested_at - interval '1 minute'`
      const service = await scene.start(settings)
      return staffCalls(service.baseUrl, floor.manager.token)
    },
    /** Ends the first process while it is held. */
    async killHeld(held: Hold) {
      await held.reached()
      await first.end('SIGKILL')
      await held.release()
      await held.over()
    },
    async isNothingOpen() {
      const open = await db`select from remote_commands where state = 'requested'`
      return open.length === 0
    },
  }
}

/** Makes boxes necessary. */
export async function choosePickupPoint(worker: StaffClient, cabinet: string, shipment = '') {
  good(
    await worker.get(`/cabinets/${cabinet}/shipping-points?city=${encodeURIComponent('Москва')}`),
  )
  good(await worker.put(`/shipments/${shipment}/shipping-method`, { point_id: 200 }))
}

/** The first call that changes something, by an account, at a path. */
export async function calledWith(fake: Fake, account: string, path: string): Promise<void> {
  for (;;) {
    const call = await fake.called(path)
    const reads = call.method === 'GET' || /status|order-ids|stickers|get$/.test(call.path)
    if (call.account === account && !reads) return
  }
}
