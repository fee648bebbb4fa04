import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import {
  account,
  connector,
  fake,
  lineOf,
  made,
  now,
  refusal,
  time,
} from '../support/marketplaces/ozon-fixture.ts'

/** The OZON connector beyond the contract of all connectors: labels and the pass. */
const packed = { supplier: 'awaiting_deliver', buyer: 'posting_registered' }

suite('printing', () => {
  test('each order has a PDF label, in every form in which OZON sends files', async () => {
    const packed = { supplier: 'awaiting_deliver', buyer: 'posting_registered' }
    const ids = [0, 1].map(() => fake.addOrder(account, { status: packed }))
    const stickers = await connector.shipping.stickers(ids)
    for (const [at, { externalId, bytes, contentType }] of stickers.entries()) {
      assert.deepEqual([externalId, contentType], [ids[at], 'application/pdf'])
      assert.ok(bytes.toString().includes(ids[at] ?? ''))
    }
    const pdf = Buffer.from('%PDF-1.4 \u00ff', 'latin1')
    for (const encoding of ['base64', 'latin1'] as const) {
      const body = { content_type: 'application/pdf', file_content: pdf.toString(encoding) }
      fake.failNext(1, { status: 200, body }, 'package-label')
      const [sticker] = await connector.shipping.stickers(ids.slice(0, 1))
      assert.deepEqual(sticker?.bytes, pdf)
    }
  })

  test('a label that OZON has not printed yet is unreachable', async () => {
    const packed = { supplier: 'awaiting_deliver', buyer: 'posting_registered' }
    const id = fake.addOrder(account, { status: packed })
    fake.injectFaults(account, id, { labelPending: true })
    await refusal(connector.shipping.stickers([id]), 'unreachable', /ещё готовит/)
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

suite('a label that is not ready', () => {
  let id: string
  beforeEach(() => {
    id = fake.addOrder(account, { status: packed })
  })
  const refuse = (body: unknown) => fake.failNext(1, { status: 400, body }, 'package-label')
  const stickers = () => connector.shipping.stickers([id])

  test('is unreachable, with every wording of OZON', async () => {
    for (const body of [
      { code: 3, message: "The next postings aren't ready" },
      { code: 3, message: 'The next postings are not ready: 1-1-1' },
      { code: 3, message: 'POSTINGS_NOT_READY' },
      { error: { code: 'POSTINGS_NOT_READY', message: 'Ошибка' } },
      { code: 3, message: 'INVALID_ARGUMENT' },
    ]) {
      refuse(body)
      await refusal(stickers(), 'unreachable', /ещё готовит этикетку/)
    }
  })

  test('is refused if the order cannot have a label', async () => {
    fake.setStatus(account, id, { supplier: 'delivering', buyer: '' })
    await refusal(stickers(), 'rejected', /INVALID_ARGUMENT/)
    fake.retire('/v2/posting/fbs/package-label')
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
    await refusal(sticker, 'rejected', /когда закроете отгрузку .*кодами маркировки/)
    fake.setStatus(account, id, { supplier: 'cancelled', buyer: 'posting_canceled' })
    await refusal(stickers(), 'rejected', /«Отменён» .*уберите его из отгрузки/)
  })
})

suite('labels by tasks', () => {
  let id: string
  beforeEach(() => {
    fake.retire('/v2/posting/fbs/package-label')
    id = fake.addOrder(account, { status: packed })
  })
  const stickers = () => connector.shipping.stickers([id])
  const downloads = () => fake.calls().filter(({ path }) => path.endsWith(`/${id}.pdf`))
  const respondToTask = (body: unknown) =>
    fake.failNext(1, { status: 200, body }, '/v2/posting/fbs/package-label/get')

  test('are printed after the direct call is withdrawn', async () => {
    fake.injectFaults(account, id, { pendingPolls: 3 })
    const [sticker] = await stickers()
    assert.deepEqual([sticker?.externalId, sticker?.contentType], [id, 'application/pdf'])
    assert.ok(sticker?.bytes.toString().includes(id))
    assert.deepEqual(time.waits.filter((ms) => ms === 1000).length, 3)
    assert.deepEqual(made('label/create')[0]?.body, { posting_numbers: [id] })
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

  test('that take long or cannot be started are unreachable', async () => {
    fake.injectFaults(account, id, { pendingPolls: 7 })
    await refusal(stickers(), 'unreachable', /ещё готовит этикетку/)
    fake.injectFaults(account, id, { pendingPolls: 0, labelPending: true })
    await refusal(stickers(), 'unreachable', /ещё готовит этикетку/)
    const error = { code: 'NO_POSTINGS_FOR_BATCH_DOWNLOAD', message: '' }
    fake.injectFaults(account, id, { labelPending: false })
    respondToTask({ file_url: '', status: { code: 'error' }, error })
    await refusal(stickers(), 'unreachable', /ещё готовит этикетку/)
  })

  test('that lack the order are refused with the reason', async () => {
    fake.injectFaults(account, id, { unprintable: 'Отправление отменено' })
    const failure = await refusal(stickers(), 'rejected', /не напечатал.*: Отправление отменено/)
    assert.ok(failure.message.includes(id))
    assert.deepEqual(downloads(), [])
    respondToTask({ status: { code: 'error' }, error: { code: 'BROKEN', message: 'Сбой печати' } })
    await refusal(stickers(), 'rejected', /не напечатал.*: Сбой печати/)
  })

  test('use the size that OZON offers', async () => {
    const tasks = [{ task_id: 1, task_type: 'small_label' }]
    fake.failNext(1, { status: 200, body: { tasks } }, '/v3/posting/fbs/package-label/create')
    respondToTask({
      file_url: `${fake.baseUrl}/files/big_label/${id}.pdf`,
      status: { code: 'completed' },
    })
    assert.equal((await stickers()).length, 1)
    fake.failNext(1, { status: 200, body: { tasks: [] } }, '/v3/posting/fbs/package-label/create')
    await refusal(stickers(), 'malformed', /tasks/)
  })
})
