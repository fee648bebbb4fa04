import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import type { SentOrder, ShippedUnit } from '../../src/exchange/marketplaces/connector.ts'
import type { FakeCard } from '../support/marketplaces/fake.ts'
import { account, connector, fake, lineOf } from '../support/marketplaces/ozon-fixture.ts'

/** Marks of picked units at OZON, while their posting is still being picked. */
const codeOf = (unit: number) => `0104600000000015215a${unit}\u001d93abcd`

suite('marks of a posting of two units', () => {
  let shoe: FakeCard
  let id: string

  beforeEach(() => {
    shoe = fake.addCard(account, { honestMark: true, barcodes: ['4600000000015'] })
    id = fake.addOrder(account, { lines: [lineOf(shoe, 2)] })
  })

  const unit = (n: number): ShippedUnit => ({
    itemId: shoe.itemId,
    markingCode: codeOf(n),
    marks: {},
  })
  const order = (isWhole: boolean, ...units: ShippedUnit[]): SentOrder => {
    return { externalId: id, units, isWhole, mayBeKnown: false }
  }
  const kinds = (verdicts: readonly { readonly kind: string }[] | undefined) =>
    verdicts?.map(({ kind }) => kind)
  const calls = (path: string) =>
    fake.calls().filter((call) => {
      return (
        call.path.endsWith(`exemplar/${path}`) &&
        (call.body as { posting_number?: string }).posting_number === id
      )
    }).length

  test('the form is checked at each pick, and all are given after the last', async () => {
    assert.deepEqual(kinds(await connector.shipping.proving.send(order(false, unit(1)))), ['later'])
    assert.deepEqual([calls('validate'), calls('set')], [1, 0])
    const whole = order(true, unit(1), unit(2))
    fake.injectFaults(account, id, { checkPolls: 1 })
    assert.deepEqual(kinds(await connector.shipping.proving.send(whole)), ['waiting', 'waiting'])
    assert.equal(calls('set'), 1)
    // After a crash OZON is asked first, and what it is checking is not sent again.
    await connector.shipping.proving.send({ ...whole, mayBeKnown: true })
    assert.equal(calls('set'), 1)
    assert.deepEqual(kinds((await connector.shipping.proving.verdicts([whole]))[0]), [
      'proven',
      'proven',
    ])
  })

  test('a mark of a wrong form, and one that OZON does not know, are named of their units', async () => {
    fake.injectFaults(account, id, { illFormed: [codeOf(1)] })
    const [ill] = await connector.shipping.proving.send(order(false, unit(1)))
    assert.deepEqual(ill, {
      kind: 'refused',
      mark: 'marking_code',
      code: 'INVALID_FORMAT',
      reason: 'неверный формат (INVALID_FORMAT)',
    })
    fake.injectFaults(account, id, { illFormed: [], unknownCodes: [codeOf(2)] })
    const whole = order(true, unit(3), unit(2))
    await connector.shipping.proving.send(whole)
    const [verdicts] = await connector.shipping.proving.verdicts([whole])
    assert.deepEqual(kinds(verdicts), ['later', 'refused'])
  })

  test('the form of the last unit is checked at its pick, too', async () => {
    await connector.shipping.proving.send(order(false, unit(1)))
    fake.injectFaults(account, id, { illFormed: [codeOf(2)] })
    const whole = { ...order(true, unit(1), unit(2)), mayBeKnown: true }
    assert.deepEqual(kinds(await connector.shipping.proving.send(whole)), ['later', 'refused'])
    assert.equal(calls('set'), 0)
  })

  test('a status that lacks exemplars is not good, and a check without time is no refusal', async () => {
    const whole = order(true, unit(1), unit(2))
    fake.injectFaults(account, id, { hidesExemplars: true })
    await connector.shipping.proving.send(whole)
    assert.deepEqual(kinds((await connector.shipping.proving.verdicts([whole]))[0]), [
      'waiting',
      'waiting',
    ])
    fake.injectFaults(account, id, { hidesExemplars: false, hasNoTime: true })
    assert.deepEqual(kinds((await connector.shipping.proving.verdicts([whole]))[0]), [
      'again',
      'again',
    ])
    fake.injectFaults(account, id, { hasNoTime: false })
    assert.deepEqual(kinds((await connector.shipping.proving.verdicts([whole]))[0]), [
      'proven',
      'proven',
    ])
  })
})
