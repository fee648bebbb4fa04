import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { accountUser } from '../support/account.ts'
import { assertRefused } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { openFloor } from '../support/shipping.ts'

/** The lists of the account find goods however somebody types them. */

const service = await sharedService()
const { db } = service

interface Found {
  readonly total: number
  readonly items: readonly { readonly barcode: string }[]
}

test('goods and orders are found by words in any order, with е for ё, spaces too many, and in the other layout', async () => {
  const floors = [await openFloor(service, { 'Н-9': 1 }), await openFloor(service, { 'Н-9': 1 })]
  for (const { client, orders } of floors) {
    await perform(db, systemClock, { kind: 'service' }, (work) =>
      registerReceipt(work, client, {
        source: 'manual',
        items: [
          { barcode: 'П-1', name: 'Плед тёплый флисовый, Бязь', article: 'PLD-1', qty: 1 },
          { barcode: 'К-1', name: 'Кружка синяя', article: 'KRU-1', qty: 1 },
        ],
      }),
    )
    await orders({ 'З-1': 'П-1', 'З-2': 'К-1', 'З-3': 'Н-9' })
  }
  const user = await accountUser(service, { [floors[0]?.client ?? '']: 'viewer' })
  for (const text of ['флис  теплый', 'gktl', '<zpm Gktl', 'PLD-1', 'П-1', 'плед pld']) {
    const words = new URLSearchParams({ words: text }).toString()
    for (const list of ['/stock', '/orders']) {
      const { total, items } = (await user.get(`${list}?${words}`)).body as Found
      assert.deepEqual(
        [total, items.map(({ barcode }) => barcode)],
        [1, ['П-1']],
        `${list} ${text}`,
      )
    }
  }
  for (const list of ['/stock', '/orders']) {
    const none = (await user.get(`${list}?words=${encodeURIComponent('плед синий')}`)).body as Found
    assert.deepEqual([none.total, none.items], [0, []])
    const all = (await user.get(`${list}?words=%20`)).body as Found
    assert.equal(all.total, 3, list)
    const long = await user.get(`${list}?words=${'a'.repeat(101)}`)
    assertRefused(long, 'bad_request', 'words')
  }
})

test('an order is found by each of its goods, by words of few goods and of many', async () => {
  const { client, orders } = await openFloor(service, { А: 1 })
  const goods = Array.from({ length: 310 }, (_, n) => ({
    ...{ barcode: `Ч-${n}`, name: `Чашка ${n}`, article: `CUP-${n}`, qty: 1 },
  }))
  await perform(db, systemClock, { kind: 'service' }, (work) =>
    registerReceipt(work, client, { source: 'manual', items: goods }),
  )
  const [order, alone] = await orders({ 'З-7': 'А', 'З-8': 'Ч-9' })
  await db`
    insert into order_lines (client_id, order_id, line, barcode, quantity)
    values (${client}, ${order?.id ?? ''}, 2, 'Ч-309', 1)`
  const user = await accountUser(service, { [client]: 'viewer' })
  const found = async (words: string) => {
    const { total, items } = (await user.get(`/orders?${new URLSearchParams({ words })}`)).body as {
      total: number
      items: { id: string }[]
    }
    assert.equal(total, items.length)
    return items.map(({ id }) => id).toSorted()
  }
  assert.deepEqual(await found('чашка 309'), [order?.id])
  assert.deepEqual(await found('чашка'), [order?.id, alone?.id].toSorted())
  assert.deepEqual(await found('100%_'), [])
})
