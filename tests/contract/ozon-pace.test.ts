import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  account,
  all,
  connector,
  day,
  fake,
  made,
  now,
  time,
} from '../support/marketplaces/ozon-fixture.ts'

/** How fast the OZON connector calls, by a clock that only its waits move. */

test('pages of one list are a second and a half apart, and other calls do not wait for them', async () => {
  for (let order = 0; order < 4; order += 1) fake.addOrder(account)
  fake.pagesOf(1)
  const begun = time.now()
  assert.equal((await all(connector.orders(now - day))).length, 4)
  assert.equal(made('/v4/posting/fbs/list').length, 4)
  assert.equal(time.now() - begun, 4500)
  const between = time.now()
  await connector.access()
  assert.equal(time.now(), between)
  // The next list of the same kind waits, too, whoever asks for it.
  await all(connector.orders(now - day))
  assert.equal(time.now() - between, 6000)
})

test('a refused list holds its own path, and the account once a second path is refused', async () => {
  const refused = { status: 429, headers: { 'retry-after': '30', 'ratelimit-remaining': '0' } }
  fake.failNext(1, refused, '/v4/posting/fbs/list')
  const listing = all(connector.orders(now - day))
  await listing
  assert.ok(time.now() >= 30_000)
  const before = time.now()
  fake.failNext(1, { status: 429, headers: { 'retry-after': '1800' } }, '/v4/posting/fbs/list')
  await assert.rejects(all(connector.orders(now - day)))
  await connector.access()
  assert.ok(time.now() - before < 5_000, 'other paths go on')
  const circle = { status: 400, body: { code: 8, message: 'circle is open' } }
  fake.failNext(1, { ...circle, headers: { 'retry-after': '1800' } }, '/v3/product/list')
  await assert.rejects(all(connector.cards(undefined)))
  await assert.rejects(connector.access(), /обращаться реже/)
})
