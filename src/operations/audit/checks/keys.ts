import { toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { type Check, check } from '../check.ts'

/** Maintenance revokes them every minute; only older ones are reported. */
const patienceMs = 10 * 60_000

/** Keys whose value waits for an owner. */
export const keyChecks: readonly Check[] = [
  check(
    'a key that nobody has seen is valid while its value waits, and no longer',
    (db, own, { now }) => db`
      select r.client_id, format('key request %s', r.id) as object, case
        when k.revoked_at is not null then 'the value of a revoked key waits'
        when r.status = 'REVOKED' then 'the key is still valid'
        else 'the value waits for longer than it may' end as what
      from key_requests r join api_keys k on k.client_id = r.client_id and k.id = r.key_id and ${own('k')}
      where ${own('r')} and (r.status = 'ISSUED' and (k.revoked_at is not null
          or r.reveal_until < ${toTimestamp(now - patienceMs)})
        or r.status = 'REVOKED' and k.revoked_at is null)`,
  ),
]
