import { hash } from 'node:crypto'
import type { Database, Transaction } from '../../platform/db/connection.ts'
import { maskKeys } from '../../platform/kernel/api-key.ts'
import { day, type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import type { JournalledCall, RefusedBody, RefusedReceipt } from './calls.ts'

/**
 * The journal of receipt requests that were refused. It is written with the journal of calls: no answer waits for it,
 * and while the database is away its entries wait as calls do. The database refuses to change entries, and to delete
 * those of live clients before their time.
 */

const bodyBytesKept = 16_384
const daysKept = 365
const deletedAtOnce = 1_000

export function refusedReceipt(code: string, body: unknown): RefusedReceipt {
  return { code, body: Buffer.isBuffer(body) ? refusedBody(body) : undefined }
}

function refusedBody(body: Buffer): RefusedBody {
  // Bytes that are no UTF-8 stay as they are: a key is ASCII.
  const masked = Buffer.from(maskKeys(body.toString('latin1')), 'latin1')
  return {
    bytes: body.length,
    sha256: hash('sha256', body, 'buffer'),
    // A copy: a slice would keep all of a large body while the entry waits.
    start: Buffer.from(masked.subarray(0, bodyBytesKept)),
  }
}

/** Writes the refused requests of a batch of calls; entries of clients that are gone go with them. */
export async function recordRefusedReceipts(
  tx: Transaction,
  calls: readonly JournalledCall[],
): Promise<void> {
  const rows = calls.flatMap(({ refused, caller, at, requestId, status }) =>
    refused === undefined || caller === undefined
      ? []
      : [
          {
            client_id: caller.clientId,
            key_id: caller.keyId,
            at: toTimestamp(at),
            request_id: requestId,
            status,
            code: refused.code,
            body_bytes: refused.body?.bytes ?? null,
            sha256: refused.body?.sha256.toString('base64') ?? null,
            start: refused.body?.start.toString('base64') ?? null,
          },
        ],
  )
  if (rows.length === 0) return
  await tx`
    insert into refused_receipts
      (client_id, at, request_id, key_id, status, code, body_bytes, body_sha256, body_start)
    select r.client_id, r.at, r.request_id, r.key_id, r.status, r.code, r.body_bytes,
      decode(r.sha256, 'base64'), decode(r.start, 'base64')
    from jsonb_to_recordset(${tx.json(rows)}) as r (client_id uuid, key_id uuid, at timestamptz, request_id text,
      status smallint, code text, body_bytes integer, sha256 text, start text)
    join clients c on c.id = r.client_id
    -- A batch whose commit got no answer comes again.
    on conflict do nothing`
}

/** Deletes entries of more than twelve months ago, a bounded number at once. */
export async function deleteOldRefusedReceipts(db: Database, reached: Instant): Promise<void> {
  const before = toTimestamp(reached - daysKept * day)
  await db`
    delete from refused_receipts where (client_id, at, request_id) in (
      select r.client_id, r.at, r.request_id from clients c cross join lateral (
        select client_id, at, request_id from refused_receipts
        where client_id = c.id and at < least(${before}::timestamptz, now() - interval '365 days')
        order by at limit ${deletedAtOnce}
      ) r limit ${deletedAtOnce})`
}
