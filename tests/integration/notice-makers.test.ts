import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listNotices } from '../../src/exchange/notices/bell.ts'
import { kindsOf } from '../../src/exchange/notices/kinds.ts'
import { openNoticeSender } from '../../src/exchange/notices/sender.ts'
import { watchTime } from '../../src/exchange/notices/watch.ts'
import { askForKey, declineKeyRequest } from '../../src/identity/keys/key-requests.ts'
import { changeMember } from '../../src/identity/sellers/members.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { day, hour, moscowDate, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { recordSync, recordSyncFailure } from '../../src/warehouse/clients/cabinets.ts'
import type { NewsKind } from '../../src/warehouse/events/news-kinds.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import {
  confirmReceipt,
  finishReceiving,
  startReceiving,
} from '../../src/warehouse/receipts/verbs.ts'
import { deliveriesOf, deliveryScene, holdQueue, recordAnswers } from '../support/deliveries.ts'
import { eventually } from '../support/faults.ts'
import { openMarkedOrders, startMarkedService } from '../support/marked-orders.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { announceReceipt, makeSeller, makeStaff } from '../support/notices.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { addSubscription } from '../support/subscription.ts'
import { openScene } from '../support/sync-scene.ts'
import { at, makeClient, newOrder, stockUp } from '../support/warehouse.ts'

/** Each kind of notice comes from the change or the time that it tells of: the table has one maker for each. */

const { wb, clock, jump, service } = await startMarkedService()
const { db } = service
const scene = await openScene()
const manager = await makeStaff(db)
const log = { error: ({ err }: { err: unknown }) => assert.fail(String(err)), warn: () => {} }

interface Made {
  readonly client: string
  readonly says: RegExp
  /** Where it happened; here unless given. */
  readonly in?: Database
}

const client = async () => (await makeClient(db)).id
const now = () => clock.now()

async function receive(short: boolean): Promise<string> {
  const id = await client()
  const receipt = await announceReceipt(db, id, now())
  await at(db, now(), async (work) => {
    await confirmReceipt(work, id, receipt)
    await startReceiving(work, id, receipt)
    await finishReceiving(work, id, receipt, new Map(short ? [['1', 'NOT_DELIVERED']] : []))
  })
  return id
}

/** Orders with a deadline so far away. */
async function due(inMs: number): Promise<string> {
  const { id, cabinets } = await makeClient(db)
  await at(db, now(), (work) =>
    takeInOrders(work, id, cabinets[0] ?? '', [newOrder('1', '1', now())]),
  )
  await db`update orders set deadline_at = ${toTimestamp(now() + inMs)} where client_id = ${id}`
  await watchTime(db, clock)
  return id
}

/** A receiver that answers so, once for each status. Where no dispatcher runs: nothing is sent. */
async function answer(statuses: readonly number[]): Promise<string> {
  const { db } = scene
  const { id } = await makeClient(db)
  const { id: webhookId } = await addSubscription(db, id, { url: 'https://example.com/hook' })
  const items = [{ barcode: '1', name: 'Плед', qty: 1 }]
  await at(db, now(), (work) => registerReceipt(work, id, { source: 'file', items }))
  for (const status of statuses) {
    // What fails in the moment of an earlier failure is no further one.
    jump(1)
    const lease = await holdQueue(db, webhookId)
    const [delivery] = await deliveriesOf(db, webhookId)
    assert.ok(delivery)
    await recordAnswers({ db, clock, client: id }, [{ webhookId, lease, delivery, status }])
  }
  return id
}

/** A unit that the marketplace refuses leaves its order: both are news. */
async function refuseMark(): Promise<string> {
  const barcode = ean13('460000000083')
  const floor = await openMarkedOrders(service, wb, barcode, 1)
  const code = markingCode(barcode, 1)
  wb.refuseMark(floor.account, code, 'sgtinNotFound')
  await floor.take(0, code)
  await eventually('it is sent', async () => (await floor.states())[0] === 'sent')
  jump(21_000)
  await eventually('it is refused', async () => (await floor.states())[0] === 'refused')
  return floor.client
}
let refused: Promise<string> | undefined
const refusedMark = () => {
  refused ??= refuseMark()
  return refused
}

const disablingFailures = 8

const makers: Readonly<Record<NewsKind, () => Promise<Made>>> = {
  receipt_to_confirm: async () => {
    const id = await client()
    await announceReceipt(db, id, now())
    return { client: id, says: /^Приёмка R-000001 ждёт подтверждения$/ }
  },
  receipt_discrepancy: async () => ({
    client: await receive(true),
    says: /^Приёмка R-000001 принята с расхождением$/,
  }),
  receipt_completed: async () => {
    const id = await client()
    await stockUp(db, id, { '1': 1 }, now())
    return { client: id, says: /^Приёмка R-000001 принята$/ }
  },
  deadline_near: async () => ({ client: await due(2 * hour), says: /близко, не отгружено/ }),
  deadline_missed: async () => ({ client: await due(-hour), says: /прошёл, не отгружено/ }),
  return_damaged: async () => {
    const floor = await openFloor(service, { A: 1 })
    const [order] = await floor.orders({ '7000001': 'A' })
    assert.ok(order)
    const shipment = await floor.filled([order])
    const scan = { scan_id: '1', order_id: order.id, barcode: 'A' }
    good(await floor.pick(shipment.picking_task_id, scan))
    good(await floor.worker.post(`/shipments/${shipment.id}/close`))
    await floor.report(order.id, 'complete', 'canceled_by_client')
    const batch = good<{ id: string }>(
      await floor.worker.post('/returns', { client_id: floor.client }),
      201,
    )
    const back = { scan_id: '1', code: '7000001', condition: 'damaged', reason: 'DAMAGED' }
    good(await floor.worker.post(`/returns/${batch.id}/scans`, back))
    return { client: floor.client, says: /^Товар «Товар A» вернулся повреждённым$/ }
  },
  cover_low: async () => {
    const { id, cabinets } = await makeClient(db)
    await stockUp(db, id, { '1': 5 }, now() - 20 * day)
    const days = Array.from({ length: 14 }, (_, n) => newOrder(`${n}`, '1', now() - n * day))
    await at(db, now(), (work) => takeInOrders(work, id, cabinets[0] ?? '', days))
    await makeSeller(db, [id])
    await watchTime(db, clock)
    return { client: id, says: /^Товар «Товар 1» скоро закончится$/ }
  },
  goods_expire: async () => {
    const floor = await openFloor(service, { A: 2 })
    const goods = `/clients/${floor.client}/products/A`
    const path = `${goods}/lots`
    good(await floor.manager.put(goods, { name: 'Чай '.repeat(100).trim(), honest_mark: false }))
    good(await floor.manager.put(path, { warn_days: 20 }))
    const date = moscowDate(now() + 5 * day)
    const lot = { entry_id: '1', expires_on: null, to_expires_on: date, qty: 2 }
    good(await floor.manager.post(`${path}/changes`, lot))
    await makeSeller(db, [floor.client])
    await watchTime(db, clock)
    const [year, month, ofMonth] = date.split('-')
    const name = `${'Чай '.repeat(30)}…`
    const says = new RegExp(`^Истекает срок годности: «${name}», до ${ofMonth}.${month}.${year}$`)
    return { client: floor.client, says }
  },
  key_refused: async () => {
    const { clientId, account } = await scene.connect(scene.wb)
    await scene.sync()
    scene.wb.refuse(account, 401)
    await scene.sync()
    await watchTime(scene.db, clock)
    return { client: clientId, says: /^WB не принимает ключ кабинета$/, in: scene.db }
  },
  key_ends: async () => {
    const { clientId, cabinetId } = await scene.connect(scene.wb)
    await scene.sync()
    const ends = toTimestamp(now() + 6 * day)
    await scene.db`
      update cabinet_syncs set credentials_expire_at = ${ends} where cabinet_id = ${cabinetId}`
    await watchTime(scene.db, clock)
    return { client: clientId, says: /^Ключ кабинета истекает: WB, до /, in: scene.db }
  },
  sync_stands: async () => {
    const { clientId, cabinetId } = await scene.connect(scene.wb)
    await at(scene.db, now() - 7 * hour, (work) => recordSync(work, clientId, cabinetId))
    await at(scene.db, now(), (work) => recordSyncFailure(work, clientId, cabinetId, 'WB молчит'))
    await watchTime(scene.db, clock)
    return { client: clientId, says: /^Данные WB не обновляются$/, in: scene.db }
  },
  webhook_failing: async () => ({
    client: await answer([500, 500]),
    says: /^Вебхук на example\.com не принимает события$/,
    in: scene.db,
  }),
  webhook_disabled: async () => ({
    client: await answer(Array.from({ length: disablingFailures }, () => 500)),
    says: /^Вебхук на example\.com отключён$/,
    in: scene.db,
  }),
  key_asked: async () => {
    const id = await client()
    const draft = { name: '1С', purpose: 'Остатки', receipts_enabled: false }
    const user = await makeSeller(db, [id])
    await at(db, now(), (work) => askForKey(work, id, user, draft))
    return { client: id, says: /^Клиент просит ключ/ }
  },
  key_decided: async () => {
    const id = await client()
    const draft = { name: '1С', purpose: 'Остатки', receipts_enabled: false }
    const user = await makeSeller(db, [id])
    await at(db, now(), async (work) => {
      const asked = await askForKey(work, id, user, draft)
      await declineKeyRequest(work, id, asked, 'Есть другой')
    })
    return { client: id, says: /^Склад решил, выпускать ли ключ$/ }
  },
  miss: async () => {
    const floor = await openFloor(service, { A: 1 })
    const [order] = await floor.orders({ '7000002': 'A' })
    assert.ok(order)
    const { picking_task_id: task } = await floor.filled([order])
    const report = { order_id: order.id, reason: 'EMPTY_LOCATION', scan_id: '1' }
    good(await floor.worker.post(`/picking-tasks/${task}/not-found`, report))
    return { client: floor.client, says: /^Не нашли товар для заказа 7000002$/ }
  },
  mark_refused: async () => ({
    client: await refusedMark(),
    says: /^Маркетплейс отказал в коде: заказ /,
  }),
  scan_exception: async () => ({ client: await refusedMark(), says: /^Скан .*не принят$/ }),
  act_issued: async () => {
    const floor = await openFloor(service, { A: 1 })
    const admin = await staffClient(service, 'administrator')
    const { warehouse_code: code } = good<{ warehouse_code: string }>(
      await admin.get(`/clients/${floor.client}`),
    )
    good(
      await admin.put(`/warehouses/${code}/billing-providers`, {
        ...{ first_day: '2026-01-01', name: 'ООО «Склад»', inn: '7707083893', kpp: '770701001' },
        ...{ address: 'Москва, Складская, 1', signatory: 'Директор Иванов И. И.' },
        ...{ vat_rate: 22, vat_included: false },
      }),
    )
    const own = { code: 'OWN_BOX', name: 'Сборка короба', unit: 'короб' }
    good(await admin.post(`/warehouses/${code}/billing-services`, own), 201)
    const month = `${moscowDate(now()).slice(0, 7)}-01`
    const prices = [{ service: own.code, steps: [{ up_to: null, price: '40' }] }]
    good(
      await admin.post(`/warehouses/${code}/tariffs`, { first_day: month, prices, free_days: 0 }),
      201,
    )
    jump(35 * day)
    good(await admin.post(`/clients/${floor.client}/billing-periods/${month}/close`), 201)
    const [year, number] = month.split('-')
    return { client: floor.client, says: new RegExp(`^Склад выставил акт за ${number}.${year}$`) }
  },
}

async function passOn(there: Database, clientId: string): Promise<void> {
  await openNoticeSender({ db: there, clock, channels: {}, log }).runOnce()
  await eventually('the news are passed on', async () => {
    const left = await there`select from news where client_id = ${clientId} and passed_at is null`
    return left.length === 0
  })
}

for (const side of ['seller', 'staff'] as const) {
  for (const kind of kindsOf(side)) {
    test(`${kind} comes from what it tells of, and reaches whom it concerns`, async () => {
      const watcher = { seller: undefined, staff: manager }[side]
      const made = await makers[kind]()
      const { client: clientId, says, in: there = db } = made
      const news = await there`select id from news where client_id = ${clientId} and kind = ${kind}`
      assert.equal(news.length, 1)
      const user = watcher ?? (await makeSeller(there, [clientId]))
      if (watcher === undefined) {
        await at(there, now(), (work) =>
          changeMember(work, clientId, user, { role: 'owner', keepsOwner: false }),
        )
      }
      // The service passes news on as well, and may not have come to these: what it knew of whom they concern is forgotten.
      await passOn(there, clientId)
      await there`delete from notices where client_id = ${clientId}`
      await there`update news set passed_at = null where client_id = ${clientId} and kind = ${kind}`
      await passOn(there, clientId)
      const { items } = await listNotices(there, user, side === 'seller' ? clientId : undefined)
      const own = items.filter((each) => each.kind === kind && each.client_id === clientId)
      assert.equal(own.length, 1, JSON.stringify(items))
      assert.match(own[0]?.title ?? '', says)
      assert.match(own[0]?.path ?? '', side === 'seller' ? /^\/account/ : /^\/staff\/app/)
    })
  }
}

test('a sandbox has the bell of whoever has its key, and no letter leaves it', async (t) => {
  const { client: sandbox, emit } = await deliveryScene(t, db)
  await emit(1)
  await stockUp(db, sandbox, { '2': 1 }, now())
  await announceReceipt(db, sandbox, now())
  // Nobody works for a sandbox; if somebody did, no letter would go there.
  const member = await makeSeller(db, [sandbox])
  await openNoticeSender({ db, clock, channels: {}, log }).runOnce()
  const { items } = await listNotices(db, sandbox, sandbox)
  assert.deepEqual(
    items.map(({ kind }) => kind),
    ['receipt_completed'],
    'nothing of what waits for managers',
  )
  assert.deepEqual((await listNotices(db, member, sandbox)).items, [])
})
