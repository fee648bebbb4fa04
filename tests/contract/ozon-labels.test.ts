import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import {
  account,
  clock,
  connector,
  fake,
  hour,
  lineOf,
  made,
  now,
  refusal,
  time,
} from '../support/marketplaces/ozon-fixture.ts'

/** The OZON connector beyond the contract of all connectors: labels and the pass. */
const packed = { supplier: 'awaiting_deliver', buyer: 'posting_registered' }
const tasks = '/v3/posting/fbs/package-label/create'

suite('printing', () => {
  test('each order has a PDF label', async () => {
    const ids = [0, 1].map(() => fake.addOrder(account, { status: packed }))
    const stickers = await connector.shipping.stickers(ids)
    for (const [at, { externalId, bytes, contentType }] of stickers.entries()) {
      assert.deepEqual([externalId, contentType], [ids[at], 'application/pdf'])
      assert.ok(bytes.toString().includes(ids[at] ?? ''))
    }
  })

  test('the pass is a picture with the content of its code', async () => {
    const shipment = fake.addShipment(account, { closedAt: now })
    const pass = await connector.shipping.pass(shipment)
    assert.deepEqual([pass.contentType, pass.code], ['image/png', `%303%${shipment}`])
    fake.failNext(1, { status: 404 }, 'get-barcode/text')
    assert.equal((await connector.shipping.pass(shipment)).code, undefined)
    const open = fake.addShipment(account)
    await refusal(connector.shipping.pass(open), 'rejected', /сначала закройте отгрузку/)
    await refusal(connector.shipping.pass('404'), 'rejected', /больше нет/)
    fake.failNext(1, { status: 400, body: { code: 3, message: 'BROKEN' } }, 'get-barcode')
    await refusal(connector.shipping.pass(shipment), 'rejected', /BROKEN/)
  })
})

suite('papers of a shipment', () => {
  const { stringify } = JSON
  const documents = ['papers', 'containers', 'discrepancy'] as const
  const print = (id: string, document: (typeof documents)[number]) =>
    connector.shipping.document(id, document)

  test('are PDFs as OZON made them', async () => {
    const id = fake.addShipment(account, { closedAt: now, acceptedAt: now, places: 2 })
    for (const document of documents) {
      const { bytes, contentType } = await print(id, document)
      assert.equal(contentType, 'application/pdf')
      assert.ok(bytes.toString('latin1').includes(`${document}-${id}`))
    }
    assert.ok((await print(id, 'papers')).bytes.includes(Buffer.from([0x00, 0xff])))
  })

  test("at an address are downloaded from OZON's hosts only", async () => {
    const id = fake.addShipment(account, { closedAt: now })
    const respond = (file_url: string) =>
      fake.failNext(1, { status: 200, body: { file_url } }, 'act/get-pdf')
    respond(`${fake.baseUrl}/files/big_label/x.pdf`)
    assert.equal((await print(id, 'papers')).contentType, 'application/pdf')
    respond('https://ozon.ru.example.com/a.pdf')
    await refusal(print(id, 'papers'), 'malformed', /file_url/)
    fake.failNext(1, { status: 200, body: { file_content: stringify('no file') } }, 'act/get-pdf')
    await refusal(print(id, 'papers'), 'malformed', /file_content/)
  })

  test('that are missing are explained', async () => {
    const open = fake.addShipment(account)
    const closed = fake.addShipment(account, { closedAt: now, papersPending: true })
    await refusal(print(open, 'papers'), 'rejected', /сначала закройте отгрузку/)
    await refusal(print(open, 'containers'), 'rejected', /нет грузовых мест/)
    await refusal(print(closed, 'discrepancy'), 'rejected', /акта о расхождениях/)
    await refusal(print('404', 'papers'), 'rejected', /больше нет/)
    const pending = await refusal(print(closed, 'papers'), 'rejected', /повторите через 30 с/)
    assert.equal(pending.retryAfterSeconds, 30)
    for (const status of ['error', "The next postings aren't ready"]) {
      fake.failNext(1, { status: 200, body: { result: { status } } }, 'act/check-status')
      await refusal(print(closed, 'papers'), 'rejected', /не составил документы отгрузки/)
    }
  })
})

suite('a label that is not ready', () => {
  let id: string
  beforeEach(() => {
    id = fake.addOrder(account, { status: packed })
  })
  const refuse = (body: unknown) => fake.failNext(1, { status: 400, body }, 'package-label')
  const stickers = () => connector.shipping.stickers([id])

  test('is refused with the time of the next attempt, with every wording of OZON', async () => {
    for (const body of [
      { code: 3, message: "The next postings aren't ready" },
      { code: 3, message: 'The next postings are not ready: 1-1-1' },
      { code: 3, message: 'POSTINGS_NOT_READY' },
      { error: { code: 'POSTINGS_NOT_READY', message: 'Ошибка' } },
      { code: 3, message: 'INVALID_ARGUMENT' },
    ]) {
      refuse(body)
      const failure = await refusal(stickers(), 'rejected', /ещё готовит.*повторите через 60 с/)
      assert.equal(failure.retryAfterSeconds, 60)
    }
  })

  test('is refused if the order cannot have a label', async () => {
    fake.setStatus(account, id, { supplier: 'delivering', buyer: '' })
    await refusal(stickers(), 'rejected', /NO_POSTINGS_FOR_BATCH_DOWNLOAD/)
  })

  test('of an order that is not packed says what to do first', async () => {
    const words = [{ code: 3, message: 'POSTINGS_NOT_READY' }, { message: 'INVALID_ARGUMENT' }]
    const fresh = { supplier: 'awaiting_packaging', buyer: 'posting_created' }
    fake.setStatus(account, id, fresh)
    for (const body of words) {
      refuse(body)
      await refusal(stickers(), 'rejected', /сначала добавьте его в отгрузку/)
    }
    const card = fake.addCard(account, { honestMark: true })
    const marked = fake.addOrder(account, { lines: [lineOf(card)], status: fresh })
    const sticker = connector.shipping.stickers([marked])
    await refusal(sticker, 'rejected', /когда закроете отгрузку с ним/)
    fake.setStatus(account, id, { supplier: 'cancelled', buyer: 'posting_canceled' })
    await refusal(stickers(), 'rejected', /«Отменён» .*уберите его из отгрузки/)
  })
})

suite('labels by tasks', () => {
  let id: string
  beforeEach(() => {
    id = fake.addOrder(account, { status: packed })
  })
  const stickers = () => connector.shipping.stickers([id])
  const downloads = () => fake.calls().filter(({ path }) => path.endsWith(`/${id}.pdf`))
  const respondToTask = (body: unknown) =>
    fake.failNext(1, { status: 200, body }, '/v2/posting/fbs/package-label/get')

  test('are printed by one task, which is polled', async () => {
    fake.injectFaults(account, id, { pendingPolls: 2 })
    const [sticker] = await stickers()
    assert.deepEqual([sticker?.externalId, sticker?.contentType], [id, 'application/pdf'])
    assert.ok(sticker?.bytes.toString().includes(id))
    assert.deepEqual(made('label/create')[0]?.body, { posting_numbers: [id] })
    assert.equal(made('label/get').length, 3)
  })

  test('are refused once OZON has withdrawn the call, which is never tried again', async () => {
    fake.retire(tasks)
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await refusal(stickers(), 'rejected', /сервис нужно обновить.*печатайте их в кабинете OZON/)
      clock.pass(hour)
    }
    assert.deepEqual(
      made('package-label').map(({ path }) => path),
      [tasks],
    )
  })

  test('that failed are begun anew by the next attempt', async () => {
    const error = { code: 'INTERNAL', message: 'label was not made' }
    respondToTask({ status: { code: 'error', unprinted_postings: [] }, file_url: '', error })
    await refusal(stickers(), 'rejected', /не напечатал.*label was not made/)
    assert.equal((await stickers()).length, 1)
    assert.equal(made('label/create').length, 2)
  })

  test('that take long are looked at again with the same task', async () => {
    fake.injectFaults(account, id, { pendingPolls: 6 })
    const first = await refusal(stickers(), 'rejected', /повторите через 60 с/)
    assert.equal(first.retryAfterSeconds, 60)
    clock.pass(40_000)
    const second = await refusal(stickers(), 'rejected', /повторите через 20 с/)
    assert.equal(second.retryAfterSeconds, 20)
    assert.equal((await stickers()).length, 1)
    assert.equal(made('label/create').length, 1)
    assert.ok(time.waits.reduce((sum, ms) => sum + ms, 0) <= 5000)
  })

  test('get a new task once OZON has forgotten theirs, or it is old', async () => {
    fake.injectFaults(account, id, { pendingPolls: 3 })
    await refusal(stickers(), 'rejected', /ещё готовит/)
    fake.failNext(1, { status: 404 }, '/v2/posting/fbs/package-label/get')
    assert.equal((await stickers()).length, 1)
    assert.equal(made('label/create').length, 2)
    fake.injectFaults(account, id, { pendingPolls: 3 })
    await refusal(stickers(), 'rejected', /ещё готовит/)
    clock.pass(hour)
    assert.equal((await stickers()).length, 1)
    assert.equal(made('label/create').length, 4)
  })

  test('are downloaded without the key', async () => {
    await stickers()
    const [download] = downloads()
    assert.equal(download?.method, 'GET')
    assert.equal(download?.query.signature, 'a/b')
    assert.equal(download?.headers['client-id'], undefined)
    assert.equal(download?.headers['api-key'], undefined)
  })

  test("are downloaded from OZON's hosts only", async () => {
    const elsewhere = [
      'http://cdn1.ozon.ru/a.pdf',
      'https://cdn1.ozon.ru:8443/a.pdf',
      'https://ozon.ru.example.com/a.pdf',
      'https://notozon.ru/a.pdf',
      'https://127.0.0.1/a.pdf',
      fake.baseUrl.replace('127.0.0.1', 'localhost'),
      'file:///etc/passwd',
      '/a.pdf',
    ]
    for (const file_url of elsewhere) {
      respondToTask({ file_url, status: { code: 'completed' } })
      await refusal(stickers(), 'malformed', /file_url/)
    }
  })

  test('are not downloaded from the target of a redirect', async () => {
    const headers = { location: `${fake.baseUrl}/files/big_label/elsewhere.pdf` }
    fake.failNext(1, { status: 302, headers }, `/${id}.pdf`)
    await refusal(stickers(), 'unreachable', /не отдал готовый файл/)
    assert.equal(fake.calls().filter(({ path }) => path.includes('elsewhere')).length, 0)
  })

  test('that are missing or forbidden do not put the key in doubt', async () => {
    for (const status of [401, 403, 404, 410]) {
      fake.failNext(1, { status }, `/${id}.pdf`)
      await refusal(stickers(), 'unreachable', /не отдал готовый файл/)
    }
    await stickers()
  })

  test('that cannot be started yet are refused with the time of the next attempt', async () => {
    fake.injectFaults(account, id, { labelPending: true })
    await refusal(stickers(), 'rejected', /ещё готовит этикетку.*повторите через/)
    const error = { code: 'NO_POSTINGS_FOR_BATCH_DOWNLOAD', message: '' }
    fake.injectFaults(account, id, { labelPending: false })
    respondToTask({ file_url: '', status: { code: 'error' }, error })
    await refusal(stickers(), 'rejected', /ещё готовит этикетку.*повторите через/)
  })

  test('that lack the order are refused with the reason', async () => {
    fake.injectFaults(account, id, { unprintable: 'Отправление отменено' })
    const failure = await refusal(stickers(), 'rejected', /не напечатал.*: Отправление отменено/)
    assert.ok(failure.message.includes(id))
    assert.deepEqual(downloads(), [])
    respondToTask({ status: { code: 'completed', unprinted_postings: [id] }, file_url: 'x' })
    await refusal(stickers(), 'rejected', /не напечатал/)
    respondToTask({ status: { code: 'error' }, error: { code: 'BROKEN', message: 'Сбой печати' } })
    await refusal(stickers(), 'rejected', /не напечатал.*: Сбой печати/)
  })

  test('use the size that OZON offers', async () => {
    const small = [{ task_id: 1, task_type: 'small_label' }]
    fake.failNext(1, { status: 200, body: { tasks: small } }, tasks)
    respondToTask({
      file_url: `${fake.baseUrl}/files/big_label/${id}.pdf`,
      status: { code: 'completed' },
    })
    assert.equal((await stickers()).length, 1)
    fake.failNext(1, { status: 200, body: { tasks: [] } }, tasks)
    await refusal(stickers(), 'malformed', /tasks/)
  })
})
