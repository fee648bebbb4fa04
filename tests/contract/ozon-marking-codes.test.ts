import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import {
  account,
  connector,
  fake,
  lineOf,
  made,
  refusal,
  shipped,
  withCodes,
} from '../support/marketplaces/ozon-fixture.ts'

/** The OZON connector beyond the contract of all connectors: marking codes. */
suite('marking codes', () => {
  const codeOf = (gtin: string, serial: string) => `01${gtin}21${serial}\u001d93abcd`
  const tea = '04600000000015'
  const shoes = '04600000000022'
  let id: string

  beforeEach(() => {
    const marked = [
      fake.addCard(account, { honestMark: true, barcodes: ['OZN1', '4600000000015'] }),
      fake.addCard(account, { honestMark: true, barcodes: ['4600000000022'] }),
      fake.addCard(account),
    ]
    id = fake.addOrder(account, { lines: marked.map((card, at) => lineOf(card, at === 0 ? 2 : 1)) })
  })
  const attach = (number: string, given: readonly string[]) =>
    connector.shipping.attachMarks([withCodes(number, given)])
  const codes = () => [codeOf(shoes, 'b1'), codeOf(tea, 'a1'), codeOf(tea, 'a2')]

  test('go to the product whose barcode they contain', async () => {
    await attach(id, codes())
    const [b1, a1, a2] = codes()
    assert.deepEqual(fake.markingCodesOf(account, id), [a1, a2, b1])
  })

  test('of a product without a GTIN barcode go to the only such product', async () => {
    const [own, nameless] = [
      fake.addCard(account, { honestMark: true, barcodes: ['4600000000015'] }),
      fake.addCard(account, { honestMark: true, barcodes: ['OZN77'] }),
    ]
    const mixed = fake.addOrder(account, { lines: [lineOf(nameless), lineOf(own)] })
    const given = [codeOf(tea, 'a1'), codeOf('04600000000039', 'c1')]
    await attach(mixed, given)
    assert.deepEqual(fake.markingCodesOf(account, mixed), given.toReversed())
  })

  test('that OZON has already are not sent again', async () => {
    await attach(id, codes())
    await attach(id, codes().toReversed())
    assert.equal(made('exemplar/set').length, 1)
  })

  test('of other goods or beyond the number of units are refused', async () => {
    await refusal(attach(id, [codeOf('04600000000039', 'c1')]), 'rejected', /не видно, какого/)
    const many = ['a1', 'a2', 'a3'].map((serial) => codeOf(tea, serial))
    await refusal(attach(id, many), 'rejected', /больше, чем единиц/)
    assert.deepEqual(fake.markingCodesOf(account, id), [])
  })

  test('that OZON does not want are skipped', async () => {
    const plain = fake.addCard(account, { barcodes: ['4600000000039'] })
    const other = fake.addOrder(account, { lines: [lineOf(plain)] })
    await attach(other, [codeOf('04600000000039', 'c1')])
    assert.deepEqual(fake.markingCodesOf(account, other), [])
    const marked = fake.addCard(account, { honestMark: true, barcodes: ['4600000000015'] })
    const mixed = fake.addOrder(account, { lines: [lineOf(plain), lineOf(marked)] })
    const given = [codeOf('04600000000039', 'c1'), codeOf(tea, 'a1')]
    for (const _again of [1, 2]) await attach(mixed, given)
    assert.deepEqual(fake.markingCodesOf(account, mixed), given.slice(1))
    assert.equal(made('exemplar/set').length, 1)
  })

  test('that OZON refuses fail with its reason', async () => {
    fake.injectFaults(account, id, { unknownCodes: [codeOf(tea, 'a1')] })
    const attached = attach(id, codes())
    const failure = await refusal(attached, 'rejected', /MARK_NOT_IN_CIRCULATION/)
    assert.equal(failure.code, 'MARK_NOT_IN_CIRCULATION')
  })

  test('that OZON had no time to check are not refused, and pass at the next hand-over', async () => {
    fake.injectFaults(account, id, { hasNoTime: true })
    await refusal(attach(id, codes()), 'unreachable', /ещё проверяет/)
    fake.injectFaults(account, id, { hasNoTime: false })
    await attach(id, codes())
    assert.deepEqual(fake.markingCodesOf(account, id).toSorted(), codes().toSorted())
  })

  test('are polled for some time while OZON checks them', async () => {
    fake.injectFaults(account, id, { pendingPolls: 3 })
    await attach(id, codes())
    fake.injectFaults(account, id, { pendingPolls: 9 })
    await refusal(attach(id, codes()), 'unreachable', /ещё проверяет/)
  })

  test('are not good until OZON shows all exemplars as passed, whatever it says of the posting', async () => {
    fake.injectFaults(account, id, { hidesExemplars: true })
    await refusal(attach(id, codes()), 'unreachable', /ещё проверяет/)
    // What OZON has it has checked, but it shows not all of it.
    await refusal(attach(id, codes()), 'unreachable', /ещё проверяет/)
    fake.injectFaults(account, id, { hidesExemplars: false })
    await attach(id, codes())
    assert.equal(made('exemplar/set').length, 1)
  })

  test('come before packing: an order that needs them joins at hand-over', async () => {
    const { shipping } = connector
    const externalId = await shipping.create({ name: '', reference: '' })
    await shipping.addOrders(externalId, shipped([id], 4))
    assert.deepEqual(await shipping.ordersOf(externalId), [])
    const leaving = shipped([id], 4)
    await refusal(shipping.handOver(externalId, leaving), 'rejected', /./)
    await attach(id, codes())
    await shipping.handOver(externalId, leaving)
    assert.deepEqual(fake.shipments(account)[0]?.orders, [id])
  })

  test('of a packed order are attached already, whatever its later status', async () => {
    const leaving = shipped([id], 4)
    await attach(id, codes())
    const externalId = await connector.shipping.create({ name: '', reference: '', orders: leaving })
    await connector.shipping.handOver(externalId, leaving)
    await attach(id, codes())
    await attach(id, codes().toReversed())
    fake.acceptShipment(account, externalId)
    await attach(id, codes())
    const cancelled = { supplier: 'cancelled', buyer: 'posting_canceled' }
    fake.setStatus(account, id, cancelled)
    await refusal(attach(id, codes()), 'rejected', /awaiting_packaging/)
  })

  test('that OZON reports as defined are not sent again', async () => {
    await attach(id, codes())
    const done = { status: 400, body: { code: 3, message: 'EXEMPLAR_INFO_ALREADY_DEFINED' } }
    fake.failNext(1, done, 'exemplar/create-or-get')
    await attach(id, codes())
    fake.failNext(1, done, 'exemplar/set')
    await attach(id, codes().with(0, codeOf(shoes, 'b2')))
    assert.equal(made('exemplar/status').length, 4)
  })

  test('are not blamed for a missing declaration', async () => {
    fake.injectFaults(account, id, { undeclared: true })
    const attached = attach(id, codes())
    const failure = await refusal(attached, 'rejected', /требует номер таможенной декларации/)
    assert.ok(failure.message.includes(id))
  })
})
