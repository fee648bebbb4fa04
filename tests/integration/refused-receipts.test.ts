import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { inTransaction } from '../../src/platform/db/connection.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import type { Mode } from '../../src/platform/kernel/mode.ts'
import { day, type Instant, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import {
  deleteOldRefusedReceipts,
  recordRefusedReceipts,
  refusedReceipt,
} from '../../src/warehouse/journal/refused-receipts.ts'
import { eventually } from '../support/faults.ts'
import { addLiveClient, startService } from '../support/service.ts'
import { makeClient } from '../support/warehouse.ts'

const service = await startService()
const { db, baseUrl } = service
const { writing, reading } = await addLiveClient(service)

interface Entry {
  readonly status: number
  readonly code: string
  readonly body_bytes: number | null
  readonly body_sha256: Buffer | null
  readonly body_start: Buffer | null
}

async function request(key: string, body: string, more: Record<string, string> = {}) {
  const answer = await fetch(`${baseUrl}/v1/receipts`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...more },
    body,
  })
  await answer.arrayBuffer()
  return { status: answer.status, id: answer.headers.get('X-Request-Id') ?? '' }
}

const entriesOf = (id: string) => db<Entry[]>`
  select status, code, body_bytes, body_sha256, body_start from refused_receipts where request_id = ${id}`

/** The entries of a request, once its call is journalled: both are written together. */
async function refusals(id: string): Promise<Entry[]> {
  await eventually('the call is journalled', async () => {
    return (await db`select from call_journal where request_id = ${id}`).length > 0
  })
  return [...(await entriesOf(id))]
}

const shownOf = ([entry]: Entry[]) => ({
  status: entry?.status,
  code: entry?.code,
  bytes: entry?.body_bytes,
  sha256: entry?.body_sha256?.toString('hex'),
  start: entry?.body_start?.toString(),
})
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('a refused request is kept with its body', async () => {
  for (const [body, status, code] of [
    ['{"items": []}', 400, 'validation_error'],
    ['{"items": [', 400, 'bad_request'],
  ] as const) {
    const { id, ...answer } = await request(writing, body)
    assert.equal(answer.status, status)
    assert.deepEqual(shownOf(await refusals(id)), {
      status,
      code,
      bytes: body.length,
      sha256: sha256(body),
      start: body,
    })
  }
})

test('of a large body the first 16 KiB are kept, and no key in it', async () => {
  const body = `{"${writing}": "${'я'.repeat(20_000)}"}`
  const { id } = await request(writing, body)
  const { start = '', ...shown } = shownOf(await refusals(id))
  assert.equal(shown.bytes, Buffer.byteLength(body))
  assert.equal(shown.sha256, sha256(body))
  const [entry] = await entriesOf(id)
  assert.equal(entry?.body_start?.length, 16_384)
  assert.ok(start.startsWith('{"svc_live_***": "яяя'))
})

test('a request that is refused before its body is read is kept without it', async () => {
  const { id, status } = await request(reading, '{"items": []}')
  assert.equal(status, 503)
  assert.deepEqual(shownOf(await refusals(id)), {
    status: 503,
    code: 'write_disabled',
    bytes: null,
    sha256: undefined,
    start: undefined,
  })
})

test('a request that was taken, and a refused call of another kind, are not kept', async () => {
  const items = [{ barcode: '4600000000017', name: 'Товар', qty: 1, honest_mark: false }]
  const { id, status } = await request(writing, JSON.stringify({ items }))
  assert.equal(status, 201, 'the request is taken')
  assert.deepEqual(await refusals(id), [])
  const other = await fetch(`${baseUrl}/v1/receipts?status=NONE`, {
    headers: { Authorization: `Bearer ${writing}` },
  })
  assert.equal(other.status, 400)
  assert.deepEqual(await refusals(other.headers.get('X-Request-Id') ?? ''), [])
})

async function entryAt(at: Instant, mode: Mode = 'live'): Promise<string> {
  const { id: clientId } = await makeClient(db, ['WB'], mode)
  const call = {
    at,
    method: 'POST',
    path: '/v1/receipts',
    ip: '192.0.2.1',
    status: 400,
    requestId: newId(),
    durationMs: 1,
    caller: { clientId, keyId: newId(), mode },
    refused: refusedReceipt('validation_error', Buffer.from('{}')),
  }
  // A batch whose commit got no answer comes again; a client may be gone by then.
  const gone = { ...call, caller: { ...call.caller, clientId: newId() } }
  for (const batch of [[call, gone], [call]]) {
    await inTransaction(db, (tx) => recordRefusedReceipts(tx, batch))
  }
  assert.equal((await entriesOf(call.requestId)).length, 1)
  return call.requestId
}

const longAgo = Date.parse('2024-01-01T12:00:00+03:00')

test('entries are kept for twelve months', async () => {
  const [old, young] = [await entryAt(longAgo), await entryAt(longAgo + 1)]
  await deleteOldRefusedReceipts(db, longAgo + 365 * day)
  assert.equal((await entriesOf(old)).length, 1)
  await deleteOldRefusedReceipts(db, longAgo + 365 * day + 1)
  assert.deepEqual([(await entriesOf(old)).length, (await entriesOf(young)).length], [0, 1])
})

test('entries never change, and those of live clients are not deleted early, whatever the clock says', async () => {
  const future = Date.parse('2100-01-01T12:00:00+03:00')
  const [live, sandbox] = [await entryAt(future), await entryAt(future, 'test')]
  const remove = (id: string) => db`delete from refused_receipts where request_id = ${id}`
  await assert.rejects(remove(live), /stay for twelve months/)
  await assert.rejects(
    db`update refused_receipts set at = ${toTimestamp(longAgo)} where request_id = ${live}`,
    /append-only/,
  )
  await remove(sandbox)
  await deleteOldRefusedReceipts(db, future + 400 * day)
  assert.equal((await entriesOf(live)).length, 1)
})
