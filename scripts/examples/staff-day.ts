import { qrPicture } from '../../src/documents/labels/page.ts'
import { createUser, issueToken } from '../../src/identity/staff/users.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { perform } from '../../src/platform/db/work.ts'
import type { Clock } from '../../src/platform/kernel/clock.ts'
import type { Example } from './gather.ts'
import { type Json, StaffExamples } from './staff-examples.ts'

/** A day of a small warehouse, played over the staff API for the examples of its reference. */

const plaid = '4600000000017'
const mug = '4600000000024'
const shownToken = 'svc_staff_…'
const shownCode = 'ABCDE-FGHJK'
const password = 'пароль-для-примера-1'

interface Day {
  readonly staff: StaffExamples
  readonly base: string
  readonly get: (path: string) => Promise<Json>
  readonly post: (path: string, body?: unknown) => Promise<Json>
  readonly put: (path: string, body?: unknown) => Promise<Json>
  readonly patch: (path: string, body?: unknown) => Promise<Json>
  readonly remove: (path: string) => Promise<Json>
}

export async function playStaffDay(
  base: string,
  db: Database,
  clock: Clock,
): Promise<Readonly<Record<string, Example>>> {
  const token = await perform(db, clock, { kind: 'service' }, async (work) => {
    const id = await createUser(work, {
      login: 'smirnova',
      role: 'administrator',
      passwordHash: null,
    })
    return (await issueToken(work, id, 'Примеры')).token
  })
  const staff = new StaffExamples(base)
  const send = (method: string) => async (path: string, body?: unknown) =>
    (await staff.call({ token }, method, path, body)).body
  const day: Day = {
    ...{ staff, base, get: send('GET'), post: send('POST'), put: send('PUT') },
    ...{ patch: send('PATCH'), remove: send('DELETE') },
  }
  await settings(day)
  await people(day)
  const client = await clients(day)
  await receiving(day, client)
  await storing(day, client.id)
  const shipped = await shipping(day, client)
  await returning(day, client.id, shipped)
  await counting(day, client.id)
  await figures(day, client.id)
  await printing(day, shipped.order)
  await overview(day, client.id)
  return staff.examples()
}

const idOf = (answer: Json) => String(answer.id)
const itemsOf = (answer: Json) => answer.items as Json[]

async function settings({ get, post, put }: Day): Promise<void> {
  await post('/warehouses', { code: 'MSK1', name: 'Москва, Южный порт' })
  await get('/warehouses')
  await put('/warehouses/MSK1/intake', { open: true })
  await get('/webhooks-service')
  await put('/webhooks-service', { enabled: true })
  await get('/reasons')
  await post('/reasons', { kind: 'correction', code: 'CLEANING', label: 'Нашли при уборке' })
}

async function people({ staff, get, post, put, patch, remove }: Day): Promise<void> {
  const draft = { login: 'petrova', role: 'worker', password }
  const user = idOf(await post('/users', draft))
  await get('/users')
  await patch(`/users/${user}`, { active: true })
  await put(`/users/${user}/warehouses`, { warehouse_codes: ['MSK1'] })
  await put(`/users/${user}/pin`, { pin: '4821' })
  const token = await post(`/users/${user}/tokens`, { name: 'Весы на приёмке' })
  staff.hide(token.token, shownToken)
  await get(`/users/${user}/tokens`)
  await remove(`/users/${user}/tokens/${token.id}`)
  const device = await post('/devices', { name: 'Терминал 3' })
  staff.hide(device.code, shownCode)
  staff.hide(device.qr, await qrPicture(shownCode))
  const { cookie: terminal } = await staff.call({}, 'POST', '/devices/enrol', {
    code: device.code,
  })
  await staff.call({ cookie: terminal }, 'POST', '/session/pin', {
    login: 'petrova',
    pin: '4821',
  })
  const { cookie } = await staff.call({}, 'POST', '/session', { login: 'petrova', password })
  await staff.call({ cookie }, 'GET', '/session')
  await staff.call({ cookie }, 'DELETE', '/session')
  await get('/devices')
  await post(`/devices/${device.id}/revoke`)
}

interface Client {
  readonly id: string
  readonly cabinet: string
  readonly key: string
}

async function clients(day: Day): Promise<Client> {
  const { staff, get, post, put, patch } = day
  const draft = { name: 'ООО «Ромашка»', inn: '7812345001', warehouse_code: 'MSK1' }
  const id = idOf(await post('/clients', draft))
  await get('/clients')
  await get(`/clients/${id}`)
  await patch(`/clients/${id}`, { name: 'ООО «Ромашка»' })
  const cabinet = idOf(
    await post(`/clients/${id}/cabinets`, { marketplace: 'WB', name: 'Ромашка WB' }),
  )
  await get(`/clients/${id}/cabinets`)
  await get('/cabinets')
  await get(`/cabinets/${cabinet}`)
  await patch(`/cabinets/${cabinet}`, { deadline_hours: 24 })
  await get(`/cabinets/${cabinet}/tasks`)
  await put(`/clients/${id}/products/${plaid}`, {
    name: 'Плед флисовый, серый',
    article: 'PLAID-GR',
  })
  await put(`/clients/${id}/products/${mug}`, { name: 'Кружка эмалированная', article: 'MUG-400' })
  await get(`/clients/${id}/products`)
  await get(`/clients/${id}/products/${plaid}`)
  const key = await post(`/clients/${id}/keys`, { name: '1С', receipts_enabled: true })
  staff.hide(key.key, 'svc_live_…')
  await get(`/clients/${id}/keys`)
  await patch(`/keys/${key.id}`, { name: '1С: Торговля' })
  return { id, cabinet, key: String(key.key) }
}

async function receiving(day: Day, { id: client, cabinet, key }: Client): Promise<void> {
  const { get, post } = day
  const items = [
    { barcode: plaid, name: 'Плед флисовый, серый', article: 'PLAID-GR', qty: 20 },
    { barcode: mug, name: 'Кружка эмалированная', article: 'MUG-400', qty: 12 },
  ]
  const registered = { cabinet_id: cabinet, external_ref: 'ПТ-00417', items }
  const receipt = idOf(await post(`/clients/${client}/receipts`, registered))
  await get('/receipts')
  await post(`/receipts/${receipt}/start`)
  const scan = { scan_id: '3-1042', barcode: plaid, qty: 20 }
  await post(`/receipts/${receipt}/scans`, scan)
  await post(`/receipts/${receipt}/scans`, { scan_id: '3-1043', barcode: mug, qty: 12 })
  await post(`/receipts/${receipt}/scans`, { scan_id: '3-1044', barcode: mug, qty: 1 })
  await post(`/receipts/${receipt}/scans/3-1044/undo`)
  await get(`/receipts/${receipt}/scans`)
  await get(`/receipts/${receipt}`)
  await post(`/receipts/${receipt}/finish`)
  const late = {
    scan_id: '3-1045',
    barcode: mug,
    queued_at: '2026-11-20T14:30:00+03:00',
    queued_by: 'petrova',
  }
  await post(`/receipts/${receipt}/scans`, late)

  const announced = await fetch(`${day.base}/v1/receipts`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      external_ref: 'PO-2026-0417',
      items: items.map((item) => ({ ...item, honest_mark: false })),
    }),
  })
  if (!announced.ok) throw new Error(await announced.text())
  const [requested] = itemsOf(await get('/receipts?status=PENDING_CONFIRMATION'))
  await post(`/receipts/${requested?.id}/confirm`)
  await post(`/receipts/${requested?.id}/cancel`, { comment: 'Продавец привезёт позже' })

  const walkIn = { client_id: client, comment: 'Привезли без документов', scan_id: '3-1050' }
  const unexpected = idOf(await post('/receipts/walk-in', walkIn))
  await post(`/receipts/${unexpected}/scans`, { scan_id: '3-1051', barcode: mug, qty: 4 })
  await post(`/receipts/${unexpected}/finish`)
  await post(`/receipts/${unexpected}/approve`)
}

async function storing({ get, post, patch }: Day, client: string): Promise<void> {
  const pallet = idOf(await post('/pallets', { client_id: client }))
  const box = idOf(await post('/boxes', { client_id: client, pallet_id: pallet }))
  const other = idOf(await post('/boxes', { client_id: client }))
  await post(`/boxes/${box}/put`, { scan_id: '3-1101', barcode: plaid, qty: 8 })
  await post(`/boxes/${box}/take`, { scan_id: '3-1102', barcode: plaid, qty: 1 })
  const moved = { scan_id: '3-1103', barcode: plaid, qty: 2, to_box_id: other }
  await post(`/boxes/${box}/move`, moved)
  await patch(`/boxes/${other}`, { pallet_id: pallet })
  await patch(`/boxes/${other}`, { pallet_id: null })
  for (const path of ['/boxes', `/boxes/${box}`, '/pallets', `/pallets/${pallet}`]) await get(path)
  const place = { warehouse_code: 'MSK1', code: 'A-01-1', zone: 'Стеллажи', order: 10 }
  const shelf = idOf(await post('/locations', place))
  const rack = { warehouse_code: 'MSK1', pattern: 'A-{02..03}-{1..2}', zone: 'Стеллажи', order: 20 }
  const { locations } = await post('/locations/bulk', rack)
  const [second] = locations as Json[]
  await patch(`/locations/${shelf}`, { order: 5 })
  const goods = { client_id: client, barcode: mug }
  await post(`/locations/${shelf}/put`, { scan_id: '3-1110', ...goods, qty: 6 })
  await post(`/locations/${shelf}/take`, { scan_id: '3-1111', ...goods, qty: 1 })
  const next = { scan_id: '3-1112', ...goods, qty: 2, to_location_id: 'A-02-1' }
  await post(`/locations/${shelf}/move`, next)
  await post(`/locations/${second?.id}/empty`)
  const { sscc } = await post(`/boxes/${other}/place`, { location_id: 'A-02-2' })
  await post('/locations/A-03-2/place', { scan_id: '3-1113', sscc })
  await post(`/pallets/${pallet}/place`, { location_id: 'A-03-1' })
  await get('/locations')
  await get(`/locations/${shelf}`)
}

interface Shipped {
  readonly order: string
  readonly number: string
}

async function shipping(day: Day, { id: client, cabinet }: Client): Promise<Shipped> {
  const { get, post, patch, remove } = day
  const drafts = ['2184417731', '2184417732', '2184417733', '2184417734'].map((external_id) => ({
    ...{ cabinet_id: cabinet, external_id, barcode: plaid },
    marketplace_status: { supplier: 'new', buyer: 'waiting' },
  }))
  const taken = itemsOf(await post(`/clients/${client}/orders`, drafts)).map(idOf)
  const [first = '', second = '', third = '', last = ''] = taken
  await get('/orders')
  await get(`/orders/${first}`)
  await patch(`/orders/${last}`, { marketplace_status: { supplier: 'cancel', buyer: 'canceled' } })
  const opened = await post('/shipments', { cabinet_id: cabinet, external_id: 'WB-GI-208417733' })
  const shipment = idOf(opened)
  await post(`/shipments/${shipment}/orders`, { order_ids: [first, second, third] })
  await post('/orders/to-shipment', { order_ids: [first, last], shipment_id: shipment })
  await remove(`/shipments/${shipment}/orders/${third}`)
  const task = String(opened.picking_task_id)
  await get('/picking-tasks')
  await post(`/picking-tasks/${task}/claim`)
  await post(`/picking-tasks/${task}/release`)
  await post(`/picking-tasks/${task}/take-over`)
  const pick = { scan_id: '3-1201', order_id: first, barcode: plaid }
  await post(`/picking-tasks/${task}/picks`, pick)
  await post(`/picking-tasks/${task}/picks/3-1201/undo`)
  await post(`/picking-tasks/${task}/picks`, { ...pick, scan_id: '3-1202' })
  const [missing] = itemsOf(await get('/reasons?kind=not_found'))
  const lost = { order_id: second, reason: missing?.code, scan_id: '3-1204' }
  await post(`/picking-tasks/${task}/not-found`, lost)
  const [miss] = itemsOf(await get('/misses?status=OPEN'))
  await get(`/misses/${miss?.id}`)
  await post(`/misses/${miss?.id}/look-elsewhere`, { comment: 'Проверьте стол приёмки' })
  await decideOnMisses(day, task, second, third)
  await post(`/picking-tasks/${task}/picks`, {
    scan_id: '3-1203',
    order_id: second,
    barcode: plaid,
  })
  await get(`/picking-tasks/${task}`)
  await post(`/shipments/${shipment}/checks`, { scan_id: '3-1210', order_id: first, code: plaid })
  await post(`/shipments/${shipment}/close`)
  await get('/shipments')
  await get(`/shipments/${shipment}`)
  await get(`/shipments/${shipment}/shortages`)
  await post(`/shipments/${shipment}/accept`)
  const empty = await post('/shipments', { cabinet_id: cabinet, external_id: 'WB-GI-208417734' })
  await remove(`/shipments/${empty.id}`)
  return { order: first, number: '2184417731' }
}

/** The other decisions on goods that nobody finds; the third order leaves its shipment by two of them. */
async function decideOnMisses(
  { get, post }: Day,
  task: string,
  second: string,
  third: string,
): Promise<void> {
  const shipment = String((await get(`/picking-tasks/${task}`)).shipment_id)
  const decisions = [
    [second, 'correct-stock', { reason: 'LOST', comment: 'Обошли весь ряд' }],
    [third, 'remove-order', { comment: 'Поедет завтра' }],
    [third, 'tell-seller', { reason: 'LOST' }],
  ] as const
  for (const [n, [order, verb, body]] of decisions.entries()) {
    await post(`/shipments/${shipment}/orders`, { order_ids: [order] })
    const lost = { order_id: order, reason: 'COULD_NOT_LOCATE', scan_id: `3-122${n}` }
    await post(`/picking-tasks/${task}/not-found`, lost)
    const [miss] = itemsOf(await get(`/misses?status=OPEN&order_id=${order}`))
    await post(`/misses/${miss?.id}/${verb}`, body)
  }
}

async function returning({ get, post }: Day, client: string, shipped: Shipped): Promise<void> {
  const expected = [{ order_id: shipped.order }]
  const batch = idOf(await post('/returns', { client_id: client, expected }))
  const scan = { scan_id: '3-1301', code: shipped.number, condition: 'damaged' }
  await post(`/returns/${batch}/scans`, scan)
  await post(`/returns/${batch}/scans/3-1301/undo`)
  await post(`/returns/${batch}/scans`, { ...scan, scan_id: '3-1302', condition: 'sellable' })
  await get(`/returns/${batch}`)
  await post(`/returns/${batch}/finish`)
  const other = { scan_id: '3-1303', code: '2184417732', condition: 'sellable' }
  await post('/returns/scans', other)
  await get('/returns')
  await get('/expected-returns')
}

async function counting({ get, post }: Day, client: string): Promise<void> {
  const draft = { client_id: client, scope: { barcodes: [plaid, mug] } }
  const count = idOf(await post('/counts', draft))
  await post(`/counts/${count}/start`)
  await post(`/counts/${count}/scans`, { scan_id: '3-1401', code: mug, qty: 15 })
  await post(`/counts/${count}/scans`, { scan_id: '3-1402', code: mug, qty: 1 })
  await post(`/counts/${count}/scans/3-1402/undo`)
  await post(`/counts/${count}/scans`, { scan_id: '3-1403', code: plaid, qty: 19 })
  await post(`/counts/${count}/finish`, { reviewed_at: null })
  await post(`/counts/${count}/resume`)
  await post(`/counts/${count}/review`)
  await post(`/counts/${count}/recount`, { barcodes: [mug] })
  await post(`/counts/${count}/scans`, { scan_id: '3-1404', code: mug, qty: 15 })
  await post(`/counts/${count}/review`)
  const decision = { outcome: 'correct', reason: 'FOUND' }
  await post(`/counts/${count}/lines/${mug}/accept`, decision)
  await get(`/counts/${count}`)
  await post(`/counts/${count}/close`)
  const other = idOf(await post('/counts', draft))
  await post(`/counts/${other}/cancel`)
  await get('/counts')
}

async function figures({ get, post }: Day, client: string): Promise<void> {
  const reason = 'FOUND'
  const found = { barcode: mug, delta: 2, reason, comment: 'За стеллажом A-03', entry_id: 'k-17' }
  await post(`/clients/${client}/corrections`, found)
  const broken = { barcode: mug, qty: 1, reason, comment: 'Разбита', entry_id: 'k-18' }
  await post(`/clients/${client}/write-offs`, broken)
  await post(`/clients/${client}/in-question`, { barcode: mug, qty: 1, reason, entry_id: 'k-19' })
  const solved = { barcode: mug, qty: 1, outcome: 'found', entry_id: 'k-20' }
  await post(`/clients/${client}/in-question/resolve`, solved)
  await get(`/clients/${client}/stock`)
  await get(`/clients/${client}/movements`)
  await get('/movements?reason=FOUND')
  await get(`/clients/${client}/metrics`)
}

async function printing({ get, post, patch }: Day, order: string): Promise<void> {
  const draft = { warehouse_code: 'MSK1', name: 'Упаковка 1', formats: ['58x40'] }
  const station = idOf(await post('/print-stations', draft))
  await patch(`/print-stations/${station}`, { formats: ['58x40', 'A4'] })
  const label = { kind: 'order-sticker', object_id: order, station_id: station, print_id: '3-1501' }
  const job = idOf(await post('/print-jobs', label))
  await post(`/print-stations/${station}/take`, { tab: '7f2c0e6a' })
  await patch(`/print-jobs/${job}`, { status: 'PRINTED', tab: '7f2c0e6a' })
  await get(`/print-jobs/${job}`)
  await get('/print-jobs')
  await get('/print-stations')
  await get(`/print-stations/${station}`)
}

async function overview({ get, post, remove }: Day, client: string): Promise<void> {
  await get('/today')
  const view = { list: 'orders', name: 'Ждут отгрузки', query: 'status=NEW&sort=deadline' }
  await remove(`/list-views/${idOf(await post('/list-views', { ...view, name: 'Черновик' }))}`)
  await post('/list-views', view)
  await get('/list-views?list=orders')
  await get('/today/flow?by=client')
  await get('/today/curve')
  await get('/counters')
  await get(`/lookup?code=${mug}`)
  await get(`/goods?name=${encodeURIComponent('круж')}`)
  await get('/shifts?from=2026-11-20&to=2026-11-21')
  await get('/figures/flow?from=2026-11-20&to=2026-11-21')
  await get('/figures/now')
  await get(`/clients/${client}/webhooks`)
  const [exception] = itemsOf(await get('/exceptions'))
  const decision = { decision: 'dismissed', comment: 'Кружка уже посчитана' }
  await get(`/exceptions/${exception?.id}`)
  await post(`/exceptions/${exception?.id}/resolve`, decision)
  await get(`/journal/staff?client_id=${client}`)
  await get(`/journal/receipts?client_id=${client}`)
  await get(`/journal/refused-receipts?client_id=${client}`)
  const [key] = itemsOf(await get(`/clients/${client}/keys`))
  await post(`/keys/${key?.id}/revoke`)
}
