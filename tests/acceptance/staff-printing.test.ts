import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { deleteOldPrintJobs } from '../../src/documents/printing/jobs.ts'
import type { PrintJob, PrintStation } from '../../src/documents/printing/view.ts'
import { assertRefused } from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import { startService } from '../support/service.ts'
import { good, nobody, openFloor } from '../support/shipping.ts'
import { type StaffClient, staffClient } from '../support/staff.ts'

// What the warehouse prints: a page of a print station takes the jobs that handhelds and managers ask for.

const service = await startService()
const { db } = service
const floor = await openFloor(service, { A: 60 })
const { manager, worker, warehouse_code: warehouse } = floor
const administrator = await staffClient(service, 'administrator')
const elsewhere = 'PRINT2'
good(await administrator.post('/warehouses', { code: elsewhere, name: 'Второй склад' }), 201)

let made = 0
const station = async (formats: readonly string[] = ['58x40'], code = warehouse) => {
  const draft = { warehouse_code: code, name: `Станция ${++made}`, formats }
  return good<PrintStation>(await manager.post('/print-stations', draft), 201)
}
const order = async () => {
  const number = `print-${++made}`
  const [taken] = await floor.orders({ [number]: 'A' })
  assert.ok(taken)
  return { id: taken.id, number }
}
const ask = async (id: string, more: object = {}, by = worker) =>
  by.post('/print-jobs', { kind: 'order-sticker', object_id: id, ...more })
const take = async (id: string, tab: string, wait = 0) =>
  good<{ job: PrintJob | null }>(
    await worker.post(`/print-stations/${id}/take?wait=${wait}`, { tab }),
  ).job
const settle = (id: string, body: object) => worker.patch(`/print-jobs/${id}`, body)

async function content(id: string, by: StaffClient = worker) {
  const answer = await fetch(`${service.baseUrl}/staff/v1/print-jobs/${id}/content`, {
    headers: { Authorization: `Bearer ${by.token}` },
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, type: answer.headers.get('Content-Type'), bytes }
}

test('a label goes from the handheld to the station that prints it, once', async () => {
  const { id: at } = await station()
  const { id, number } = await order()
  const draft = { station_id: at, print_id: 'p-1', copies: 2 }
  const queued = good<PrintJob>(await ask(id, draft), 201)
  assert.deepEqual(
    [queued.status, queued.title, queued.format, queued.created_by],
    ['QUEUED', `Этикетка заказа ${number}`, '58x40', `staff:${worker.userId}`],
  )
  assert.deepEqual(good<PrintJob>(await ask(id, draft)), queued, 'a repeat finds it')
  assertRefused(await ask((await order()).id, draft), 'validation_error', 'print_id')

  const taken = await take(at, 'tab-1')
  assert.deepEqual([taken?.id, taken?.status, taken?.attempts], [queued.id, 'PRINTING', 1])
  assert.equal((await take(at, 'tab-1'))?.id, queued.id, 'a lost answer is asked for again')
  assert.equal(await take(at, 'tab-2'), null)
  const page = await content(queued.id)
  assert.equal(page.type, 'text/html; charset=utf-8')
  assert.equal(page.bytes.toString().split('<div>').length - 1, 2, 'two copies')

  assertRefused(await settle(queued.id, { status: 'PRINTED', tab: 'tab-2' }), 'conflict', 'другая')
  assertRefused(await settle(queued.id, { status: 'PRINTED' }), 'conflict', 'другая')
  assertRefused(
    await settle(queued.id, { status: 'FAILED', tab: 'tab-1' }),
    'validation_error',
    'reason',
  )
  const printed = good<PrintJob>(await settle(queued.id, { status: 'PRINTED', tab: 'tab-1' }))
  assert.deepEqual([printed.status, printed.lease_expires_at], ['PRINTED', null])
  assert.ok(printed.ended_at)
  assert.deepEqual(good(await settle(queued.id, { status: 'PRINTED', tab: 'tab-1' })), printed)
  assert.equal(await take(at, 'tab-1'), null)

  assert.equal(good<PrintJob>(await settle(queued.id, { status: 'QUEUED' })).attempts, 0)
  assertRefused(
    await settle(queued.id, { status: 'PRINTED', tab: 'tab-1' }),
    'conflict',
    'в очереди',
  )
  assert.equal((await take(at, 'tab-2'))?.id, queued.id, 'again on request')
  const failed = await settle(queued.id, { status: 'FAILED', tab: 'tab-2', reason: 'Нет бумаги' })
  assert.equal(good<PrintJob>(failed).reason, 'Нет бумаги')
  assertRefused(await settle(queued.id, { status: 'PRINTED' }), 'conflict', 'не напечатано')

  const journal = good<{ items: { action: string }[] }>(
    await administrator.get(`/journal/staff?object_id=${queued.id}`),
  )
  assert.deepEqual(journal.items.map(({ action }) => action).reverse(), [
    'createPrintJob',
    'takePrintJob',
    'settlePrintJob',
    'settlePrintJob',
    'takePrintJob',
    'settlePrintJob',
  ])
})

// Guarantee (printing): A print job is given to one page at a time.
test('of many pages that ask at once each job has one, and jobs of any station go to one that prints them', async () => {
  const [one, two] = [await station(), await station()]
  const papers = await station(['A4'])
  const { id } = await order()
  const jobs = await Promise.all(
    Array.from({ length: 12 }, async (_, n) =>
      good<PrintJob>(await ask(id, n % 2 === 0 ? {} : { station_id: one.id }), 201),
    ),
  )
  const pages = Array.from(
    { length: 16 },
    (_, n) => [n % 3 === 0 ? two : one, `page ${n}`] as const,
  )
  const taken = await Promise.all(pages.map(([at, tab]) => take(at.id, tab)))
  const ids = taken.flatMap((job) => (job === null ? [] : [job.id]))
  assert.equal(new Set(ids).size, ids.length, 'no job twice')
  assert.deepEqual(ids.sort(), jobs.map((job) => job.id).sort())
  for (const job of taken) {
    if (job?.station_id) assert.equal(job.taken_station_id, one.id)
  }
  assert.equal(await take(papers.id, 'a4'), null)
  const twice = await Promise.all([take(one.id, 'page 1'), take(one.id, 'page 1')])
  assert.equal(twice[0]?.id, twice[1]?.id, 'a page holds one job')
  const finished = await Promise.all(
    taken.map((job, n) => job && settle(job.id, { status: 'PRINTED', tab: `page ${n}` })),
  )
  for (const answer of finished) if (answer) good(answer)
})

// Guarantee (printing): Equal requests at once make one print job.
test('equal requests at once make one job', async () => {
  const { id: at } = await station()
  const { id } = await order()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => ask(id, { station_id: at, print_id: 'at once' })),
  )
  assert.deepEqual(
    answers.map(({ status }) => status).sort(),
    [200, 200, 200, 200, 200, 200, 200, 201],
  )
  assert.equal(new Set(answers.map(({ body }) => (body as PrintJob).id)).size, 1)
  assert.ok(await take(at, 'x'))
  assert.equal(await take(at, 'y'), null)
})

// Guarantee (printing): A print job whose page is gone goes to another page, and fails after three.
test('a job whose page is gone is taken by another, and fails after three pages', async () => {
  const { id: at } = await station()
  const { id } = good<PrintJob>(await ask((await order()).id, { station_id: at }), 201)
  const lapse = () =>
    db`update print_jobs set leased_until = now() - interval '1 second' where id = ${id}`
  await take(at, 'gone')
  assert.equal(await take(at, 'next'), null, 'the page may still print it')
  await lapse()
  assert.equal((await take(at, 'next'))?.attempts, 2)
  assertRefused(await settle(id, { status: 'PRINTED', tab: 'gone' }), 'conflict', 'другая')
  await lapse()
  const kept = good<PrintJob>(await settle(id, { status: 'PRINTING', tab: 'next' }))
  assert.ok(Date.parse(kept.lease_expires_at ?? '') > Date.now())
  assert.equal(await take(at, 'third'), null, 'a page that prints long keeps its job')
  await lapse()
  assert.equal((await take(at, 'third'))?.attempts, 3)
  await lapse()
  assert.equal(await take(at, 'fourth'), null)
  const failed = good<PrintJob>(await worker.get(`/print-jobs/${id}`))
  assert.equal(failed.status, 'FAILED')
  assert.match(failed.reason ?? '', /3 раза/)
})

test('a waiting page gets the job that comes', async () => {
  const { id: at } = await station()
  const waiting = take(at, 'waits', 25)
  // Its first look is over when the station has been seen.
  await eventually(
    'the station is seen',
    async () => good<PrintStation>(await firstStation(at)).seen_at !== null,
  )
  const { id } = good<PrintJob>(await ask((await order()).id, { station_id: at }), 201)
  assert.equal((await waiting)?.id, id)
})

async function firstStation(id: string) {
  const list = await worker.get(`/print-stations?warehouse_code=${warehouse}&limit=200`)
  const found = good<{ items: PrintStation[] }>(list).items.find((each) => each.id === id)
  const one = await worker.get(`/print-stations/${id}`)
  assert.deepEqual(Object.keys(one.body as object), Object.keys(found ?? {}))
  return one
}

test('what a station cannot print is refused when it is asked for', async () => {
  const { id } = await order()
  const foreign = await station(['58x40'], elsewhere)
  const papers = await station(['A4'])
  assertRefused(await ask(id, { station_id: foreign.id }), 'validation_error', 'такой станции')
  assertRefused(await ask(id, { station_id: nobody }), 'validation_error', 'station_id')
  assertRefused(await ask(id, { station_id: papers.id }), 'conflict', 'не печатает')
  assertRefused(await ask(nobody), 'validation_error', 'object_id')
  assertRefused(await ask('x'), 'validation_error', 'object_id')
  assertRefused(await ask(id, { kind: 'passport' }), 'validation_error', 'kind')
  assertRefused(await ask(id, { copies: 21 }), 'validation_error', 'copies')
  good(await manager.patch(`/print-stations/${papers.id}`, { active: false }))
  assertRefused(
    await worker.post(`/print-stations/${papers.id}/take`, { tab: 'x' }),
    'conflict',
    'закрыта',
  )
  const same = { warehouse_code: warehouse, name: papers.name, formats: ['A4'] }
  assertRefused(await manager.post('/print-stations', same), 'conflict', papers.name)
  await db`update print_stations set active = false`
  assertRefused(await ask(id), 'conflict', 'нет станции')
  await db`update print_stations set active = true`
})

test('users of other warehouses see neither stations nor jobs', async () => {
  const { id: at } = await station()
  const { id: thing } = await order()
  const { id } = good<PrintJob>(await ask(thing, { station_id: at }), 201)
  const stranger = await staffClient(service, 'manager')
  good(await manager.put(`/users/${stranger.userId}/warehouses`, { warehouse_codes: [elsewhere] }))
  for (const answer of [
    await stranger.get(`/print-jobs/${id}`),
    await stranger.patch(`/print-jobs/${id}`, { status: 'PRINTED' }),
    await stranger.post(`/print-stations/${at}/take`, { tab: 'x' }),
    await stranger.patch(`/print-stations/${at}`, { name: 'Моя' }),
  ]) {
    assertRefused(answer, 'not_found')
  }
  assert.equal((await content(id, stranger)).status, 404)
  assertRefused(await ask(thing, {}, stranger), 'validation_error', 'object_id')
  const draft = { warehouse_code: warehouse, name: 'Чужая', formats: ['A4'] }
  assertRefused(await stranger.post('/print-stations', draft), 'forbidden')
  const listed = (path: string) =>
    stranger.get(path).then(good<{ items: { warehouse_code: string }[] }>)
  for (const path of ['/print-jobs', '/print-stations']) {
    const { items } = await listed(path)
    assert.ok(items.every((each) => each.warehouse_code === elsewhere))
  }
})

test('every kind has its content, with all copies', async () => {
  await station(['58x40', 'A4'])
  const { id: ordered } = await order()
  const [inside] = await floor.orders({ 'print-inside': 'A' })
  assert.ok(inside)
  const shipment = await floor.filled([inside])
  const box = good<{ id: string; sscc: string }>(
    await worker.post('/boxes', { client_id: floor.client }),
    201,
  )
  const pallet = good<{ sscc: string }>(
    await worker.post('/pallets', { client_id: floor.client }),
    201,
  )
  good(await manager.post('/locations', { warehouse_code: warehouse, code: 'PR-1' }), 201)
  const [receipt] = await db<{ id: string }[]>`
    select id from receipts where client_id = ${floor.client} limit 1`
  const batch = good<{ id: string }>(
    await worker.post('/returns', { client_id: floor.client }),
    201,
  )
  const counted = good<{ id: string }>(
    await manager.post('/counts', { client_id: floor.client, scope: { barcodes: ['A'] } }),
    201,
  )
  const html = {
    'order-sticker': ordered,
    'box-label': box.sscc,
    'pallet-label': pallet.sscc,
    'location-label': 'pr-1',
  }
  for (const [kind, object_id] of Object.entries(html)) {
    const job = good<PrintJob>(
      await worker.post('/print-jobs', { kind, object_id, copies: 3 }),
      201,
    )
    const { type, bytes } = await content(job.id)
    assert.equal(type, 'text/html; charset=utf-8', kind)
    assert.equal(bytes.toString().split('<div>').length - 1, 3, kind)
  }
  const stickers = { kind: 'shipment-stickers', object_id: shipment.id }
  const all = good<PrintJob>(await worker.post('/print-jobs', stickers), 201)
  assert.match((await content(all.id)).bytes.toString(), /print-inside/)
  const papers = {
    receipt: receipt?.id,
    return: batch.id,
    count: counted.id,
    shipment: shipment.id,
    'picking-task': shipment.picking_task_id,
  }
  for (const [kind, object_id] of Object.entries(papers)) {
    const job = good<PrintJob>(
      await worker.post('/print-jobs', { kind, object_id, copies: 2 }),
      201,
    )
    const { type, bytes } = await content(job.id)
    assert.equal(type, 'text/html; charset=utf-8', kind)
    assert.equal(bytes.toString().split('<main>').length - 1, 2, kind)
  }
})

test('old jobs are dropped, printed or not, and none that is printed now', async () => {
  const { id: at } = await station()
  const { id: thing } = await order()
  const [printed, waits, now] = await Promise.all(
    ['a', 'b', 'c'].map(async () => good<PrintJob>(await ask(thing, { station_id: at }), 201)),
  )
  assert.ok(printed && waits && now)
  good(await settle(printed.id, { status: 'PRINTED' }))
  await db`
    update print_jobs set created_at = now() - interval '15 days'
    where id = any(${[printed.id, waits.id]})`
  await deleteOldPrintJobs(db, Date.now())
  const left = await db<{ id: string }[]>`select id from print_jobs where station_id = ${at}`
  assert.deepEqual(
    left.map(({ id }) => id),
    [now.id],
  )
})

async function labels(path: string, body: object, by: StaffClient = worker) {
  const answer = await fetch(`${service.baseUrl}/staff/v1/labels/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${by.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.headers.get('Content-Type'), 'application/pdf')
  return (await PDFDocument.load(await answer.arrayBuffer()))
    .getPages()
    .map((page) => page.getSize())
}

const inMillimetres = (page: { width: number; height: number } | undefined) =>
  [page?.width, page?.height].map((size) => Math.round(((size ?? 0) * 25.4) / 72))

test('labels of locations, boxes, pallets and goods come as one document, a page each', async () => {
  const bulk = { warehouse_code: warehouse, pattern: 'L-{01..04}-{1..3}', zone: 'Этикетки' }
  good(await manager.post('/locations/bulk', bulk), 201)
  assert.equal((await labels('locations', bulk)).length, 12)
  const some = { warehouse_code: warehouse, pattern: 'L-{01..02}-{1..2}' }
  const [page, ...others] = await labels('locations', some)
  assert.equal(others.length, 3)
  assert.deepEqual(inMillimetres(page), [58, 40])
  const boxes: { id: string; sscc: string }[] = []
  for (let n = 0; n < 3; n++) {
    boxes.push(good(await worker.post('/boxes', { client_id: floor.client }), 201))
  }
  const named = boxes.map(({ id, sscc }, n) => (n === 0 ? sscc : id))
  assert.equal((await labels('boxes', { boxes: named })).length, 3)
  const pallets: { id: string; sscc: string }[] = []
  for (let n = 0; n < 2; n++) {
    pallets.push(good(await worker.post('/pallets', { client_id: floor.client }), 201))
  }
  const [byNumber, byId] = pallets
  const [large, ...more] = await labels('pallets', { pallets: [byNumber?.sscc, byId?.id] })
  assert.deepEqual([more.length, inMillimetres(large)], [1, [100, 150]])
  const goods = (items: object[]) => ({ client_id: floor.client, items })
  assert.equal((await labels('goods', goods([{ barcode: 'A', copies: 7 }]))).length, 7)

  for (const [path, body, field] of [
    ['locations', { warehouse_code: 'NOWHERE' }, 'warehouse_code'],
    ['locations', { warehouse_code: warehouse, pattern: 'A-{1..}' }, 'pattern'],
    ['boxes', { boxes: [...named, nobody] }, 'boxes[3]'],
    ['pallets', { pallets: [byId?.id, named[0]] }, 'pallets[1]'],
    [
      'goods',
      goods([
        { barcode: 'A', copies: 1 },
        { barcode: 'none', copies: 1 },
      ]),
      'items[1].barcode',
    ],
    [
      'goods',
      goods([
        { barcode: 'A', copies: 1500 },
        { barcode: 'A', copies: 501 },
      ]),
      'items',
    ],
    ['goods', { client_id: nobody, items: [{ barcode: 'A', copies: 1 }] }, 'client_id'],
  ] as const) {
    assertRefused(await worker.post(`/labels/${path}`, body), 'validation_error', field)
  }
  const stranger = await staffClient(service, 'worker')
  good(
    await administrator.put(`/users/${stranger.userId}/warehouses`, {
      warehouse_codes: [elsewhere],
    }),
  )
  assertRefused(
    await stranger.post('/labels/boxes', { boxes: named }),
    'validation_error',
    'boxes[0]',
  )
  assertRefused(
    await stranger.post('/labels/pallets', { pallets: [byId?.id] }),
    'validation_error',
    'pallets[0]',
  )
  assertRefused(
    await stranger.post('/labels/locations', some),
    'validation_error',
    'warehouse_code',
  )
  const theirs = goods([{ barcode: 'A', copies: 1 }])
  assertRefused(await stranger.post('/labels/goods', theirs), 'validation_error', 'client_id')
})
