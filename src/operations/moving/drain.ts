import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/db/connection.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import type { Move } from './moves.ts'

/**
 * Waits until nobody outside hears of the leaving clients: attempts of webhooks, sync runs and calls of marketplaces that are
 * under way end and are recorded here. Workers begin no more of them (platform/db/leaving.ts).
 */

const patienceMs = 120_000
const pollMs = 100

interface Busy {
  readonly webhooks: number
  readonly syncs: number
  readonly commands: number
}

/** @throws StartError where something goes on for two minutes */
export async function awaitWorkers(db: Database, move: Move): Promise<void> {
  const until = performance.now() + patienceMs
  for (;;) {
    const busy = await busyWith(db, move)
    if (busy.webhooks + busy.syncs + busy.commands === 0) return
    if (performance.now() > until) {
      throw new StartError(
        `still under way: ${busy.webhooks} webhooks, ${busy.syncs} sync runs, ${busy.commands} commands to marketplaces; ` +
          'repeat the command, or give the move up with --cancel',
      )
    }
    await sleep(pollMs)
  }
}

/** A command holds the advisory lock of its shipment, or of what it is about (coordination/advisory-locks.ts). */
async function busyWith(db: Database, { clients }: Move): Promise<Busy> {
  const ids = [...clients]
  const [busy] = await db<[Busy]>`
    with locked as (
      select hashtextextended('remote command ' || c.key, 0) as number from (
        select id::text as key from shipments where client_id = any(${ids}::uuid[]) and closed_at is null
        union all
        select unnest(array[id::text, shipment_id::text, detail ->> 'orderId'])
        from remote_commands where client_id = any(${ids}::uuid[]) and state = 'requested'
      ) c where c.key is not null
    )
    select (
        select count(*) from webhook_subscriptions
        where client_id = any(${ids}::uuid[]) and leased_until > now()
      ) as webhooks, (
        select count(*) from cabinet_syncs
        where client_id = any(${ids}::uuid[]) and leased_until > now()
      ) as syncs, (
        select count(*) from pg_locks l where l.locktype = 'advisory' and l.granted
          and l.database = (select oid from pg_database where datname = current_database())
          and (l.classid::bigint << 32 | l.objid::bigint) in (select number from locked)
      ) as commands`
  return busy
}
