import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metrics } from '../../src/warehouse/metrics/view.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { type AccountClient, accountUser } from '../support/account.ts'
import { assertRefused, openClient } from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import type { Fake, FakeStatus } from '../support/marketplaces/fake.ts'
import { startFakes } from '../support/marketplaces/fakes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { awaitQuiet } from '../support/waiting.ts'

/** Managers choose the warehouses of a connected cabinet whose orders are collected here; before that none is taken in. */
const { wb, ozon, settings } = await startFakes()
const service = await startService(settings, 'all')
const barcode = '4600000000017'
const day = 24 * 3_600_000
const elsewhere = { id: 7_002, name: 'Склад продавца' }

interface CabinetState {
  readonly synced_at: string | null
  readonly sync_error?: string
  readonly warehouses: string[] | null
  readonly needs_warehouses: boolean
}
interface Warehouses {
  readonly chosen: boolean
  readonly left_out_elsewhere: number
  readonly items: readonly {
    readonly id: string
    readonly scheme?: string
    readonly ours: boolean
    readonly listed: boolean
    readonly left_out: number
  }[]
}

/** `alone`: the seller has no other FBS warehouse. */
async function openCabinet(fake: Fake, shipments = 'ours', alone = false) {
  const floor = await openFloor(service, { [barcode]: 9 })
  const account = fake.account()
  const card = fake.addCard(account, { barcodes: [barcode] })
  const stocked = alone ? { id: Number(fake.ownWarehouse), name: 'Склад FBS' } : elsewhere
  fake.setStock(account, { itemId: card.itemId, warehouse: stocked, quantity: 5 })
  const { marketplace } = fake
  const draft = { marketplace, name: marketplace, credentials: account.credentials, shipments }
  const made = await floor.manager.post(`/clients/${floor.client}/cabinets`, draft)
  const { id: cabinet } = good<{ id: string }>(made, 201)
  const path = `/cabinets/${cabinet}`
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
  const state = async () => good<CabinetState>(await floor.manager.get(path))
  return {
    ...floor,
    account,
    cabinet,
    path,
    state,
    choose: (warehouses: readonly string[] | null) => floor.manager.patch(path, { warehouses }),
    listed: async () => good<Warehouses>(await floor.manager.get(`${path}/warehouses`)),
    addOrder(raw: Readonly<Record<string, unknown>> = {}, daysAgo = 0, status?: FakeStatus) {
      const createdAt = Date.now() - daysAgo * day
      return fake.addOrder(account, { lines: [line], raw, createdAt, ...(status && { status }) })
    },
    /** As the marketplace reports an order of the seller's own warehouse. */
    addForeign: () =>
      fake.addOrder(account, {
        lines: [line],
        raw: { warehouseId: elsewhere.id, delivery_method: methodOf(elsewhere) },
      }),
    async sync() {
      await awaitQuiet(service.db, cabinet)
      // The list of shipments is not read in every run: that time is over.
      await service.db`
        update cabinet_syncs set shipments_from = shipments_from - interval '1 hour', stock_at = null,
          returns_at = null
        where cabinet_id = ${cabinet}`
      const before = await state()
      assert.equal((await floor.manager.post(`${path}/sync`)).status, 202)
      const isSynced = async () => (await state()).synced_at !== before.synced_at
      await eventually('the cabinet is synced', isSynced)
    },
    async shown() {
      const query = `client_id=${floor.client}&limit=100`
      const { items } = good<{ items: StaffOrder[] }>(await floor.worker.get(`/orders?${query}`))
      return new Map(items.map((order) => [order.external_id, order.id]))
    },
    /** The numbers of its orders, once they are as many. */
    async taken(count: number) {
      let numbers: readonly string[] = []
      await eventually(`${count} orders are there`, async () => {
        numbers = [...(await this.shown()).keys()].toSorted()
        return numbers.length >= count
      })
      return numbers
    },
    async ordersInFigures() {
      const key = good<{ key: string }>(
        await floor.manager.post(`/clients/${floor.client}/keys`, { name: 'Отчёт' }),
        201,
      )
      const [from, to] = [-30, 1].map((days) => new Date(Date.now() + days * day).toISOString())
      const query = `from=${from}&to=${to}`
      const seller = openClient(service.baseUrl, key.key)
      return good<Metrics>(await seller.get(`/v1/metrics?${query}`)).shipments.orders_total
    },
    async open() {
      const body = { cabinet_id: cabinet, external_id: `заявка ${cabinet}` }
      return good<StaffShipment>(await floor.worker.post('/shipments', body), 201)
    },
  }
}

const methodOf = ({ id, name }: typeof elsewhere) => ({
  id: 22_100,
  name: 'Доставка',
  warehouse_id: id,
  warehouse: name,
})
/** What is wrong with the seller's cabinets, as his account says. */
async function needsOf(seller: AccountClient) {
  const { cabinets } = good<{ cabinets: { problems: string[] }[] }>(await seller.get('/attention'))
  return cabinets.flatMap(({ problems }) => problems)
}
async function shipmentsOf({ worker, client }: Awaited<ReturnType<typeof openCabinet>>) {
  const query = `/shipments?client_id=${client}`
  return good<{ items: StaffShipment[] }>(await worker.get(query)).items
}
const leftOutOf = ({ items }: Warehouses, id: string | number) =>
  items.find((warehouse) => warehouse.id === String(id))?.left_out

for (const fake of [wb, ozon] as const) {
  const name = fake.marketplace

  // Guarantee (marketplaces): No new order is taken in until the warehouses of its cabinet are chosen.
  test(`${name}: of several warehouses a manager chooses before any order comes, and then theirs come at once`, async () => {
    const at = await openCabinet(fake, 'mirrored')
    const numbers = [at.addOrder({}, 29), at.addOrder()].toSorted()
    at.addOrder({}, 31, ended[name])
    at.addForeign()
    fake.addShipment(at.account, { orders: numbers })
    await at.sync()
    const waiting = await at.state()
    assert.deepEqual([waiting.needs_warehouses, waiting.sync_error], [true, undefined])
    assert.deepEqual([...(await at.shown())], [])
    assert.deepEqual(await shipmentsOf(at), [])
    assert.equal(await at.ordersInFigures(), 0)
    const { cabinets } = good<{
      cabinets: { items: { cabinet_id: string; problems: string[] }[] }
    }>(await at.worker.get('/today'))
    const item = cabinets.items.find(({ cabinet_id }) => cabinet_id === at.cabinet)
    assert.deepEqual(item?.problems, ['warehouses_not_chosen'])
    const seller = await accountUser(service, { [at.client]: 'viewer' })
    assert.deepEqual(await needsOf(seller), ['warehouses_not_chosen'])
    const before = await at.listed()
    assert.equal(before.chosen, false)
    assert.deepEqual(
      before.items.map(({ ours: isOurs, left_out }) => [isOurs, left_out]),
      before.items.map(() => [false, 0]),
    )

    good(await at.choose([fake.ownWarehouse]))
    assert.equal((await at.state()).needs_warehouses, false)
    assert.deepEqual(await at.taken(2), numbers)
    await eventually('the shipment is there', async () => (await shipmentsOf(at)).length === 1)
    assert.equal(await at.ordersInFigures(), 2)
    assert.deepEqual(await needsOf(seller), [])
  })

  test(`${name}: a seller's only FBS warehouse is chosen by itself, and the journal says so`, async () => {
    const at = await openCabinet(fake, 'ours', true)
    const numbers = [at.addOrder({}, 29), at.addOrder()].toSorted()
    assert.deepEqual(await at.taken(2), numbers)
    const { needs_warehouses, warehouses } = await at.state()
    assert.deepEqual([needs_warehouses, warehouses], [false, [fake.ownWarehouse]])
    const { items } = good<{
      items: { actor: string; action: string; words: string[] }[]
    }>(await at.manager.get(`/journal/staff?object_id=${at.cabinet}`))
    const chosen = items.filter(({ actor }) => actor === 'service')
    assert.deepEqual(
      chosen.map(({ action }) => action),
      ['changeCabinet'],
    )
    assert.match(chosen[0]?.words.join() ?? '', new RegExp(`склады: нет → ${fake.ownWarehouse}`))
  })

  test(`${name}: when the choice is taken back, stored orders are followed and no new one comes`, async () => {
    const at = await openCabinet(fake, 'mirrored')
    good(await at.choose([fake.ownWarehouse]))
    const stored = at.addOrder()
    await at.sync()
    good(await at.choose(null))
    assert.equal((await at.state()).needs_warehouses, true)
    const late = at.addOrder()
    fake.addShipment(at.account, { orders: [late] })
    fake.setStatus(at.account, stored, cancelled[name])
    await at.sync()
    const shown = await at.shown()
    assert.deepEqual([...shown.keys()], [stored])
    assert.equal((await at.order(shown.get(stored) ?? '')).status, 'CANCELLED')
    assert.deepEqual(await shipmentsOf(at), [])
    assert.equal(leftOutOf(await at.listed(), fake.ownWarehouse), 0)
    good(await at.choose([fake.ownWarehouse]))
    assert.deepEqual(await at.taken(2), [stored, late].toSorted())
  })

  // Guarantee (marketplaces): Only orders of a cabinet's chosen warehouses join a shipment made here.
  test(`${name}: only orders of chosen warehouses join a shipment made here`, async () => {
    const at = await openCabinet(fake)
    good(await at.choose([fake.ownWarehouse, String(elsewhere.id)]))
    const [ours, foreign] = [at.addOrder(), at.addForeign()]
    await at.sync()
    const shown = await at.shown()
    good(await at.choose(null))
    const body = {
      cabinet_id: at.cabinet,
      external_id: 'рано',
      order_ids: [shown.get(ours)],
    }
    const refused = await at.worker.post('/shipments', body)
    assertRefused(refused, 'conflict')
    assert.match(refused.text, /Склады кабинета не выбраны.*менеджера/)
    assert.deepEqual(fake.shipments(at.account), [])

    good(await at.choose([fake.ownWarehouse]))
    const { id } = await at.open()
    const other = await at.add(id, [shown.get(foreign) ?? ''])
    assertRefused(other, 'conflict')
    assert.match(other.text, new RegExp(`Заказ ${foreign} едет с другого склада`))
    good(await at.add(id, [shown.get(ours) ?? '']))
  })

  // Guarantee (marketplaces): Orders of other warehouses are not stored, and each is counted once.
  test(`${name}: orders of other warehouses are counted once, and read again when the choice grows`, async () => {
    const at = await openCabinet(fake)
    good(await at.choose([fake.ownWarehouse]))
    const ours = at.addOrder()
    const foreign = [at.addForeign(), at.addForeign()]
    const delivered = at.addOrder({ deliveryType: 'dbs', tpl_integration_type: 'non_integrated' })
    await at.sync()
    await at.sync()
    assert.deepEqual([...(await at.shown()).keys()], [ours])
    assert.equal(leftOutOf(await at.listed(), elsewhere.id), 2)
    assert.equal(leftOutOf(await at.listed(), fake.ownWarehouse), 1, delivered)

    good(await at.choose([fake.ownWarehouse, String(elsewhere.id)]))
    await at.sync()
    assert.deepEqual([...(await at.shown()).keys()].toSorted(), [ours, ...foreign].toSorted())
    assert.equal(leftOutOf(await at.listed(), elsewhere.id), 0)

    good(await at.choose([fake.ownWarehouse]))
    const [first = ''] = foreign
    fake.setStatus(at.account, first, cancelled[name])
    const later = at.addForeign()
    await at.sync()
    const kept = await at.shown()
    assert.deepEqual([...kept.keys()].toSorted(), [ours, ...foreign].toSorted())
    assert.equal((await at.order(kept.get(first) ?? '')).status, 'CANCELLED')
    assert.equal(leftOutOf(await at.listed(), elsewhere.id), 1, later)
  })

  test(`${name}: only warehouses that the marketplace lists for FBS are taken`, async () => {
    const at = await openCabinet(fake)
    const { items } = await at.listed()
    const foreign = items.find(({ scheme }) => scheme !== 'fbs')
    assert.ok(foreign)
    const refusals: readonly (readonly [unknown, RegExp])[] = [
      [[fake.ownWarehouse, '404'], /warehouses\[1\].*404/],
      [[foreign.id], /warehouses\[0\].*FBS/],
      [[], /warehouses/],
      [[507], /warehouses/],
    ]
    for (const [warehouses, words] of refusals) {
      const answer = await at.manager.patch(at.path, { warehouses })
      assertRefused(answer, 'validation_error')
      assert.match(answer.text, words)
    }
    const both = { warehouses: [fake.ownWarehouse], credentials: at.account.credentials }
    assertRefused(await at.manager.patch(at.path, both), 'validation_error')
    assert.equal((await at.state()).warehouses, null)
    good(await at.choose([fake.ownWarehouse]))
    good(await at.choose(null))
    assert.equal((await at.state()).needs_warehouses, true)
    good(await at.manager.patch(at.path, { credentials: null }))
    assertRefused(await at.manager.get(`${at.path}/warehouses`), 'conflict')
    assertRefused(await at.choose([fake.ownWarehouse]), 'conflict')
    assert.equal((await at.state()).needs_warehouses, false)
  })

  test(`${name}: the key of another account clears the choice, a new key of the same keeps it`, async () => {
    const at = await openCabinet(fake)
    await at.sync()
    good(await at.choose([fake.ownWarehouse]))
    good(await at.manager.patch(at.path, { credentials: at.account.credentials }))
    assert.deepEqual((await at.state()).warehouses, [fake.ownWarehouse])
    good(await at.manager.patch(at.path, { credentials: fake.account().credentials }))
    assert.equal((await at.state()).warehouses, null)
  })

  test(`${name}: a shipment made there with orders of others alone is not shown, and their stock neither`, async () => {
    const at = await openCabinet(fake, 'mirrored')
    good(await at.choose([fake.ownWarehouse]))
    const [ours, foreign] = [at.addOrder(), at.addForeign()]
    await at.sync()
    const mixed = fake.addShipment(at.account, { orders: [ours, foreign] })
    fake.addShipment(at.account, { orders: [at.addForeign()] })
    await at.sync()
    assert.deepEqual(
      (await shipmentsOf(at)).map(({ external_id, orders_count }) => [external_id, orders_count]),
      [[mixed, 1]],
    )
    const figures = () => service.db`
      select warehouse_id from marketplace_stock where cabinet_id = ${at.cabinet}`
    assert.deepEqual([...(await figures())], [])
    good(await at.choose([fake.ownWarehouse, String(elsewhere.id)]))
    await at.sync()
    assert.deepEqual([...(await figures())], [{ warehouse_id: elsewhere.id }])
    good(await at.choose([fake.ownWarehouse]))
    await at.sync()
    assert.deepEqual([...(await figures())], [])
  })
}

const ended = {
  WB: { supplier: 'complete', buyer: 'sold' },
  OZON: { supplier: 'delivered', buyer: 'posting_received' },
} as const
const cancelled = {
  WB: { supplier: 'cancel', buyer: 'canceled' },
  OZON: { supplier: 'cancelled', buyer: 'posting_canceled' },
} as const
