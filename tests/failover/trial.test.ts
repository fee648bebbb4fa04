import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import test, { after } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { callsTo } from '../../scripts/trial/calls.ts'
import { playMarks } from '../../scripts/trial/marking.ts'
import { billOf, setPrices } from '../../scripts/trial/money.ts'
import { keptFolder, settingsOf } from '../../scripts/trial/settings.ts'
import { introduction } from '../../scripts/trial/tell.ts'
import { fillTower } from '../../scripts/trial/tower.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { minute, moscowDate } from '../../src/platform/kernel/moscow-time.ts'
import type { TodayCurve } from '../../web/api/staff-calls.ts'
import { startFakeWildberries } from '../support/marketplaces/wildberries.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'

/** "npm run trial" uses no database, secret or address of the environment that starts it. */
const script = fileURLToPath(new URL('../../scripts/trial.ts', import.meta.url))

async function startedWith(given: NodeJS.ProcessEnv) {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [script], { env: { PATH, HOME, ...given } })
  const ended = once(child, 'exit')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await ended
  return { status, out, err }
}

test('the trial refuses to start while DATABASE_URL is set, and says so', async () => {
  const { status, out, err } = await startedWith({ DATABASE_URL: 'postgres://localhost/real' })
  assert.deepEqual([status, out], [1, ''])
  assert.match(err, /^Проба не удалась: задана DATABASE_URL.*env -u DATABASE_URL npm run trial\n$/)
})

test('the trial says first what will happen, and a failed start prints one sentence', async () => {
  const { status, out, err } = await startedWith({ PORT: '-1' })
  assert.deepEqual([status, out], [1, `${introduction}\n`])
  assert.match(err, /^Проба не удалась: .*PORT must be .*\n$/)
})

test('the trial passes the service no address and no secret from the environment', () => {
  const env = {
    PATH: '/bin',
    SYNC_INTERVAL: '1s',
    DATABASE_URL: 'postgres://localhost/real',
    DATA_DIR: '/real',
    SECRET_KEY: 'real',
    HOST: '0.0.0.0',
    WB_BASE_URL: 'https://real',
    WB_CONTENT_BASE_URL: 'https://real',
    OZON_BASE_URL: 'https://real',
    PGHOST: 'real',
    NODE_OPTIONS: '--env-file=real',
  }
  const settings = settingsOf(env, {
    folder: '/tmp/trial',
    port: '8080',
    baseUrl: 'http://127.0.0.1:8080',
    password: 'secret',
    wildberriesUrl: 'http://127.0.0.1:1',
    ozonUrl: 'http://127.0.0.1:2',
  })
  assert.ok(!JSON.stringify(settings).includes('real'), JSON.stringify(settings))
  const { PATH, SYNC_INTERVAL, HOST } = settings
  assert.deepEqual([PATH, SYNC_INTERVAL, HOST], ['/bin', '1s', '127.0.0.1'])
})

test('the trial keeps its data apart from those of a running service', () => {
  assert.equal(keptFolder({ DATA_DIR: '/real' }), '/real/trial')
  for (const DATA_DIR of [undefined, '']) assert.equal(keptFolder({ DATA_DIR }), undefined)
})

test('the trial shows a mark that WB refuses, and the unit that takes its place', async () => {
  const wb = await startFakeWildberries()
  after(() => wb.close())
  let ahead = 0
  const clock = { now: () => Date.now() + ahead }
  const settings = { WB_BASE_URL: wb.baseUrl, SYNC_INTERVAL: '1s' }
  const service = await startService(settings, 'all', undefined, clock)
  const { token } = await staffClient(service, 'administrator')
  const staff = callsTo(service.baseUrl, '/staff/v1', token)
  const { id: clientId } = await staff('POST', '/clients', { name: 'ООО «Проба»' })
  const draft = { name: 'Проба', receipts_enabled: true }
  const { key } = await staff('POST', `/clients/${clientId}/keys`, draft)
  const printed: string[] = []
  const figures = await playMarks({
    wb,
    seller: callsTo(service.baseUrl, '/v1', String(key)),
    staff,
    clientId: String(clientId),
    say: (who, what) => printed.push(`${who}: ${what}`),
    pause: async () => {
      ahead += 2_000
      await turn()
    },
  })
  assert.deepEqual(figures, { proven: 2, refused: 1 })
  const story = printed.join('\n')
  for (const expected of [
    /^склад: приёмка R-\d+: Кроссовки, 4 шт\. с кодами маркировки$/m,
    /^WB: коды единиц: .*, не приняты 1$/m,
    /^склад: посылка \d+: WB не принял код маркировки: кода нет в Честном знаке\. Берём другую/m,
    /^склад: поставка WB-GI-\d+ передана/m,
  ]) {
    assert.match(story, expected)
  }
})

test('the trial fills the first page with all that a manager meets in a day', async () => {
  const moment = Date.parse('2026-11-20T15:00:00+03:00')
  const clock = new ManualClock(moment)
  const service = await startService({}, 'api', undefined, clock)
  const { token } = await staffClient(service, 'administrator')
  const staff = callsTo(service.baseUrl, '/staff/v1', token)
  const moveTo = (at: number) => clock.set(at)
  await fillTower({ baseUrl: service.baseUrl, staff, now: moment, moveTo })
  const today = (await staff('GET', '/today')) as Readonly<Record<string, { total?: number }>>
  const totals = ['misses', 'receipts', 'receiving', 'shipments', 'uncovered', 'counts', 'to_pick']
  assert.deepEqual(
    totals.map((section) => today[section]?.total),
    [2, 1, 1, 2, 1, 1, 28],
  )
  const { items: people } = await staff<{ items: { work: string }[] }>('GET', '/today/people')
  assert.deepEqual(people.map(({ work }) => work).toSorted(), ['counting', 'picking', 'receiving'])
  const { items } = await staff<TodayCurve>('GET', '/today/curve')
  const packed = items.filter((each) => each.packed > 0 && each.yesterday.packed > 0)
  assert.ok(packed.length >= 12, JSON.stringify(items))
  const receipts = await staff('GET', '/receipts?status=RECEIVED_WITH_DISCREPANCY')
  assert.equal(receipts.total, 1)
})

test('the trial has a day to look at, whatever the hour', async () => {
  const night = Date.parse('2026-11-20T02:30:00+03:00')
  const clock = new ManualClock(night)
  const service = await startService({}, 'api', undefined, clock)
  const { token } = await staffClient(service, 'administrator')
  const staff = callsTo(service.baseUrl, '/staff/v1', token)
  const moveTo = (at: number) => clock.set(at)
  await fillTower({ baseUrl: service.baseUrl, staff, now: night, moveTo })
  const { items } = await staff<TodayCurve>('GET', '/today/curve')
  const hours = (of: (hour: TodayCurve['items'][number]) => number) =>
    items.filter((hour) => of(hour) > 0).length
  assert.equal(
    hours(({ yesterday }) => yesterday.handed_over),
    24,
  )
  assert.equal(
    hours(({ handed_over }) => handed_over),
    2,
  )
})

test('the trial shows what the day has come to, as the seller reads it', async () => {
  const clock = new ManualClock(Date.parse('2026-11-20T15:00:00+03:00'))
  const service = await startService({}, 'api', undefined, clock)
  const { token } = await staffClient(service, 'administrator')
  const staff = callsTo(service.baseUrl, '/staff/v1', token)
  const { id } = await staff('POST', '/clients', { name: 'ООО «Счёт»' })
  await setPrices(staff, String(id), moscowDate(clock.now()))
  const { key } = await staff('POST', `/clients/${id}/keys`, { name: 'Счёт' })
  const items = [{ barcode: 'A', name: 'Чай', qty: 3, honest_mark: false }]
  const receipt = await staff('POST', `/clients/${id}/receipts`, { items })
  await staff('POST', `/receipts/${receipt.id}/start`)
  const scan = { scan_id: 'one', barcode: 'A', qty: 3 }
  await staff('POST', `/receipts/${receipt.id}/scans`, scan)
  await staff('POST', `/receipts/${receipt.id}/finish`)
  clock.set(clock.now() + 2 * minute)
  const bill = await billOf(staff, callsTo(service.baseUrl, '/v1', String(key)), String(id))
  assert.match(bill, /^Начислено {3}18,00 ₽/)
  assert.match(bill, /Приёмка товара × 3: 18,00 ₽$/)
})
