// A database of before migration 31 keeps all events, deliveries and attempts: the tables moved, and nothing that anybody reads changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '../../src/platform/db/migrate.ts'
import { testDatabase } from '../support/database.ts'

const { db } = await testDatabase({ empty: true })

const columns = `client_id, id, webhook_id, event_id, event_type, status, attempts, last_attempt_at, last_status_code, last_error,
  next_attempt_at, created_at`

/** Everything that reads of events, deliveries and attempts show. */
async function shown() {
  const rows = (query: string) =>
    db.unsafe<{ row: string }[]>(`select t::text as row from (${query}) t order by 1`)
  return {
    events: await rows(
      'select client_id, id, type, occurred_at, body, number, position from events',
    ),
    deliveries: await rows(`select ${columns} from webhook_deliveries`),
    attempts: await rows(
      'select client_id, delivery_id, attempt, at, status_code, error, duration_ms from webhook_attempts',
    ),
  }
}

test('an upgrade keeps all events, deliveries and attempts', async () => {
  await migrate(db, undefined, 30)
  await db.unsafe(`
    insert into warehouses (code, name, created_at) values ('W', 'Склад', now());
    insert into clients (id, mode, name, warehouse_code, created_at)
    select gen_random_uuid(), 'test', 'Продавец', code, now() from warehouses limit 1;
    insert into events (client_id, id, type, occurred_at, body, position)
    select c.id, (lpad(to_hex((extract(epoch from now() - n * interval '3 days') * 1000)::bigint), 12, '0') || repeat('7', 20))::uuid, 'order.created', now() - n * interval '3 days', n::text, nullif(n, 0)
    from clients c, generate_series(0, 12) n;
    insert into webhook_deliveries (${columns})
    select client_id, gen_random_uuid(), client_id, id, type, s.status, s.attempts,
      case when s.attempts > 0 then occurred_at end, case when s.attempts > 0 then s.code end, s.error,
      case when s.status = 'PENDING' then now() end, occurred_at
    from events, (values ('PENDING', 0, 0, null), ('PENDING', 2, 500, 'Ошибка'), ('DELIVERED', 1, 204, null),
      ('DELIVERED', 3, 200, null), ('FAILED', 8, 0, 'Нет ответа'), ('FAILED', 0, 0, 'Отключена')) s (status, attempts, code, error);
    insert into webhook_attempts (client_id, delivery_id, attempt, at, status_code, error, duration_ms)
    select client_id, id, n, last_attempt_at - (attempts - n) * interval '1 minute',
      case when n = attempts then last_status_code else 0 end, case when n = attempts then last_error else 'Нет' end, n
    from webhook_deliveries, generate_series(1, attempts) n`)
  const before = await shown()
  assert.deepEqual(
    [before.events.length, before.deliveries.length, before.attempts.length],
    [13, 78, 182],
  )
  await migrate(db)
  assert.deepEqual(await shown(), before)
  const tallies = await db<{ sums: string }[]>`
    select format('%s, %s and %s', count(*), sum(delivered), sum(failed)) as sums from delivery_tallies`
  // Two delivered and two failed of each of the events, which are of thirteen days.
  assert.deepEqual(tallies[0], { sums: '13, 26 and 26' })
  const [rest] = await db<[{ lie: number; next: boolean }]>`
    select (select count(*)::int from events_default) + (select count(*)::int from ended_deliveries_default) as lie,
      nextval('events_number_seq') > (select max(number) from events) as next`
  assert.deepEqual(rest, { lie: 0, next: true })
})
