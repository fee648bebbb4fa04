import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SyncContext } from '../../src/exchange/marketplaces/sync/context.ts'
import { syncStatuses } from '../../src/exchange/marketplaces/sync/sync-orders.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { terminalOrders } from '../../src/warehouse/orders/orders-to-ask.ts'
import { cabinetState, openScene } from '../support/sync-scene.ts'

/** Later reports about orders and goods. */
const scene = await openScene()
const { db, wb, ozon } = scene
const day = 24 * 3_600_000

const pairsOf = async (cabinetId: string) => {
  const rows = await db<{ pair: string }[]>`
    select concat_ws(' ', status, supplier_status, buyer_status) as pair from orders
    where cabinet_id = ${cabinetId} order by external_id collate "C"`
  return rows.map(({ pair }) => pair)
}

/** Moves the last report of the cabinet's orders back by this time. */
async function unheard(cabinetId: string, minutes: number): Promise<void> {
  const ago = db`now() - ${`${minutes} minutes`}::interval`
  await db`update orders set synced_at = ${ago} where cabinet_id = ${cabinetId}`
  await db`update cabinet_syncs set terminal_checked_at = ${ago} where cabinet_id = ${cabinetId}`
}

test('a terminal order is followed: a cancellation gets its reason, and a sold order may be returned', async () => {
  const { cabinetId, clientId, account } = await scene.connect(wb)
  const createdAt = Date.now() - 5 * day
  const [refused = '', sold = ''] = [
    wb.addOrder(account, { createdAt, status: { supplier: 'cancel', buyer: 'waiting' } }),
    wb.addOrder(account, { createdAt, status: { supplier: 'complete', buyer: 'sold' } }),
  ]
  await scene.sync()
  assert.deepEqual(await pairsOf(cabinetId), [
    'CANCELLED cancel waiting',
    'COMPLETED complete sold',
  ])
  wb.setStatus(account, refused, { supplier: 'cancel', buyer: 'canceled' })
  wb.setStatus(account, sold, { supplier: 'complete', buyer: 'canceled_by_client' })
  await unheard(cabinetId, 21)
  await scene.sync()
  const expected = ['CANCELLED cancel canceled', 'CANCELLED complete canceled_by_client']
  assert.deepEqual(await pairsOf(cabinetId), expected)
  const [{ n } = {}] = await db`
    select count(*)::int as n from order_status_history where client_id = ${clientId}`
  assert.equal(n, 4)
  assert.deepEqual((await audit(db)).findings, [])
})

test('terminal orders are requested every twenty runs, for thirty days, page by page', async () => {
  const { cabinetId, account } = await scene.connect(wb)
  const status = { supplier: 'complete', buyer: 'sold' }
  const numbers = Array.from({ length: 1_003 }, (_, n) =>
    wb.addOrder(account, { createdAt: Date.now() - day - (n % 7) * 1000, status }),
  )
  await scene.sync()
  const [old = ''] = numbers
  await db`
    update orders set created_at = now() - interval '31 days'
    where cabinet_id = ${cabinetId} and external_id = ${old}`
  const askedIn = async (minutes: number) => {
    await unheard(cabinetId, minutes)
    const before = wb.calls().length
    await scene.sync()
    const calls = wb.calls().slice(before)
    return calls.flatMap(({ path, account: id, body }) =>
      path === '/api/v3/orders/status' && id === account.id
        ? [(body as { orders: unknown[] }).orders.map(String)]
        : [],
    )
  }
  assert.deepEqual(await askedIn(19), [])
  const asked = await askedIn(21)
  assert.deepEqual(
    asked.map(({ length }) => length),
    [1_000, 2],
  )
  const each = asked.flat()
  assert.equal(new Set(each).size, 1_002)
  assert.ok(!each.includes(old))
})

test('later runs request the terminal orders that a run did not reach', async () => {
  const { cabinetId, clientId, account } = await scene.connect(wb)
  const status = { supplier: 'complete', buyer: 'sold' }
  const newest = Array.from({ length: 7 }, (_, n) =>
    wb.addOrder(account, { createdAt: Date.now() - (n + 2) * 3_600_000, status }),
  )
  await scene.sync()
  const walk = async (after: string | null) => {
    const [createdFrom, reportedBefore] = [Date.now() - day, Date.now() + day].map(toTimestamp)
    assert.ok(createdFrom !== undefined && reportedBefore !== undefined)
    const bounds = { createdFrom, reportedBefore, limit: 2, pagesMax: 2, after }
    const pages = await Array.fromAsync(terminalOrders(db, clientId, cabinetId, bounds))
    return { asked: pages.flatMap((page) => page.externalIds), after: pages.at(-1)?.after ?? null }
  }
  const first = await walk(null)
  assert.deepEqual(first.asked, newest.slice(0, 4))
  assert.notEqual(first.after, null)
  assert.deepEqual(await walk(first.after), { asked: newest.slice(4), after: null })

  const askedThen = async () => {
    await unheard(cabinetId, 21)
    const before = wb.calls().length
    await scene.sync()
    const calls = wb.calls().slice(before)
    const statuses = calls.filter(
      ({ path, account: id }) => /status/.test(path) && id === account.id,
    )
    return statuses.flatMap(({ body }) => (body as { orders: unknown[] }).orders.map(String))
  }
  await db`update cabinet_syncs set terminal_after = ${first.after} where cabinet_id = ${cabinetId}`
  assert.deepEqual(await askedThen(), newest.slice(4))
  assert.deepEqual(await askedThen(), newest)
})

test('a marketplace that reports changes by itself costs no query for open orders', async () => {
  const connector = { reportsStatusChanges: true, statuses: () => assert.fail('asked') }
  // All that it may touch: a whole context would hide that it touched more.
  await syncStatuses({ connector, db: () => assert.fail('looked up') } as unknown as SyncContext)
})

test('an unknown status is logged once, however many orders and runs report it', async () => {
  const { cabinetId, account } = await scene.connect(wb)
  scene.warned()
  const status = { supplier: 'complete', buyer: 'teleported' }
  wb.addOrder(account, { status })
  wb.addOrder(account, { status })
  await scene.sync()
  await scene.sync()
  assert.deepEqual(await pairsOf(cabinetId), Array(2).fill('OTHER complete teleported'))
  const [line, ...rest] = scene.warned() as { order: string }[]
  assert.deepEqual(rest, [])
  assert.deepEqual({ ...line, order: '' }, { marketplace: 'WB', ...status, order: '' })
  const posting = await scene.connect(ozon)
  ozon.addOrder(posting.account, { status: { supplier: 'complete', buyer: 'teleported' } })
  const moved = wb.addOrder(account)
  await scene.sync()
  assert.equal(scene.warned().length, 1)
  wb.setStatus(account, moved, { supplier: 'confirm', buyer: 'dreaming' })
  await scene.sync()
  assert.equal(scene.warned().length, 1)
})

test('a card that can’t be parsed is read again when cards are due', async () => {
  const { cabinetId, account } = await scene.connect(wb)
  wb.pagesOf(2)
  const first = wb.addCard(account, { updatedAt: Date.now() - 5 * day })
  await scene.sync()
  const walk = async () => {
    const before = wb.calls().length
    await scene.sync()
    const calls = wb.calls().slice(before)
    const pages = calls.filter(({ path, account: id }) => /cards/.test(path) && id === account.id)
    const { sync_error } = await cabinetState(db, cabinetId)
    return { pages: pages.length, error: sync_error }
  }
  const due = () =>
    db`update cabinet_syncs set cards_at = now() - interval '7 hours' where cabinet_id = ${cabinetId}`
  const cards = async () => {
    const rows = await db<{ id: number }[]>`
      select item_id as id from marketplace_cards where cabinet_id = ${cabinetId} order by 1`
    return rows.map(({ id }) => id)
  }
  const [mark] = await cursorsOf(cabinetId)
  const times = [4, 3, 2, 1].map((days) => Date.now() - days * day)
  const others = times.map((updatedAt) => wb.addCard(account, { updatedAt }))
  const [broken] = others
  assert.ok(broken !== undefined)
  const whole = { ...broken }
  Object.assign(broken, { itemId: null })
  // An order of these goods has no card, but the run that failed to read the card does not try again.
  const line = { itemId: whole.itemId, article: '', barcode: '', quantity: 1 }
  wb.addOrder(account, { lines: [line] })
  await due()
  const failed = await walk()
  assert.match(failed.error ?? '', /chrtID/)
  assert.equal(failed.pages, 2)
  const good = [first, ...others.slice(1)].map(({ itemId }) => itemId)
  assert.deepEqual(await cards(), good)
  assert.deepEqual(await cursorsOf(cabinetId), [mark])
  assert.deepEqual(await walk(), { pages: 0, error: failed.error })
  await due()
  assert.match((await walk()).error ?? '', /chrtID/)
  wb.addCard(account, whole)
  await due()
  assert.equal((await walk()).error, null)
  assert.deepEqual(
    await cards(),
    [...good, whole.itemId].toSorted((a, b) => a - b),
  )
  assert.notDeepEqual(await cursorsOf(cabinetId), [mark])
  wb.heal()
})

const cursorsOf = async (cabinetId: string) => {
  const rows = await db<{ cursor: string }[]>`
    select cards_cursor as cursor from cabinet_syncs where cabinet_id = ${cabinetId}`
  return rows.map(({ cursor }) => cursor)
}
