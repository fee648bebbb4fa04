import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { listNotices, readNotices } from '../../src/exchange/notices/bell.ts'
import { keepSettings } from '../../src/exchange/notices/people.ts'
import { openNoticeSender } from '../../src/exchange/notices/sender.ts'
import { watchTime } from '../../src/exchange/notices/watch.ts'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { askForKey, declineKeyRequest } from '../../src/identity/keys/key-requests.ts'
import { changeMember } from '../../src/identity/sellers/members.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { day, hour, minute, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { tell } from '../../src/warehouse/events/news.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import {
  confirmReceipt,
  finishReceiving,
  startReceiving,
} from '../../src/warehouse/receipts/verbs.ts'
import { testDatabase } from '../support/database.ts'
import { announceReceipt, makeSeller, makeStaff } from '../support/notices.ts'
import { at, makeClient, newOrder, noon, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase()
const clock = new ManualClock(noon)
const log = {
  error: ({ err }: { err: unknown }) => assert.fail(String(err)),
  warn: () => {},
}
const sender = openNoticeSender({ db, clock, channels: {}, log })

const titles = async (userId: string, clientId?: string) => {
  await sender.runOnce()
  const { items } = await listNotices(db, userId, clientId)
  return items.map(({ title }) => title)
}
/** The receipt comes short of what was announced. */
async function receiveShort(clientId: string, now = noon): Promise<string> {
  const id = await announceReceipt(db, clientId, now)
  await at(db, now, async (work) => {
    await confirmReceipt(work, clientId, id)
    await startReceiving(work, clientId, id)
    await finishReceiving(work, clientId, id, new Map([['1', 'NOT_DELIVERED']]))
  })
  return id
}

suite('the bell', () => {
  // Guarantee (notices): A change and its news are written together, and each user is notified once.
  test('tells users of the client what became of a receipt, once, and opens it', async () => {
    const { id: client } = await makeClient(db)
    const user = await makeSeller(db, [client])
    await stockUp(db, client, { '1': 2 })
    const short = await receiveShort(client, noon + hour)
    await sender.runOnce()
    await sender.runOnce()
    const { items, unread } = await listNotices(db, user, client)
    assert.deepEqual(
      items.map(({ title, path }) => [title, path]),
      [
        ['Приёмка R-000002 принята с расхождением', `/account/receipts/${short}`],
        ['Приёмка R-000001 принята', items[1]?.path],
      ],
    )
    assert.equal(unread, 2)
  })

  test('of a change that was undone tells nobody', async () => {
    const { id: client } = await makeClient(db)
    const user = await makeSeller(db, [client])
    const undone = new Error('undone')
    const news = { clientId: client, kind: 'receipt_completed', key: 'a', subject: 'R-1' } as const
    await assert.rejects(
      at(db, noon, async (work) => {
        await tell(work, [news])
        throw undone
      }),
      undone,
    )
    assert.deepEqual(await titles(user), [])
  })

  test('the same news are passed on once, however often they are found', async () => {
    const { id: client } = await makeClient(db)
    const user = await makeSeller(db, [client])
    const news = { clientId: client, kind: 'sync_stands', key: 'a', subject: 'WB' } as const
    for (let found = 0; found < 3; found++) await at(db, noon, (work) => tell(work, [news]))
    assert.deepEqual(await titles(user), ['Данные WB не обновляются'])
    await at(db, noon + hour, (work) => tell(work, [news]))
    assert.deepEqual(await titles(user), ['Данные WB не обновляются'])
  })

  test('a burst is one notice, until the user has read it', async () => {
    const { id: client } = await makeClient(db)
    const user = await makeSeller(db, [client])
    for (let n = 0; n < 3; n++) {
      await receiveShort(client)
      await sender.runOnce()
    }
    assert.deepEqual(await titles(user), ['Приёмки с расхождением: 3'])
    await at(db, noon, (work) => readNotices(work, user, client, undefined))
    await receiveShort(client)
    assert.deepEqual(await titles(user), [
      'Приёмка R-000004 принята с расхождением',
      'Приёмки с расхождением: 3',
    ])
  })

  test('news that are apart are several notices', async () => {
    const { id: client } = await makeClient(db)
    const user = await makeSeller(db, [client])
    await receiveShort(client)
    await sender.runOnce()
    clock.advance(11 * minute)
    await receiveShort(client, clock.now())
    assert.equal((await titles(user)).length, 2)
  })
})

suite('who is notified', () => {
  // Guarantee (notices): Nobody is notified of a client that they do not work for.
  test('users of other clients are not, and who loses a client sees its notices no more', async () => {
    const [{ id: client }, { id: other }] = [await makeClient(db), await makeClient(db)]
    const both = await makeSeller(db, [client, other])
    const stranger = await makeSeller(db, [other])
    await receiveShort(client, clock.now())
    assert.deepEqual(await titles(stranger), [])
    assert.equal((await titles(both)).length, 1)
    assert.deepEqual(await titles(both, other), [])
    const { unread, elsewhere } = await listNotices(db, both, other)
    assert.deepEqual([unread, elsewhere], [0, 1])
    await at(db, noon, (work) =>
      changeMember(work, client, both, { role: undefined, keepsOwner: false }),
    )
    assert.deepEqual(await titles(both), [])
  })

  test('nobody reads the notices of another user', async () => {
    const { id: client } = await makeClient(db)
    const [mine, others] = [await makeSeller(db, [client]), await makeSeller(db, [client])]
    await receiveShort(client, clock.now())
    await sender.runOnce()
    const { items } = await listNotices(db, others, client)
    const ids = items.map(({ id }) => id)
    await at(db, noon, (work) => readNotices(work, mine, client, ids))
    assert.equal((await listNotices(db, others, client)).unread, 1)
  })

  test('managers are, of what waits for them in their warehouses; workers are not', async () => {
    await db`insert into warehouses (code, name, created_at) values ('NOTICE', 'Другой', now()) on conflict do nothing`
    const { id: client } = await makeClient(db)
    const [manager, elsewhere, worker] = [
      await makeStaff(db),
      await makeStaff(db, 'manager', ['NOTICE']),
      await makeStaff(db, 'worker'),
    ]
    const id = await announceReceipt(db, client, clock.now())
    await sender.runOnce()
    const [first] = (await listNotices(db, manager, undefined)).items
    assert.equal(first?.path, `/staff/app/receipts/${id}`)
    assert.match(first?.title ?? '', /ждёт подтверждения$/)
    assert.deepEqual(await titles(elsewhere), [])
    assert.deepEqual(await titles(worker), [])
  })

  test('managers are of a key that is asked for, and of what was decided the owners alone', async () => {
    const { id: client } = await makeClient(db)
    const [owner, viewer] = [await makeSeller(db, [client]), await makeSeller(db, [client])]
    const manager = await makeStaff(db)
    const draft = { name: 'Программа Анны', purpose: 'Остатки', receipts_enabled: false }
    const id = await at(db, clock.now(), async (work) => {
      await changeMember(work, client, owner, { role: 'owner', keepsOwner: false })
      return askForKey(work, client, owner, draft)
    })
    await sender.runOnce()
    const [asked] = (await listNotices(db, manager, undefined)).items
    assert.deepEqual(
      [asked?.title, asked?.path],
      ['Клиент просит ключ для своей программы', `/staff/app/clients/${client}?tab=keys`],
    )
    await at(db, clock.now(), (work) => declineKeyRequest(work, client, id, 'Есть другой'))
    assert.deepEqual(await titles(owner), ['Склад решил, выпускать ли ключ'])
    assert.deepEqual(await titles(viewer), [])
  })
})

suite('time', () => {
  test('brings deadlines near, and then they are missed: of each one is notified once', async () => {
    const { id: client, cabinets } = await makeClient(db)
    const user = await makeSeller(db, [client])
    const deadline = clock.now() + 2 * hour
    await stockUp(db, client, { '1': 5 }, clock.now() - day)
    const orders = ['a', 'b'].map((name) => newOrder(name, '1', clock.now()))
    await at(db, clock.now(), (work) => takeInOrders(work, client, cabinets[0] ?? '', orders))
    await db`
      update orders set deadline_at = ${toTimestamp(deadline)} where client_id = ${client}`
    const notified = async () => {
      await watchTime(db, clock)
      return (await titles(user)).filter((title) => title.startsWith('Срок'))
    }
    assert.equal((await notified()).length, 1)
    assert.match((await notified())[0] ?? '', /близко, не отгружено заказов: 2$/)
    clock.advance(3 * hour)
    assert.match((await notified())[0] ?? '', /прошёл, не отгружено заказов: 2$/)
    assert.equal((await notified()).length, 2)
  })

  test('of sandboxes and of what was announced takes no place of other deadlines', async () => {
    const { id: sandbox, cabinets: own } = await makeClient(db, ['WB'], 'test')
    const { id: client, cabinets } = await makeClient(db)
    const soon = clock.now() + hour
    const add = async (clientId: string, cabinet: string, count: number, first: number) => {
      const names = Array.from({ length: count }, (_, n) => String(first + n))
      const drafts = names.map((name) => newOrder(name, '1', clock.now()))
      await at(db, clock.now(), (work) => takeInOrders(work, clientId, cabinet, drafts))
    }
    await add(sandbox, own[0] ?? '', 510, 0)
    await add(client, cabinets[0] ?? '', 20, 1_000)
    // Each order has a minute of its own; those of the sandbox come first.
    await db`
      update orders o set deadline_at = ${toTimestamp(soon)}::timestamptz
        + make_interval(secs => external_id::int * 2)
      where client_id in (${sandbox}, ${client})`
    await watchTime(db, clock)
    const [row] = await db<[{ count: number; units: number }]>`
      select count(*), sum(units)::int as units from news where client_id = ${client}`
    assert.deepEqual([row.count > 0, row.units], [true, 20])
  })

  // Guarantee (notices): Deadlines and low stock ring for live clients first; of sandboxes, only in opened ones.
  test('rings in a sandbox that somebody has opened: deadlines, after those of others, and low stock', async () => {
    const { id: sandbox, cabinets: own } = await makeClient(db, ['WB'], 'test')
    const { id: client, cabinets } = await makeClient(db)
    const user = await makeSeller(db, [client])
    const now = new ManualClock(noon + 40 * day)
    await stockUp(db, sandbox, { '1': 5 }, now.now() - 30 * day)
    const take = (of: string, cabinet = '', names: readonly string[]) =>
      at(db, now.now(), (work) =>
        takeInOrders(
          work,
          of,
          cabinet,
          names.map((name, days) => newOrder(name, '1', now.now() - days * day)),
        ),
      )
    await take(sandbox, own[0], [
      'a',
      'b',
      'c',
      'd',
      'e',
      'f',
      'g',
      'h',
      'i',
      'j',
      'k',
      'l',
      'm',
      'n',
    ])
    await take(client, cabinets[0], ['a'])
    await db`
      update orders set deadline_at = ${toTimestamp(now.now() + hour)} where client_id in (${sandbox}, ${client})`
    const rung = async () => {
      await watchTime(db, now)
      return (await titles(sandbox, sandbox)).filter((title) => !title.startsWith('Приёмка'))
    }
    assert.deepEqual(await rung(), [], 'nobody looks')
    const { id: key } = await at(db, now.now(), (work) =>
      issueApiKey(work, sandbox, { name: 'test', receiptsEnabled: true }),
    )
    await db`
      insert into seller_sessions (hash, id, client_id, key_id, address, browser, created_at, used_at)
      values (${Buffer.from(key)}, ${key}, ${sandbox}, ${key}, '', '', now(), now())`
    const heard = await rung()
    assert.deepEqual(heard.map((title) => title.split(' ')[0]).toSorted(), ['Срок', 'Товар'])
    assert.deepEqual((await rung()).length, 2, 'once')
    assert.equal((await titles(user, client)).length, 1)
    const letters = await db`select from notice_letters where user_id = ${sandbox}`
    assert.deepEqual([...letters], [])
  })

  test('brings keys to their end: notified three weeks, one week and one day before', async () => {
    const { id: client, cabinets } = await makeClient(db)
    const user = await makeSeller(db, [client])
    const start = Date.now()
    const ofKey = new ManualClock(start)
    await db`
      update cabinets set credentials = '\\x00', credentials_at = now(), credentials_rights = '{}',
        credentials_end = now() + interval '30 days' where id = ${cabinets[0] ?? ''}`
    const counts = []
    for (const days of [1, 10, 11, 24, 24.5, 29.5]) {
      ofKey.set(start + days * day)
      await watchTime(db, ofKey)
      const [row] = await db<[{ count: number }]>`
        select count(*) from news where client_id = ${client} and kind = 'key_ends'`
      counts.push(row.count)
    }
    assert.deepEqual(counts, [0, 1, 1, 2, 2, 3])
    assert.match((await titles(user))[0] ?? '', /^Ключи? /)
  })

  test('brings low stock: each user is notified by the number of days of their own, once a week', async () => {
    const { id: client, cabinets } = await makeClient(db)
    const [usual, careful] = [await makeSeller(db, [client]), await makeSeller(db, [client])]
    const ofCover = new ManualClock(noon)
    await stockUp(db, client, { soon: 10, later: 20 }, noon - 30 * day)
    const orders = ['soon', 'later'].flatMap((barcode) =>
      Array.from({ length: 20 }, (_, days) =>
        newOrder(`${barcode} ${days}`, barcode, noon - days * day),
      ),
    )
    await at(db, noon, (work) => takeInOrders(work, client, cabinets[0] ?? '', orders))
    await at(db, noon, (work) =>
      keepSettings(
        work,
        { side: 'seller', userId: careful },
        {
          ...{ choices: {}, digestHour: 9, quiet: undefined, lowDays: 21 },
        },
      ),
    )
    const noticed = async (user: string) =>
      (await titles(user)).filter((title) => /закончится/.test(title))
    // One a day is ordered of each: 10 and 20 units last as many days.
    await watchTime(db, ofCover)
    assert.deepEqual(await noticed(usual), ['Товар «Товар soon» скоро закончится'])
    assert.deepEqual(await noticed(careful), ['Скоро закончится товаров: 2'])
    ofCover.advance(day)
    await watchTime(db, ofCover)
    assert.equal((await noticed(usual)).length, 1, 'once a week')
  })
})
