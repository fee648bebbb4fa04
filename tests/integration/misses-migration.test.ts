import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '../../src/platform/db/migrate.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { testDatabase } from '../support/database.ts'

test('of the misses before migration 0029 those wait whose orders still need the goods, each once', async () => {
  const { db } = await testDatabase({ empty: true })
  await migrate(db, undefined, 28)
  // Only what the migration reads is here.
  await db`
    do $$ declare c record; begin
      for c in select conname, conrelid::regclass::text as relation from pg_constraint where contype = 'f' loop
        execute format('alter table %s drop constraint %I', c.relation, c.conname);
      end loop;
    end $$`
  const [client, cabinet] = [newId(), newId()]
  const tasks = new Map<string, { task: string; shipment: string }>()
  for (const status of ['OPEN', 'DONE']) {
    const made = { task: newId(), shipment: newId() }
    tasks.set(status, made)
    await db`
      insert into picking_tasks (client_id, id, shipment_id, status, opened_at)
      values (${client}, ${made.task}, ${made.shipment}, ${status}, now())`
  }
  const miss = async (number: string, picked: number, status: string, reports: number) => {
    const order = newId()
    const { task, shipment } = tasks.get(status) ?? { task: null, shipment: null }
    await db`
      insert into orders (client_id, id, cabinet_id, marketplace, external_id, status, marketplace_status,
        shipment_id, created_at)
      values (${client}, ${order}, ${cabinet}, 'WB', ${number}, 'ASSEMBLING', 'NEW', ${shipment}, now())`
    await db`
      insert into order_lines (client_id, order_id, line, barcode, quantity, picked)
      values (${client}, ${order}, 1, 'A', 2, ${picked})`
    await db`
      insert into pick_misses (client_id, task_id, order_id, barcode, units, reason, at, actor)
      select ${client}, ${task}, ${order}, 'A', 2, 'OTHER', now() + n * interval '1 s', 'staff:x'
      from generate_series(1, ${reports}) n`
  }
  await miss('waits', 1, 'OPEN', 2)
  await miss('was found', 2, 'OPEN', 1)
  await miss('left', 0, 'DONE', 1)
  await miss('is outside', 0, '', 1)
  await migrate(db)
  const rows = await db<{ what: string }[]>`
    select o.external_id || ': ' || coalesce(m.outcome, 'open') as what
    from pick_misses m join orders o on o.client_id = m.client_id and o.id = m.order_id
    order by o.external_id, m.at`
  assert.deepEqual(
    rows.map(({ what }) => what),
    [
      'is outside: order_left',
      'left: order_left',
      'waits: reported_again',
      'waits: open',
      'was found: found',
    ],
  )
})
