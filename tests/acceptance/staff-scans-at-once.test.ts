import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { makeClient } from '../support/warehouse.ts'

const service = await sharedService()
const manager = await staffClient(service, 'manager')
const administrator = await staffClient(service, 'administrator')

async function receiving(barcode: string): Promise<{ client: string; receipt: string }> {
  const { id: client } = await makeClient(service.db)
  const items = [{ barcode, name: 'Товар', qty: 1000, honest_mark: false }]
  const created = await manager.post(`/clients/${client}/receipts`, { items })
  assert.equal(created.status, 201, created.text)
  const { id: receipt } = created.body as { id: string }
  assert.equal((await manager.post(`/receipts/${receipt}/start`)).status, 200)
  return { client, receipt }
}

interface Entry {
  actor: string
  login: string
  request_id: string
  after: { scan_id: string }
}

// Guarantee (journal): Scans that share a transaction each have their own user and request in the journal.
test('scans at once are in the journal with their own user and request, and a user without access counts nothing more', async () => {
  const { receipt } = await receiving('A')
  const workers = await Promise.all(
    Array.from({ length: 10 }, () => staffClient(service, 'worker')),
  )
  const path = `/receipts/${receipt}/scans`
  const counted = await Promise.all(
    workers.flatMap((worker, n) =>
      [0, 1, 2].map(async (scan) => {
        const scan_id = `${n}-${scan}`
        const good = await worker.post(path, { scan_id, barcode: 'A' })
        const bad = await worker.post(path, { scan_id: `bad ${scan_id}`, barcode: 'B' })
        assert.equal(good.status, 200, good.text)
        assertRefused(bad, 'validation_error')
        return [`staff:${worker.userId}`, worker.login, good.headers.get('X-Request-Id'), scan_id]
      }),
    ),
  )
  const journal = await administrator.get(`/journal/staff?object_id=${receipt}&limit=200`)
  const { items } = journal.body as { items: (Entry & { action: string })[] }
  const entries = items.filter(({ action }) => action === 'scanReceipt')
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted()
  assert.deepEqual(
    sorted(
      entries.map(({ actor, login, request_id, after }) => [
        actor,
        login,
        request_id,
        after.scan_id,
      ]),
    ),
    sorted(counted),
  )

  const [lost, ...others] = workers
  assert.ok(lost !== undefined)
  await administrator.patch(`/users/${lost.userId}`, { active: false })
  const answers = await Promise.all(
    [lost, ...others].map((worker, n) => worker.post(path, { scan_id: `late ${n}`, barcode: 'A' })),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, ...others.map(() => 200)],
  )
  const found = (await manager.get(`/receipts/${receipt}`)).body as { accepted_qty: number }
  assert.equal(found.accepted_qty, counted.length + others.length)
})
