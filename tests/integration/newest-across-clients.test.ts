import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newestAcrossClients } from '../../src/platform/db/lists/newest-first.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { clientsOf } from '../../src/warehouse/clients/list-conditions.ts'
import { testDatabase } from '../support/database.ts'
import { makeClient, noon } from '../support/warehouse.ts'

const { db } = await testDatabase()
const clients = await Promise.all(Array.from({ length: 5 }, () => makeClient(db)))

interface Row {
  client_id: string
  id: string
  created_at: string
}

/** Boxes: the client of each, its second, and whether it stands on a pallet. */
const boxes = fc.array(
  fc.record({ client: fc.nat(4), second: fc.nat(6), onPallet: fc.boolean() }),
  { maxLength: 40 },
)

test('pages of several clients’ rows are those of all rows in one order', async () => {
  await fc.assert(
    fc.asyncProperty(boxes, fc.integer({ min: 1, max: 6 }), async (drafts, limit) => {
      const rows = drafts.map(({ client, second, onPallet }) => ({
        client_id: clients[client]?.id,
        id: newId(),
        created_at: toTimestamp(noon + second * 1_000),
        pallet_id: onPallet ? newId() : null,
      }))
      await db.begin(async (tx) => {
        await tx`set local session_replication_role = replica`
        await tx`delete from boxes`
        await tx`
          insert into boxes (client_id, id, created_at, pallet_id)
          select client_id, id, created_at, pallet_id from jsonb_to_recordset(${tx.json(rows)})
            as x (client_id uuid, id uuid, created_at timestamptz, pallet_id uuid)`
      })
      const inOrder = await db<Row[]>`
        select client_id, id, created_at from boxes order by created_at desc, id desc`
      const across = {
        clients: clientsOf(db, undefined),
        table: 'boxes',
        where: db`true`,
        parts: [db`x.pallet_id is null`, db`x.pallet_id is not null`],
      }
      const listed: Row[] = []
      for (;;) {
        const last = listed.at(-1)
        const after = last && [last.created_at, last.id]
        const page = await db<Row[]>`${newestAcrossClients(db, across, { limit, after })}`
        listed.push(...page.slice(0, limit))
        if (page.length <= limit) break
      }
      assert.deepEqual(listed, inOrder)
    }),
    { numRuns: 40 },
  )
})
