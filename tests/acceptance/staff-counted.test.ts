import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { inTransaction, type Transaction } from '../../src/platform/db/connection.ts'
import { workAt } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { recountLines } from '../../src/warehouse/counts/verbs.ts'
import type { StockCount } from '../../src/warehouse/counts/view.ts'
import { finishCounting } from '../../src/warehouse/counts/workers.ts'
import { assertRefused } from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import { startService } from '../support/service.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'
import { type StaffClient, staffClient } from '../support/staff.ts'
import { meanwhile } from '../support/waiting.ts'

const service = await startService()
const { db } = service

/** A count that two workers count at once. */
async function counting(scope: object = {}) {
  const floor = await openFloor(service, { A: 10, B: 5 })
  const { manager, worker, client } = floor
  const second = await staffClient(service, 'worker')
  const draft = { client_id: client, scope }
  const { id } = good<StockCount>(await manager.post('/counts', draft), 201)
  good(await manager.post(`/counts/${id}/start`))
  return { floor, manager, worker, second, id }
}

let scans = 0

function scan(by: StaffClient, id: string, code: string, qty = 1) {
  return by.post(`/counts/${id}/scans`, { scan_id: `scan ${++scans}`, code, qty })
}

const finish = (by: StaffClient, id: string, body?: object) => by.post(`/counts/${id}/finish`, body)
const resume = (by: StaffClient, id: string, body?: object) => by.post(`/counts/${id}/resume`, body)
const read = async (by: StaffClient, id: string) => good<StockCount>(await by.get(`/counts/${id}`))

/** Whether the list of what a worker may count has it. */
async function isLeftTo(by: StaffClient, { client }: Floor, id: string): Promise<boolean> {
  const path = `/counts?to_count=true&client_id=${client}`
  const { items } = good<{ items: StockCount[] }>(await by.get(path))
  return items.some((each) => each.id === id)
}

async function assertWhole(): Promise<void> {
  assert.deepEqual((await audit(db, new ManualClock(Date.now()))).findings, [])
}

// Guarantee (counts): Counting ends when everybody who counted has said that nothing is left.
test('a count is counted when all who counted have said so, and then it is on nobody’s list', async () => {
  const { floor, manager, worker, second, id } = await counting()
  const left = () => Promise.all([worker, second].map((each) => isLeftTo(each, floor, id)))
  const uncounted = async () => (await read(worker, id)).uncounted?.map(({ barcode }) => barcode)
  assert.deepEqual(
    [await left(), await uncounted()],
    [
      [true, true],
      ['A', 'B'],
    ],
  )
  good(await scan(worker, id, 'A', 10))
  good(await scan(second, id, 'A'))
  assert.deepEqual(await uncounted(), ['B'])
  const first = good<StockCount>(await finish(worker, id))
  assert.deepEqual(
    [first.status, first.counted_at, 'differing' in first],
    ['COUNTING', null, false],
  )
  assert.deepEqual(await left(), [false, true])
  const { counted_at } = good<StockCount>(await finish(second, id))
  assert.notEqual(counted_at, null)
  assert.deepEqual(await left(), [false, false])
  const { workers = [], status, uncounted: rest } = await read(manager, id)
  assert.deepEqual(
    [status, workers.map(({ finished_at: at }) => at !== null), rest?.length],
    ['COUNTING', [true, true], 1],
  )
  const { counts } = good<{ counts: { items: { counted_by: string[] }[] } }>(
    await manager.get(`/today?client_id=${floor.client}`),
  )
  assert.deepEqual(counts.items[0]?.counted_by.length, 2)
  // A repeat keeps the moment and writes no second entry.
  assert.equal(good<StockCount>(await finish(second, id)).counted_at, counted_at)
  const entries = await db`
    select from staff_journal where object_id = ${id} and action = 'finishCounting'`
  assert.equal(entries.length, 2)
  await assertWhole()
  good(await manager.post(`/counts/${id}/review`))
  assertRefused(await resume(worker, id), 'conflict', 'Считать дальше нельзя')
})

test('a scan takes its worker back to counting, and so does the word that something is left', async () => {
  const { floor, worker, second, id } = await counting({ barcodes: ['A'] })
  good(await scan(worker, id, 'A', 4))
  good(await scan(second, id, 'A', 6))
  const isCounted = async () => (await read(worker, id)).counted_at !== null
  for (const each of [worker, second]) good(await finish(each, id))
  assert.equal(await isCounted(), true)
  good(await scan(second, id, 'A'))
  assert.equal(await isCounted(), false)
  assert.deepEqual(
    [await isLeftTo(worker, floor, id), await isLeftTo(second, floor, id)],
    [false, true],
  )
  good(await finish(second, id))
  good(await resume(worker, id))
  good(await resume(worker, id))
  assert.equal(await isCounted(), false)
  good(await finish(worker, id))
  assert.equal(await isCounted(), true)
  await assertWhole()
})

test('whose only scan was a mistake keeps nobody waiting, and nothing there is an answer, too', async () => {
  const { worker, second, id } = await counting({ barcodes: ['B'] })
  const { scan_id } = good<{ scan_id: string }>(await scan(second, id, 'B'))
  good(await finish(worker, id))
  const isCounted = async () => (await read(worker, id)).counted_at !== null
  assert.equal(await isCounted(), false)
  good(await second.post(`/counts/${id}/scans/${encodeURIComponent(scan_id)}/undo`))
  assert.equal(await isCounted(), true)
  assert.deepEqual(
    (await read(worker, id)).workers?.map(({ units }) => units),
    [0],
  )
  good(await resume(worker, id))
  assert.equal(await isCounted(), false)
  await assertWhole()
})

test('goods that are counted again are counted again by everybody, and an old word is not of them', async () => {
  const { floor, manager, worker, second, id } = await counting()
  for (const each of [worker, second]) {
    good(await scan(each, id, 'A', 4))
    good(await finish(each, id, { reviewed_at: null }))
  }
  good(await manager.post(`/counts/${id}/review`))
  // A repeat from a queue, of which the manager needs nothing any more.
  good(await finish(worker, id, { reviewed_at: null }))
  assertRefused(await finish(worker, id), 'conflict', 'На проверке')
  const { reviewed_at } = good<StockCount>(
    await manager.post(`/counts/${id}/recount`, { barcodes: ['A'] }),
  )
  assert.equal(await isLeftTo(worker, floor, id), true)
  good(await finish(worker, id, { reviewed_at: null }))
  assert.equal((await read(worker, id)).counted_at, null)
  good(await scan(worker, id, 'A', 9))
  const again = good<StockCount>(await finish(worker, id, { reviewed_at }))
  assert.notEqual(again.counted_at, null)
  good(await resume(worker, id, { reviewed_at: null }))
  assert.notEqual((await read(worker, id)).counted_at, null)
  good(await resume(worker, id, { reviewed_at }))
  assert.equal((await read(worker, id)).counted_at, null)
  assertRefused(
    await finish(worker, id, { reviewed_at: 'вчера' }),
    'validation_error',
    'reviewed_at',
  )
  await assertWhole()
})

test('two workers finish at once, and one who scans meanwhile counts on', async () => {
  const { worker, second, id } = await counting()
  for (const each of [worker, second]) good(await scan(each, id, 'A'))
  const said = await Promise.all([worker, second, worker, second].map((each) => finish(each, id)))
  for (const { status, text } of said) assert.equal(status, 200, text)
  assert.notEqual((await read(worker, id)).counted_at, null)
  const mixed = Array.from({ length: 8 }, (_, n) =>
    n % 2 === 0 ? scan(worker, id, 'B') : finish(worker, id),
  )
  for (const { status, text } of await Promise.all(mixed)) assert.equal(status, 200, text)
  good(await scan(worker, id, 'B'))
  assert.equal((await read(worker, id)).counted_at, null)
  await assertWhole()
})

test('a word that meets a new round is of the old one, and a scan that meets the word comes after it', async () => {
  const { floor, manager, worker, id } = await counting({ barcodes: ['A'] })
  good(await scan(worker, id, 'A'))
  const { workers: [me] = [] } = await read(worker, id)
  const userId = me?.actor.replace('staff:', '') ?? ''
  const work = (tx: Transaction) => workAt(tx, Date.now(), { kind: 'staff', userId })
  const word = (tx: Transaction) => finishCounting(work(tx), floor.client, id)
  good((await meanwhile(db, word, () => scan(worker, id, 'A'))).answer)
  assert.equal((await read(worker, id)).counted_at, null)
  good(await manager.post(`/counts/${id}/review`))
  const recount = (tx: Transaction) => recountLines(work(tx), floor.client, id, ['A'])
  const late = await meanwhile(db, recount, () => finish(worker, id, { reviewed_at: null }))
  assert.equal(good<StockCount>(late.answer).counted_at, null)
  await assertWhole()
})

test('a manager who accepts a late scan neither counts nor says that the count is counted', async () => {
  const { floor, manager, worker, id } = await counting({ barcodes: ['A'] })
  const acceptLate = async () => {
    const [scan_id, queued_at] = [`scan ${++scans}`, '2026-11-20T11:59:00+03:00']
    const late = { scan_id, code: 'A', qty: 2, queued_at, queued_by: worker.login, hand_over: true }
    const kept = good<{ id: string }>(await worker.post(`/counts/${id}/scans`, late), 202)
    const decision = { decision: 'accepted', comment: 'Проверено' }
    good(await manager.post(`/exceptions/${kept.id}/resolve`, decision))
  }
  const seen = async () => {
    const count = await read(manager, id)
    const units = count.workers?.map((each) => each.units).sort()
    return [units, count.counted_at !== null, await isLeftTo(worker, floor, id)]
  }
  await acceptLate()
  assert.deepEqual(await seen(), [[], false, true])
  good(await scan(worker, id, 'A', 4))
  good(await finish(worker, id))
  assert.deepEqual(await seen(), [[4], true, false])
  await acceptLate()
  assert.deepEqual(await seen(), [[4], true, false])
  // Who counts, too, counts on after accepting, and is done after the word alone.
  good(await scan(manager, id, 'A', 1))
  await acceptLate()
  assert.deepEqual(await seen(), [[1, 4], false, false])
  good(await finish(manager, id))
  await acceptLate()
  assert.deepEqual(await seen(), [[1, 4], true, false])
  assert.equal((await read(manager, id)).units, 13)
  await assertWhole()
})

test('before its start and after its end nothing of a count is finished', async () => {
  const { manager, worker, id, floor } = await counting()
  const draft = { client_id: floor.client, scope: {} }
  const other = good<StockCount>(await manager.post('/counts', draft), 201)
  assertRefused(await finish(worker, other.id), 'conflict', 'сначала его начинает менеджер')
  assert.equal(await isLeftTo(worker, floor, other.id), false, 'it has not begun')
  good(await manager.post(`/counts/${id}/cancel`))
  assertRefused(await finish(worker, id), 'conflict', 'Закончить счёт нельзя')
  assertRefused(await finish(worker, floor.client), 'not_found')
})

test('scans and those that are taken back wait for their worker first, and hold the goods of nobody meanwhile', async () => {
  const { worker, manager, id } = await counting()
  const { scan_id } = good<{ scan_id: string }>(await scan(worker, id, 'A'))
  good(await scan(worker, id, 'A'))
  const undo = () => manager.post(`/counts/${id}/scans/${encodeURIComponent(scan_id)}/undo`)
  for (const other of [() => scan(worker, id, 'A'), undo]) {
    const running = await inTransaction(db, async (tx) => {
      await tx`select from count_workers where count_id = ${id} for update`
      const answer = other()
      await eventually('the other one waits', async () => {
        const waiting = await db`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return waiting.length > 0
      })
      await tx`select from count_goods where count_id = ${id} for update nowait`
      return { answer }
    })
    good(await running.answer)
  }
  await assertWhole()
})
