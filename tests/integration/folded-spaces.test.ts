import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '../../src/platform/db/migrate.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { testDatabase } from '../support/database.ts'

test('goods and clients of before the upgrade are found whatever spaces their names have', async () => {
  const { db } = await testDatabase({ empty: true })
  await migrate(db, undefined, 37)
  const [client, at] = [newId(), new Date()]
  await db`insert into warehouses (code, name, mode, created_at) values ('W', 'W', 'live', ${at})`
  await db`
    insert into clients (id, mode, name, name_folded, warehouse_code, created_at)
    values (${client}, 'live', 'Юг', ${'ооо\u00a0 «юг»'}, 'W', ${at})`
  const names = ['плед\u00a0флис', 'плед  флис', ' плед\tфлис ', 'плед флис']
  for (const [number, name] of names.entries()) {
    await db`
      insert into products (client_id, barcode, name, honest_mark, name_folded, article_folded, created_at)
      values (${client}, ${`B-${number}`}, ${name}, false, ${name}, ${number === 0 ? null : name}, ${at})`
  }
  await migrate(db)
  const folded = await db<{ name: string; article: string | null }[]>`
    select name_folded as name, article_folded as article from products order by barcode`
  assert.deepEqual(
    folded.map(({ name, article }) => [name, article]),
    names.map((_, number) => ['плед флис', number === 0 ? null : 'плед флис']),
  )
  const [owner] = await db<{ name: string }[]>`select name_folded as name from clients`
  assert.equal(owner?.name, 'ооо «юг»')
})
