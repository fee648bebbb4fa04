import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Sklad } from '../../sdk/typescript/src/client.ts'
import { SkladError } from '../../sdk/typescript/src/errors.ts'

/** Calls of one client against a service that counts them, with the clock of the test. */

const address = { key: 'svc_test_x', baseUrl: 'http://127.0.0.1:1' }

/** A bucket of `burst` calls that gets one more each second; `retryAfter` is what a refusal says. */
function limited(burst: number, retryAfter = '1') {
  const clock = { ms: 0 }
  const paths: string[] = []
  let waiting = 0
  let spent = 0
  const fetch = async (input: unknown) => {
    paths.push(new URL(String(input)).pathname)
    if (spent >= burst + Math.floor(clock.ms / 1000)) {
      const error = { code: 'rate_limited', message: 'Слишком часто', request_id: 'r' }
      return Response.json({ error }, { status: 429, headers: { 'Retry-After': retryAfter } })
    }
    spent += 1
    return Response.json({})
  }
  const timing = {
    random: () => 0,
    elapsedMs: () => clock.ms,
    wait: async (ms: number, signal: AbortSignal | undefined) => {
      assert.equal(waiting, 0, 'two calls wait for the rate at once')
      waiting += 1
      await new Promise(setImmediate)
      waiting -= 1
      signal?.throwIfAborted()
      clock.ms += ms
    },
  }
  const options = { ...address, fetch: fetch as typeof globalThis.fetch, timing }
  return { clock, paths, options, sklad: new Sklad(options) }
}

const isRateLimited = (error: unknown) =>
  error instanceof SkladError && error.code === 'rate_limited' && error.status === 429

suite('calls that go too often', () => {
  test('all succeed, one after another, and no repeat is used up', async () => {
    const { sklad, clock, paths } = limited(20)
    await Promise.all(Array.from({ length: 40 }, (_, n) => sklad.orders.get(`o-${n}`)))
    assert.equal(clock.ms, 20_000)
    // The crowd is refused once; afterwards each second one call passes and one asks too early.
    assert.equal(paths.length, 40 + 20 + 19)
  })

  test('a call that comes later waits behind those that wait', async () => {
    const { sklad, paths } = limited(1)
    const first = Promise.all([sklad.orders.get('a'), sklad.orders.get('b')])
    while (paths.length < 2) await new Promise(setImmediate)
    await Promise.all([first, sklad.orders.get('c')])
    assert.equal(paths.at(-1), '/v1/orders/c')
  })

  test('creating without a number waits too: a refused call did nothing', async () => {
    const { sklad, paths } = limited(0)
    await sklad.receipts.create({ items: [] })
    assert.equal(paths.length, 2)
  })

  test('nobody waits for more than five minutes, and with retries 0 nobody waits', async () => {
    const slow = limited(0, '120')
    await slow.sklad.me()
    const never = limited(Number.NEGATIVE_INFINITY, '120')
    await assert.rejects(Promise.all([never.sklad.me(), never.sklad.metrics()]), isRateLimited)
    assert.equal(never.clock.ms, 240_000)
    const once = limited(0)
    await assert.rejects(new Sklad({ ...once.options, retries: 0 }).me(), isRateLimited)
    assert.equal(once.paths.length, 1)
  })

  test('an aborted call leaves the queue, and the others go on', async () => {
    const { sklad } = limited(0)
    const controller = new AbortController()
    const [first, second, third] = [sklad.me(), sklad.me({ signal: controller.signal }), sklad.me()]
    controller.abort(new Error('enough'))
    await assert.rejects(second, { message: 'enough' })
    await Promise.all([first, third])
  })
})

test('an address without http or with /v1 is refused, and a lost connection names the address', async () => {
  const { options } = limited(1)
  for (const baseUrl of ['api.example.ru', 'localhost:8080', 'ftp://api.example.ru', 'http://'])
    assert.throws(() => new Sklad({ ...options, baseUrl }), { name: 'TypeError', message: /http:/ })
  for (const baseUrl of ['https://api.example.ru/v1', 'https://api.example.ru/v1/'])
    assert.throws(() => new Sklad({ ...options, baseUrl }), { name: 'TypeError', message: /\/v1/ })
  const lost = async () => Promise.reject(new TypeError('fetch failed'))
  const sklad = new Sklad({ ...options, baseUrl: 'http://u:p@shop.example/a/', fetch: lost })
  await assert.rejects(sklad.me(), {
    code: 'connection_lost',
    message: 'Соединение с http://shop.example прервано или не установлено',
  })
})
