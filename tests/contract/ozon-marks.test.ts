import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import type { ShippedUnit } from '../../src/exchange/marketplaces/connector.ts'
import type { FakeCard } from '../support/marketplaces/fake.ts'
import {
  account,
  connector,
  fake,
  lineOf,
  made,
  refusal,
  shipped,
} from '../support/marketplaces/ozon-fixture.ts'

/** The OZON connector beyond the contract of all connectors: marks of units beside marking codes. */
const code = '0104600000000015215a1\u001d93abcd'
const declaration = '10704010/010624/0000302'

suite('marks of units', () => {
  let ring: FakeCard
  let phone: FakeCard
  let id: string

  beforeEach(() => {
    ring = fake.addCard(account, { honestMark: true, barcodes: ['4600000000015'] })
    phone = fake.addCard(account)
    id = fake.addOrder(account, { lines: [lineOf(ring), lineOf(phone, 2)] })
  })

  const unitOf = (
    card: FakeCard,
    marks: ShippedUnit['marks'],
    markingCode: string | null = null,
  ) => ({
    itemId: card.itemId,
    markingCode,
    marks,
  })
  const attach = (...units: ShippedUnit[]) =>
    connector.shipping.attachMarks([{ externalId: id, units }])
  const exemplars = () =>
    fake.exemplarsOf(account, id).map(({ marks, ...data }) => ({
      ...data,
      marks: Object.fromEntries(marks.map(({ mark_type, mark }) => [mark_type, mark])),
    }))
  const nothing = {
    gtd: '',
    is_gtd_absent: false,
    rnpt: '',
    is_rnpt_absent: false,
    weight: 0,
    marks: {},
  }

  // Guarantee (ozon): OZON gets all marks of a posting before it packs the posting.
  test('of every kind go to OZON in its own form, each to its own unit', async () => {
    fake.require(account, id, 'gtd', 'rnpt', 'jw_uin', 'imei', 'weight', 'country')
    const common = {
      uin: '8000000000000001',
      imei: '490154203237518',
      weight: '250',
      country: 'CN',
    }
    await attach(
      unitOf(phone, { ...common, customs_declaration: null, rnpt: null, imei: '356938035643809' }),
      unitOf(
        ring,
        { ...common, customs_declaration: declaration, rnpt: `${declaration}/1`, country: 'RU' },
        code,
      ),
      unitOf(phone, { ...common, customs_declaration: declaration, rnpt: null, weight: '1250' }),
    )
    assert.deepEqual(exemplars(), [
      {
        ...nothing,
        gtd: declaration,
        rnpt: `${declaration}/1`,
        weight: 0.25,
        marks: {
          mandatory_mark: code,
          jw_uin: '8000000000000001',
          imei: '490154203237518',
        },
      },
      {
        ...nothing,
        is_gtd_absent: true,
        is_rnpt_absent: true,
        weight: 0.25,
        marks: { jw_uin: '8000000000000001', imei: '356938035643809' },
      },
      {
        ...nothing,
        gtd: declaration,
        is_rnpt_absent: true,
        weight: 1.25,
        marks: { jw_uin: '8000000000000001', imei: '490154203237518' },
      },
    ])
    assert.deepEqual(fake.countriesOf(account, id), { [ring.itemId]: 'RU', [phone.itemId]: 'CN' })
  })

  test('that OZON does not want are skipped', async () => {
    await attach(
      unitOf(ring, { weight: '250', customs_declaration: declaration }, code),
      unitOf(phone, { imei: '490154203237518' }),
    )
    assert.deepEqual(exemplars(), [
      { ...nothing, marks: { mandatory_mark: code } },
      nothing,
      nothing,
    ])
    assert.deepEqual(made('country/set'), [])
  })

  // Guarantee (ozon): Only marks that OZON does not have, or that were corrected, are sent.
  test('that OZON has are not sent again, and one that was corrected is', async () => {
    fake.require(account, id, 'imei')
    const units = (last: string) => [
      unitOf(ring, { imei: '353879234252633' }, code),
      unitOf(phone, { imei: '490154203237518' }),
      unitOf(phone, { imei: last }),
    ]
    await attach(...units('356938035643809'))
    await attach(...units('356938035643809').toReversed())
    assert.equal(made('exemplar/set').length, 1)
    await attach(...units('868932036356090').toReversed())
    assert.equal(made('exemplar/set').length, 2)
    assert.deepEqual(
      exemplars().map(({ marks }) => marks.imei),
      ['353879234252633', '490154203237518', '868932036356090'],
    )
  })

  test('a declaration that the seller gave in the cabinet stays', async () => {
    fake.require(account, id, 'gtd')
    const given = unitOf(ring, { customs_declaration: declaration }, code)
    const none = { customs_declaration: null }
    await attach(given, unitOf(phone, none), unitOf(phone, none))
    fake.require(account, id, 'gtd', 'imei')
    await attach(
      unitOf(ring, { imei: '353879234252633' }, code),
      unitOf(phone, { imei: '490154203237518' }),
      unitOf(phone, { imei: '356938035643809' }),
    )
    assert.deepEqual(
      exemplars().map(({ gtd, is_gtd_absent, marks }) => [gtd, is_gtd_absent, marks.imei]),
      [
        [declaration, false, '353879234252633'],
        ['', true, '490154203237518'],
        ['', true, '356938035643809'],
      ],
    )
  })

  test('without which OZON packs nothing are named before anything is sent', async () => {
    fake.require(account, id, 'gtd', 'imei', 'weight')
    const attached = attach(unitOf(ring, { weight: '250' }, code))
    const failure = await refusal(
      attached,
      'rejected',
      /требует IMEI, номер таможенной декларации, вес/,
    )
    assert.match(failure.message, /в задании на сборку или отметьте, что номера нет, и закройте/)
    assert.ok(failure.message.includes(id))
    assert.deepEqual(made('exemplar/set'), [])
  })

  test('that OZON refuses are named with the unit, the reason and what to do', async () => {
    fake.require(account, id, 'gtd', 'imei')
    const refused = [code, declaration, '490154203237518']
    fake.injectFaults(account, id, { unknownCodes: refused })
    const attached = attach(
      unitOf(ring, { customs_declaration: null, imei: '353879234252633' }, code),
      unitOf(phone, { customs_declaration: declaration, imei: '490154203237518' }),
      unitOf(phone, { customs_declaration: null, imei: '356938035643809' }),
    )
    const failure = await refusal(attached, 'rejected', /исправьте в задании на сборку/)
    assert.equal(failure.code, 'MARK_NOT_IN_CIRCULATION')
    assert.match(failure.message, new RegExp(`заказе ${id} код маркировки 0104600000000015`))
    assert.match(failure.message, /IMEI 490154203237518 \(MARK_NOT_IN_CIRCULATION\)/)
    assert.match(failure.message, new RegExp(`декларации ${declaration} \\(INVALID_GTD_FORMAT\\)`))
  })

  test('of several orders that OZON refuses are named together, and the others have theirs', async () => {
    const orders = [1, 2, 3].map((n) => {
      const imei = '490154203237518'
      const externalId = fake.addOrder(account, { lines: [lineOf(phone)] })
      fake.require(account, externalId, 'imei', 'rnpt')
      return { externalId, units: [unitOf(phone, n === 2 ? { imei, rnpt: null } : { imei })] }
    })
    const failure = await refusal(connector.shipping.attachMarks(orders), 'rejected', /РНПТ/)
    const [first, second, third] = orders.map(({ externalId }) => externalId)
    for (const number of [first, third]) assert.ok(failure.message.includes(number ?? '-'))
    assert.ok(!failure.message.includes(second ?? '-'))
    assert.equal(fake.exemplarsOf(account, second ?? '')[0]?.is_rnpt_absent, true)
  })

  test('a country is one for all units of a product, and OZON may want a declaration then', async () => {
    fake.require(account, id, 'country')
    const different = attach(
      unitOf(ring, {}, code),
      unitOf(phone, { country: 'CN' }),
      unitOf(phone, { country: 'TR' }),
    )
    await refusal(different, 'rejected', /разные страны изготовления \(CN, TR\)/)
    fake.injectFaults(account, id, { unknownCodes: ['ZZ'] })
    const unknown = attach(unitOf(ring, { country: 'RU' }, code), unitOf(phone, { country: 'ZZ' }))
    await refusal(unknown, 'rejected', /не принял .* страну изготовления ZZ: исправьте/)
    fake.require(account, id, 'country', 'gtd')
    const undeclared = attach(unitOf(ring, { country: 'RU' }, code))
    await refusal(undeclared, 'rejected', /требует номер таможенной декларации/)
    assert.deepEqual(fake.countriesOf(account, id), { [ring.itemId]: 'RU' })
  })

  test('an order that needs them joins at the hand-over, whatever the kind', async () => {
    const kinds = ['gtd', 'rnpt', 'jw_uin', 'imei', 'weight', 'country'] as const
    const { shipping } = connector
    const plain = fake.addOrder(account, { lines: [lineOf(phone)] })
    const ids = kinds.map((kind) => {
      const one = fake.addOrder(account, { lines: [lineOf(phone)] })
      fake.require(account, one, kind)
      return one
    })
    const externalId = await shipping.create({ name: '', reference: '' })
    await shipping.addOrders(externalId, shipped([plain, ...ids]))
    assert.deepEqual(await shipping.ordersOf(externalId), [plain])
    const marks = {
      customs_declaration: declaration,
      rnpt: null,
      uin: '8000000000000001',
      imei: '490154203237518',
      weight: '250',
      country: 'CN',
    }
    const leaving = shipped([plain, ...ids])
    await refusal(shipping.handOver(externalId, leaving), 'rejected', /OZON требует/)
    const units = [unitOf(phone, marks)]
    await shipping.attachMarks(ids.map((number) => ({ externalId: number, units })))
    await shipping.handOver(externalId, leaving)
    assert.deepEqual(fake.shipments(account)[0]?.orders.toSorted(), [plain, ...ids].toSorted())
  })

  test('that OZON checks for long are not sent again by a repeat, which would begin the check anew', async () => {
    fake.injectFaults(account, id, { checkPolls: 9 })
    await refusal(attach(unitOf(ring, {}, code)), 'unreachable', /ещё проверяет/)
    await attach(unitOf(ring, {}, code))
    assert.equal(made('exemplar/set').length, 1)
    assert.deepEqual(fake.markingCodesOf(account, id), [code])
  })

  test('corrected after packing replace the old ones', async () => {
    fake.require(account, id, 'gtd')
    const given = (gtd: string | null) => [
      unitOf(ring, { customs_declaration: gtd }, code),
      unitOf(phone, { customs_declaration: null }),
      unitOf(phone, { customs_declaration: null }),
    ]
    await attach(...given(null))
    const packed = { supplier: 'awaiting_deliver', buyer: 'posting_registered' }
    fake.setStatus(account, id, packed)
    await attach(...given(null))
    assert.deepEqual(made('exemplar/update'), [])
    await attach(...given(declaration))
    assert.equal(made('exemplar/update').length, 1)
    assert.equal(exemplars()[0]?.gtd, declaration)
  })
})
