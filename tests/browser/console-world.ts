import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { askForKey } from '../../src/identity/keys/key-requests.ts'
import { addMember, createSellerUser } from '../../src/identity/sellers/members.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { listOf, pathOf, paths } from '../../web/console/paths.ts'
import type { TestService } from '../support/service.ts'
import type { StaffClient } from '../support/staff.ts'

/** A warehouse with an object in every state, and the address of every page of the console that shows one. */

export interface Made {
  readonly id: string
}

export async function done<T>(answer: Promise<{ status: number; body: unknown }>): Promise<T> {
  const { status, body } = await answer
  assert.ok(status < 300, JSON.stringify(body))
  return body as T
}

const barcode = '4600000000017'

interface Scene {
  readonly db: TestService['db']
  readonly root: StaffClient
  readonly client: string
  readonly cabinet: string
}

/** Makes everything; answers the addresses, each with every tab and form of its page. */
export async function furnish({ db }: TestService, root: StaffClient): Promise<string[]> {
  const { id: client } = await done<Made>(root.post('/clients', { name: `ООО ${randomUUID()}` }))
  const draft = { marketplace: 'WB', name: 'Основной' }
  const { id: cabinet } = await done<Made>(root.post(`/clients/${client}/cabinets`, draft))
  const scene: Scene = { db, root, client, cabinet }
  await addMonthAndObservation(scene)
  const receipts = await addReceipts(scene)
  const { orders, shipments, tasks } = await addShipments(scene)
  const [counts, returns, stored] = [
    await addCounts(scene),
    await addReturns(scene, orders),
    await addStorage(scene),
  ]
  const [exception, user, webhook] = [
    await addException(scene),
    await addUser(scene),
    await addAccess(scene),
  ]
  const decided = { decide: exception }
  return [
    ...roomAddresses(client, cabinet),
    ...stored,
    ...receipts.flatMap((id) => [
      pathOf('receipt', id),
      pathOf('receipt', id, 'scans'),
      `${pathOf('receipt', id)}?form=finish`,
    ]),
    ...orders.flatMap((id) => [pathOf('order', id), `${pathOf('order', id)}?form=status`]),
    ...shipments.flatMap((id) => [
      ...['orders', 'commands', 'boxes', 'shortages'].map((tab) => pathOf('shipment', id, tab)),
      ...['fill', 'method'].map((form) => `${pathOf('shipment', id)}?form=${form}`),
    ]),
    ...tasks.map((id) => pathOf('pickingTask', id)),
    ...counts.flatMap((id) => [
      `${pathOf('count', id)}?line=${barcode}`,
      `${pathOf('count', id)}?decide=next`,
    ]),
    ...returns.map((id) => pathOf('return', id)),
    ...clientTabs.map((tab) => `${pathOf('client', client, tab)}&form=new`),
    `${pathOf('client', client, 'users')}&form=invite`,
    `${pathOf('client', client, 'products')}&product=${barcode}`,
    ...cabinetTabs.map((tab) => pathOf('cabinet', cabinet, tab)),
    pathOf('webhook', webhook),
    listOf(paths.exceptions, decided),
    listOf(paths.printing, { station: await addPrinting(scene, orders) }),
    ...user.map((id) => listOf(paths.users, { user: id })),
  ]
}

/** A month that is closed, and what was seen in the cabinet before it worked. */
async function addMonthAndObservation({ db, client, cabinet }: Scene): Promise<void> {
  await db`
    insert into billing_periods (client_id, month, warehouse_code, computed_at, closed_at, closed_by)
    select id, '2026-01-01', warehouse_code, now(), now(), 'service' from clients where id = ${client}`
  await db`update cabinets set observed_until = now() where id = ${cabinet}`
  await db`
    insert into marketplace_stock (client_id, barcode, cabinet_id, item_id, product, quantity, synced_at)
    values (${client}, ${barcode}, ${cabinet}, 1, '1', 7, now())`
}

const clientTabs = [
  ...['cabinets', 'users', 'keys', 'webhooks'],
  ...['products', 'figures', 'money', 'journal', 'settings'],
] as const
const cabinetTabs = [
  ...['state', 'warehouses', 'shipping', 'tasks'],
  ...['calls', 'observation', 'journal', 'settings'],
] as const

/** Every room, with each form that an address opens. */
function roomAddresses(client: string, cabinet: string): string[] {
  const lists = [
    ...[paths.receipts, paths.orders, paths.shipments, paths.picking, paths.returns, paths.counts],
    ...[
      paths.expectedReturns,
      paths.movements,
      paths.lots,
      paths.stock,
      paths.exceptions,
      paths.clients,
    ],
    ...[paths.tariffs],
    ...[paths.cabinets, paths.misses],
    ...[paths.locations, paths.map, paths.boxes, paths.figures, paths.shifts, paths.users],
    ...[paths.devices, paths.warehouses, paths.reasons, paths.services, paths.changes],
    ...[paths.printing, paths.printJobs],
    ...[paths.calls, paths.receiptRequests, paths.refusedReceipts, paths.letters, paths.notices],
  ]
  const stockForms = ['', 'correct', 'write-off', 'question', 'resolve', 'labels']
  return [
    ...[paths.today, paths.start],
    ...lists.map((path) => listOf(path, { client_id: client, form: 'new' })),
    listOf(paths.shipments, { form: 'day', cabinet_id: cabinet }),
    listOf(paths.receipts, { form: 'file' }),
    listOf(paths.boxes, { client_id: client, tab: 'pallets' }),
    listOf(paths.locations, { form: 'labels' }),
    ...stockForms.map((form) =>
      listOf(paths.stock, { client_id: client, of: barcode, ...(form && { form }) }),
    ),
  ]
}

async function reasonOf(root: StaffClient, kind: string): Promise<string | undefined> {
  const { items } = await done<{ items: { code: string }[] }>(root.get(`/reasons?kind=${kind}`))
  return items[0]?.code
}

/** Receipts in every state; twenty units are in the stock afterwards. */
async function addReceipts({ db, root, client }: Scene): Promise<string[]> {
  const add = async (steps: readonly (readonly [string, unknown?])[]) => {
    const items = [{ barcode, name: 'Кружка', qty: 21 }]
    const { id } = await done<Made>(root.post(`/clients/${client}/receipts`, { items }))
    for (const [verb, body] of steps) await done(root.post(`/receipts/${id}/${verb}`, body))
    return id
  }
  const scan = { scan_id: 'one', barcode, qty: 20 }
  const shortages = [{ barcode, reason: await reasonOf(root, 'shortage') }]
  const requested = await add([])
  await db`update receipts set status = 'PENDING_CONFIRMATION', source = 'api' where id = ${requested}`
  const counted = [['start'], ['scans', scan]] as const
  const walkIn = await done<Made>(
    root.post('/receipts/walk-in', { client_id: client, scan_id: randomUUID() }),
  )
  await done(root.post(`/receipts/${walkIn.id}/scans`, { ...scan, qty: 1 }))
  return [
    requested,
    await add([]),
    await add(counted),
    await add([...counted, ['finish', { shortages }]]),
    await add([['cancel', {}]]),
    walkIn.id,
  ]
}

/** A shipment without orders, one that is picked, one with a packed order, one that left and one that came. */
async function addShipments(scene: Scene) {
  const { db, root, client, cabinet } = scene
  const shipments: string[] = []
  const all: string[] = []
  for (const end of ['empty', 'open', 'packed', 'closed', 'accepted']) {
    const drafts = [{ cabinet_id: cabinet, external_id: randomUUID(), barcode }]
    const { items } = await done<{ items: Made[] }>(root.post(`/clients/${client}/orders`, drafts))
    const orders = items.map(({ id }) => id)
    const shipment = await done<Made & { picking_task_id: string }>(
      root.post('/shipments', {
        cabinet_id: cabinet,
        external_id: `${end}-${randomUUID()}`,
        ...(end !== 'empty' && { order_ids: orders }),
      }),
    )
    all.push(...orders)
    shipments.push(shipment.id)
    if (end === 'empty' || end === 'open') continue
    const pick = { scan_id: randomUUID(), order_id: orders[0], barcode }
    await done(root.post(`/picking-tasks/${shipment.picking_task_id}/picks`, pick))
    if (end === 'packed') continue
    await done(root.post(`/shipments/${shipment.id}/close`))
    if (end === 'accepted') await done(root.post(`/shipments/${shipment.id}/accept`, {}))
  }
  await db`
    insert into shipment_shortages (client_id, shipment_id, order_id, line, barcode, units)
    values (${client}, ${shipments[3] ?? ''}, ${all[3] ?? ''}, 1, ${barcode}, 1)`
  const list = await done<{ items: Made[] }>(root.get(`/picking-tasks?client_id=${client}`))
  const tasks = list.items.map(({ id }) => id)
  return { orders: all, shipments, tasks }
}

async function addCounts({ root, client }: Scene): Promise<string[]> {
  const counts: string[] = []
  const scan = { scan_id: randomUUID(), code: barcode, qty: 4 }
  const decision = { outcome: 'ignore', reason: await reasonOf(root, 'correction') }
  const steps = [
    ['start', undefined],
    ['scans', scan],
    ['review', undefined],
    [`lines/${barcode}/accept`, decision],
    ['close', undefined],
  ] as const
  for (const last of [0, 2, 3, 4, 5]) {
    const draft = { client_id: client, scope: { barcodes: [barcode] } }
    const { id } = await done<Made>(root.post('/counts', draft))
    for (const [verb, body] of steps.slice(0, last)) {
      const given = verb === 'scans' ? { ...scan, scan_id: randomUUID() } : body
      await done(root.post(`/counts/${id}/${verb}`, given))
    }
    counts.push(id)
  }
  return counts
}

async function addReturns(
  { db, root, client }: Scene,
  orders: readonly string[],
): Promise<string[]> {
  const gone = await done<{ external_id: string }>(root.get(`/orders/${orders[3]}`))
  const batches: string[] = []
  for (const isFinished of [false, true]) {
    const { id } = await done<Made>(root.post('/returns', { client_id: client }))
    if (!isFinished) {
      const scan = { scan_id: randomUUID(), code: gone.external_id, condition: 'sellable' }
      await done(root.post(`/returns/${id}/scans`, scan))
      await db`
        insert into return_lines (client_id, return_id, line, external_id, barcode, units)
        values (${client}, ${id}, 1, 'R-1', ${barcode}, 2)`
    } else await done(root.post(`/returns/${id}/finish`))
    batches.push(id)
  }
  return batches
}

async function addStorage({ root, client }: Scene): Promise<string[]> {
  const [warehouse] = (await done<{ items: { code: string }[] }>(root.get('/warehouses'))).items
  const code = `A-${randomUUID().slice(0, 8)}`
  const place = await done<Made>(root.post('/locations', { warehouse_code: warehouse?.code, code }))
  const box = await done<Made>(root.post('/boxes', { client_id: client }))
  const pallet = await done<Made>(root.post('/pallets', { client_id: client }))
  await done(root.post(`/boxes/${box.id}/put`, { barcode, qty: 1 }))
  const units = { scan_id: randomUUID(), client_id: client, barcode, qty: 1 }
  await done(root.post(`/locations/${place.id}/put`, units))
  const corrected = [pathOf('location', place.id), pathOf('box', box.id)]
  return [
    ...corrected.flatMap((page) => [page, `${page}?form=correct`]),
    pathOf('pallet', pallet.id),
  ]
}

/** A scan that came too late for its receipt. */
async function addException({ root, client }: Scene): Promise<string> {
  const items = [{ barcode, name: 'Кружка', qty: 1 }]
  const { id } = await done<Made>(root.post(`/clients/${client}/receipts`, { items }))
  const queued = { queued_at: new Date().toISOString(), queued_by: root.login }
  const scan = { scan_id: randomUUID(), barcode, qty: 1, ...queued }
  return (await done<Made>(root.post(`/receipts/${id}/scans`, scan))).id
}

/** A user of each role, one of them switched off, with a token and a terminal. */
async function addUser({ root }: Scene): Promise<string[]> {
  const users: string[] = []
  for (const role of ['worker', 'manager', 'administrator']) {
    const login = `${role}-${randomUUID().slice(0, 8)}`
    const { id } = await done<Made>(root.post('/users', { login, role }))
    await done(root.post(`/users/${id}/tokens`, { name: 'Весы' }))
    users.push(id)
  }
  await done(root.post('/devices', { name: 'Терминал' }))
  await done(root.patch(`/users/${users[0]}`, { active: false }))
  return users
}

/** A key, another that is asked for, an invitation and a webhook of the client; the webhook's id. */
async function addAccess({ db, root, client }: Scene): Promise<string> {
  await done(root.post(`/clients/${client}/keys`, { name: '1С' }))
  await perform(db, systemClock, { kind: 'service' }, async (work) => {
    const user = await createSellerUser(work, `seller-${randomUUID()}`, '')
    await addMember(work, client, user, 'owner')
    const draft = { name: 'Склад в 1С', purpose: 'Сверять остатки', receipts_enabled: true }
    await askForKey(work, client, user, draft)
  })
  await done(root.post(`/clients/${client}/users`, { role: 'owner', note: 'Анна' }))
  const id = randomUUID()
  await db`
    insert into webhook_subscriptions (client_id, id, url, events, secret, created_at)
    values (${client}, ${id}, 'https://seller.example/hook', array['receipt.completed'], '\\x00', now())`
  return id
}

/** A station, what waits for it and what was not printed; the station's id. */
async function addPrinting({ root }: Scene, orders: readonly string[]): Promise<string> {
  const [warehouse] = (await done<{ items: { code: string }[] }>(root.get('/warehouses'))).items
  const draft = { warehouse_code: warehouse?.code, name: randomUUID(), formats: ['58x40', 'A4'] }
  const { id } = await done<Made>(root.post('/print-stations', draft))
  const label = { kind: 'order-sticker', object_id: orders[1], station_id: id }
  await done(root.post('/print-jobs', label))
  const failed = await done<Made>(root.post('/print-jobs', label))
  const outcome = { status: 'FAILED', reason: 'Кончилась бумага' }
  await done(root.patch(`/print-jobs/${failed.id}`, outcome))
  return id
}
