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
} from '../support/marketplaces/ozon-connected.ts'

/** What the OZON connector promises beyond the contract of all connectors: printing. */
const packed = { supplier: 'awaiting_deliver', buyer: 'posting_registered' }

suite('printing', () => {
  test('a label is a PDF for each order, in whatever form it came', async () => {
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

  test('a label that is not ready is one for later', async () => {
    const packed = { supplier: 'awaiting_deliver', buyer: 'posting_registered' }
    const id = fake.addOrder(account, { status: packed })
    fake.hinder(account, id, { labelsLate: true })
    await refusal(connector.shipping.stickers([id]), 'unreachable', /ещё готовит/)
  })

  test('the pass is a picture with the text of its code', async () => {
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

  test('is one for later, however that is said', async () => {
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

  test('is refused where it will never be', async () => {
    fake.setStatus(account, id, { supplier: 'delivering', buyer: '' })
    await refusal(stickers(), 'rejected', /INVALID_ARGUMENT/)
    fake.retire('/v2/posting/fbs/package-label')
    await refusal(stickers(), 'rejected', /NO_POSTINGS_FOR_BATCH_DOWNLOAD/)
  })

  test('of an order that is not packed says what comes first, however it is refused', async () => {
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
  const answerTask = (body: unknown) =>
    fake.failNext(1, { status: 200, body }, '/v2/posting/fbs/package-label/get')

  test('are printed where the call for them is withdrawn', async () => {
    fake.hinder(account, id, { looks: 3 })
    const [sticker] = await stickers()
    assert.deepEqual([sticker?.externalId, sticker?.contentType], [id, 'application/pdf'])
    assert.ok(sticker?.bytes.toString().includes(id))
    assert.deepEqual(time.waits.filter((ms) => ms === 1000).length, 3)
    assert.deepEqual(made('label/create')[0]?.body, { posting_numbers: [id] })
  })

  test('are fetched without the key', async () => {
    await stickers()
    const [download] = downloads()
    assert.equal(download?.method, 'GET')
    assert.equal(download?.query.signature, 'a/b')
    assert.equal(download?.headers['client-id'], undefined)
    assert.equal(download?.headers['api-key'], undefined)
  })

  test('are fetched from hosts of OZON alone', async () => {
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
      answerTask({ file_url, status: { code: 'completed' } })
      await refusal(stickers(), 'malformed', /file_url/)
    }
  })

  test('are not fetched from where a redirect leads', async () => {
    const headers = { location: `${fake.baseUrl}/files/big_label/elsewhere.pdf` }
    fake.failNext(1, { status: 302, headers }, `/${id}.pdf`)
    await refusal(stickers(), 'unreachable', /не отдал готовый файл/)
    assert.equal(fake.calls().filter(({ path }) => path.includes('elsewhere')).length, 0)
  })

  test('that are gone, or not ours, say nothing of the key', async () => {
    for (const status of [401, 403, 404, 410]) {
      fake.failNext(1, { status }, `/${id}.pdf`)
      await refusal(stickers(), 'unreachable', /не отдал готовый файл/)
    }
    await stickers()
  })

  test('that take long, or can not be begun, are ones for later', async () => {
    fake.hinder(account, id, { looks: 7 })
    await refusal(stickers(), 'unreachable', /ещё готовит этикетку/)
    fake.hinder(account, id, { looks: 0, labelsLate: true })
    await refusal(stickers(), 'unreachable', /ещё готовит этикетку/)
    const error = { code: 'NO_POSTINGS_FOR_BATCH_DOWNLOAD', message: '' }
    fake.hinder(account, id, { labelsLate: false })
    answerTask({ file_url: '', status: { code: 'error' }, error })
    await refusal(stickers(), 'unreachable', /ещё готовит этикетку/)
  })

  test('that come without the order are none', async () => {
    fake.hinder(account, id, { unprintable: 'Отправление отменено' })
    const failure = await refusal(stickers(), 'rejected', /не напечатал.*: Отправление отменено/)
    assert.ok(failure.message.includes(id))
    assert.deepEqual(downloads(), [])
    answerTask({ status: { code: 'error' }, error: { code: 'BROKEN', message: 'Сбой печати' } })
    await refusal(stickers(), 'rejected', /не напечатал.*: Сбой печати/)
  })

  test('are of the size that there is', async () => {
    const tasks = [{ task_id: 1, task_type: 'small_label' }]
    fake.failNext(1, { status: 200, body: { tasks } }, '/v3/posting/fbs/package-label/create')
    answerTask({
      file_url: `${fake.baseUrl}/files/big_label/${id}.pdf`,
      status: { code: 'completed' },
    })
    assert.equal((await stickers()).length, 1)
    fake.failNext(1, { status: 200, body: { tasks: [] } }, '/v3/posting/fbs/package-label/create')
    await refusal(stickers(), 'malformed', /tasks/)
  })
})
