import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  type FailureKind,
  isObsolete,
  MarketplaceError,
} from '../../src/exchange/marketplaces/calls/failure.ts'
import * as ozon from '../support/marketplaces/ozon-fixture.ts'
import * as wildberries from '../support/marketplaces/wildberries-fixture.ts'

/** Error responses whose status alone would be misread. */
interface Refusal {
  readonly status: number
  readonly body: unknown
  readonly kind: FailureKind
  readonly code: string | undefined
  readonly message: RegExp
}

const rights = /не хватает прав: выпустите новый со всеми правами/
const newKey = /не принимает ключ доступа: выпустите новый и/

suite('WB', () => {
  const problem = (status: number, title: string, detail: unknown, code: unknown = '') => ({
    status,
    body: { title, detail, code, requestId: 'a1b2', origin: 'gate', status },
  })
  const refusals: Refusal[] = [
    ...[
      'token scope is not allowed',
      'scope not allowed',
      'scope is not allowed for this resource',
    ].map((detail) => ({
      ...problem(403, 'access denied', detail),
      kind: 'credentials' as const,
      code: undefined,
      message: rights,
    })),
    {
      ...problem(403, 'forbidden', 'base token is not allowed', 'base token is not allowed for it'),
      kind: 'credentials',
      code: 'forbidden',
      message: /не даёт этих данных по ключу такого типа: нужен ключ другого типа$/,
    },
    {
      ...problem(401, 'unauthorized', 'token does not satisfy the category'),
      kind: 'credentials',
      code: 'unauthorized',
      message: rights,
    },
    {
      ...problem(403, 'access denied', 'Offer not signed'),
      kind: 'credentials',
      code: undefined,
      message: /пока он не примет оферту: примите её в кабинете WB$/,
    },
    {
      ...problem(403, 'access denied', 'client is blocked'),
      kind: 'credentials',
      code: undefined,
      message: /заблокировал продавца: узнайте причину в кабинете WB/,
    },
    {
      ...problem(402, 'payment required', 'please top up your balance'),
      kind: 'unreachable',
      code: undefined,
      message: /ждёт оплаты .* пополните баланс/,
    },
    {
      ...problem(401, 'unauthorized', 'token is withdrawn', '07e-4a [UK-o]; 03bce=27'),
      kind: 'credentials',
      code: 'unauthorized',
      message: newKey,
    },
    {
      ...problem(409, 'MetaValidationFail', {}, '07e-4a [UK-o]; 03bce=27'),
      kind: 'rejected',
      code: 'MetaValidationFail',
      message: /: MetaValidationFail$/,
    },
    {
      ...problem(400, 'bad request', 'supply is closed', 'The supply is closed already'),
      kind: 'rejected',
      code: undefined,
      message: /: supply is closed$/,
    },
    {
      ...problem(409, 'conflict', 'empty', 'SupplyHasZeroOrders'),
      kind: 'rejected',
      code: 'SupplyHasZeroOrders',
      message: /не осталось заказов.*уберите их из отгрузки/,
    },
  ]
  for (const refusal of refusals) {
    test(`${refusal.status} ${JSON.stringify(refusal.body).slice(0, 90)}`, async () => {
      wildberries.fake.failNext(1, refusal, '/warehouses')
      check(await wildberries.failureOf(wildberries.connect().access()), refusal)
    })
  }

  test('a pause from the host of cards holds no orders, and a pause from the other host holds cards', async () => {
    const { cards, access, time } = wildberries.connect()
    const pause = { status: 429, headers: { 'X-Ratelimit-Retry': '600' } }
    wildberries.fake.failNext(1, pause, '/content/')
    for (let times = 0; times < 2; times++) {
      const failure = await wildberries.failureOf(wildberries.itemsOf(cards(undefined)))
      assert.equal(failure.kind, 'unreachable')
    }
    assert.equal(wildberries.made('/content/').length, 1)
    await access()
    assert.deepEqual(time.waits, [])
    wildberries.fake.failNext(1, { ...pause, headers: { 'X-Ratelimit-Retry': '3000' } })
    await wildberries.failureOf(access())
    await time.wait(700_000)
    await wildberries.failureOf(wildberries.itemsOf(cards(undefined)))
    assert.equal(wildberries.made('/content/').length, 1)
  })
})

suite('OZON', () => {
  const problem = (status: number, code: unknown, message: string) => ({
    status,
    body: { code, message, details: [] },
  })
  const refusals: Refusal[] = [
    ...[
      'Api-Key is missing a required role for the method',
      'this method is not allowed for the key',
    ].map((message) => ({
      ...problem(403, 7, message),
      kind: 'credentials' as const,
      code: '7',
      message: rights,
    })),
    {
      ...problem(403, 7, 'Api-Key is restricted to specific IP addresses'),
      kind: 'credentials',
      code: '7',
      message: /только для других IP-адресов: разрешите в кабинете адреса сервиса/,
    },
    { ...problem(403, 7, 'Invalid Api-Key'), kind: 'credentials', code: '7', message: newKey },
    {
      status: 400,
      body: { error: { code: 'POSTINGS_NOT_READY', message: "aren't ready", data: [] } },
      kind: 'rejected',
      code: 'POSTINGS_NOT_READY',
      message: /: aren't ready$/,
    },
    {
      ...problem(400, 9, 'obsolete method cannot be used'),
      kind: 'rejected',
      code: '9',
      message: /больше не принимает такой запрос: сервис нужно обновить/,
    },
  ]
  for (const refusal of refusals) {
    test(`${refusal.status} ${JSON.stringify(refusal.body)}`, async () => {
      ozon.fake.failNext(1, refusal, '/v4/posting/fbs/list')
      const listing = ozon.all(ozon.connector.orders(ozon.now - ozon.day))
      check(await ozon.refusal(listing, refusal.kind, refusal.message), refusal)
    })
  }

  test('a rate limit that only the text names is waited for', async () => {
    for (const { status, text } of [
      { status: 400, text: 'You have reached request rate limit per second' },
      { status: 403, text: 'Circle is open' },
    ]) {
      const before = ozon.made('/posting').length
      const waited = ozon.time.waits.length
      ozon.fake.failNext(1, problem(status, 8, text), '/v4/posting/fbs/list')
      await ozon.all(ozon.connector.orders(ozon.now - ozon.day))
      assert.equal(ozon.made('/posting').length, before + 2)
      // The pause of the list is longer than what the refusal asks for; the second list waits for it before, too.
      assert.ok(ozon.time.waits.length > waited)
      assert.equal(ozon.time.waits.at(-1), 1500)
    }
    ozon.fake.failNext(9, problem(400, 8, 'rate limit per second'), '/v4/posting/fbs/list')
    const listing = ozon.all(ozon.connector.orders(ozon.now - ozon.day))
    await ozon.refusal(listing, 'unreachable', /обращаться реже/)
  })

  test('goods are listed by another call after the first one is withdrawn', async () => {
    for (const gone of [
      problem(404, 5, 'no page'),
      problem(400, 9, 'obsolete method cannot be used'),
    ]) {
      ozon.fake.addCard(ozon.account)
      const before = ozon.made('/v4/product/info/stocks').length
      ozon.fake.failNext(1, gone, '/v3/product/list')
      assert.ok((await ozon.all(ozon.connector.cards(undefined))).length > 0)
      assert.ok(ozon.made('/v4/product/info/stocks').length > before)
    }
    const asked = ozon.made('/v3/product/list').length
    await ozon.all(ozon.connector.cards(undefined))
    assert.equal(ozon.made('/v3/product/list').length, asked)
    ozon.clock.pass(ozon.day)
    await ozon.all(ozon.connector.cards(undefined))
    assert.equal(
      ozon.made('/v3/product/list').length,
      asked,
      'a withdrawn call is never tried again',
    )
  })

  test('goods are not listed by another call after an ordinary refusal', async () => {
    ozon.fake.failNext(1, problem(400, 3, 'wrong filter'), '/v3/product/list')
    await ozon.refusal(ozon.all(ozon.connector.cards(undefined)), 'rejected', /wrong filter/)
  })
})

test('only a withdrawn call or a missing object is obsolete', () => {
  const failure = (kind: FailureKind, options = {}) => new MarketplaceError(kind, 'Нет', options)
  assert.ok(isObsolete(failure('rejected', { status: 404 })))
  assert.ok(isObsolete(failure('rejected', { status: 400, meaning: 'obsolete' })))
  assert.ok(!isObsolete(failure('rejected', { status: 400 })))
  assert.ok(!isObsolete(failure('credentials', { status: 403, meaning: 'rights' })))
  assert.ok(!isObsolete(new Error('Нет')))
})

/** Sellers read no text of a marketplace that is not Russian. */
function check(failure: MarketplaceError, { status, kind, code, message }: Refusal): void {
  assert.deepEqual([failure.kind, failure.status, failure.code], [kind, status, code])
  assert.match(failure.message, message)
  assert.match(failure.forSeller, /^[^a-z]+$/)
}
