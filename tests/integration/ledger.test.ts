import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ServiceError } from '../../src/platform/kernel/errors.ts'
import {
  correctStock,
  putInQuestion,
  resolveQuestion,
  writeOff,
} from '../../src/warehouse/stock/adjustments.ts'
import { recordMovements, releaseUnits, reserveUnits } from '../../src/warehouse/stock/ledger.ts'
import { registerProducts } from '../../src/warehouse/stock/new-products.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase({ max: 20 })

async function balance(clientId: string, barcode: string) {
  const [row] = await db`
    select quantity, in_question, reserved from stock_balances
    where client_id = ${clientId} and barcode = ${barcode}`
  return { ...row }
}

const barcode = fc.constantFrom('A', 'B', 'C')
const units = fc.integer({ min: 1, max: 6 })
const action = fc.oneof(
  fc.record({ verb: fc.constant('accept' as const), barcode, units }),
  fc.record({ verb: fc.constant('reserve' as const), barcode, units }),
  fc.record({ verb: fc.constant('release' as const), barcode, units }),
  fc.record({ verb: fc.constant('ship' as const), barcode, units }),
  fc.record({ verb: fc.constant('question' as const), barcode, units }),
  fc.record({ verb: fc.constant('found' as const), barcode, units }),
  fc.record({ verb: fc.constant('lost' as const), barcode, units }),
  fc.record({ verb: fc.constant('writeOff' as const), barcode, units }),
  fc.record({
    verb: fc.constant('correct' as const),
    barcode,
    units: fc.integer({ min: -5, max: 5 }),
  }),
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never
type Model = Map<string, { quantity: number; in_question: number; reserved: number }>

/** The balance after the action; undefined where the ledger must refuse it. */
function expected(model: Model, { verb, barcode, units }: Action) {
  const b = { ...(model.get(barcode) ?? { quantity: 0, in_question: 0, reserved: 0 }) }
  if (verb === 'accept' || verb === 'correct') b.quantity += units
  if (verb === 'reserve') b.reserved += units
  if (verb === 'release') b.reserved -= units
  if (verb === 'ship') [b.quantity, b.reserved] = [b.quantity - units, b.reserved - units]
  if (verb === 'question') b.in_question += units
  if (verb === 'found') b.in_question -= units
  if (verb === 'lost') [b.quantity, b.in_question] = [b.quantity - units, b.in_question - units]
  if (verb === 'writeOff') b.quantity -= units
  const holds = b.in_question >= 0 && b.reserved >= 0 && b.in_question + b.reserved <= b.quantity
  return holds ? b : undefined
}

function perform(clientId: string, { verb, barcode, units }: Action): Promise<void> {
  return at(db, noon, async (work) => {
    const entry = { barcode, units, reason: 'OTHER' }
    switch (verb) {
      case 'accept':
        return recordMovements(work, clientId, [{ kind: 'acceptance', barcode, delta: units }])
      case 'reserve':
        return reserveUnits(work, clientId, [entry])
      case 'release':
        return releaseUnits(work, clientId, [entry])
      case 'ship':
        return recordMovements(work, clientId, [
          { kind: 'shipment', barcode, delta: -units, fromReserve: units },
        ])
      case 'question':
        return putInQuestion(work, clientId, entry)
      case 'found':
        return resolveQuestion(work, clientId, { barcode, units, outcome: 'found' })
      case 'lost':
        return resolveQuestion(work, clientId, { barcode, units, outcome: 'written_off' })
      case 'writeOff':
        return writeOff(work, clientId, entry)
      case 'correct':
        return correctStock(work, clientId, { barcode, delta: units, reason: 'COUNT' })
    }
  })
}

// Guarantee (stock): A balance is the sum of its movements, and covers what is reserved and in question.
test('after any actions balances are the sums of their movements and cover reserved and in question', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
      const { id } = await makeClient(db)
      await at(db, noon, (work) =>
        registerProducts(
          work,
          id,
          ['A', 'B', 'C'].map((each) => ({ barcode: each, name: each })),
        ),
      )
      const model: Model = new Map()
      for (const each of actions.filter(({ units }) => units !== 0)) {
        const after = expected(model, each)
        if (after === undefined) {
          await assert.rejects(
            perform(id, each),
            (error) => (error as ServiceError).code === 'conflict',
          )
        } else {
          await perform(id, each)
          model.set(each.barcode, after)
        }
      }
      for (const [each, after] of model) assert.deepEqual(await balance(id, each), after)
      const sums = await db`
        select b.barcode from stock_balances b
        left join lateral (
          select coalesce(sum(delta), 0) as q, coalesce(sum(question_delta), 0) as i
          from stock_movements m where m.client_id = b.client_id and m.barcode = b.barcode
        ) m on true
        where b.client_id = ${id} and (b.quantity <> m.q or b.in_question <> m.i)`
      assert.equal(sums.length, 0)
    }),
    { numRuns: 25 },
  )
})

test('fifty reservations at once get no more units than there are', async () => {
  const { id } = await makeClient(db)
  await stockUp(db, id, { A: 20, B: 20 })
  const claims = Array.from({ length: 50 }, (_, n) =>
    at(db, noon, (work) =>
      reserveUnits(work, id, n % 2 === 0 ? both('A', 'B') : both('B', 'A')),
    ).then(
      () => 'claimed',
      (error: ServiceError) => error.code,
    ),
  )
  const outcomes = await Promise.all(claims)
  assert.equal(outcomes.filter((outcome) => outcome === 'claimed').length, 20)
  assert.equal(outcomes.filter((outcome) => outcome === 'conflict').length, 30)
  assert.deepEqual(await balance(id, 'A'), { quantity: 20, in_question: 0, reserved: 20 })
})

const both = (...barcodes: string[]) => barcodes.map((each) => ({ barcode: each, units: 1 }))

test('a refused movement writes nothing', async () => {
  const { id } = await makeClient(db)
  await stockUp(db, id, { A: 1, B: 5 })
  const shipment = [
    { kind: 'write_off', barcode: 'B', delta: -1 },
    { kind: 'write_off', barcode: 'A', delta: -2 },
  ] as const
  await assert.rejects(
    at(db, noon, (work) => recordMovements(work, id, shipment)),
    /A: свободно только 1/,
  )
  assert.deepEqual(await balance(id, 'B'), { quantity: 5, in_question: 0, reserved: 0 })
})

// Guarantee (stock): The database refuses to change movements, and to reserve more than there is.
test('the database refuses to change movements, to change a mode and to reserve more than there is', async () => {
  const live = await makeClient(db)
  await stockUp(db, live.id, { A: 3 })
  for (const [what, statement] of Object.entries({
    update: db`update stock_movements set delta = 5 where client_id = ${live.id}`,
    delete: db`delete from stock_movements where client_id = ${live.id}`,
    truncate: db`truncate stock_movements`,
    mode: db`update clients set mode = 'test' where id = ${live.id}`,
    negative: db`update stock_balances set reserved = 4 where client_id = ${live.id}`,
  })) {
    await assert.rejects(statement, /append-only|never changes|violates check/, what)
  }
})

test('the database lets movements of test clients be deleted, and no others with them', async () => {
  const live = await makeClient(db)
  const sandbox = await makeClient(db, ['WB'], 'test')
  await stockUp(db, live.id, { A: 3 })
  await stockUp(db, sandbox.id, { A: 3 })
  await assert.rejects(
    db`delete from stock_movements where client_id in (${live.id}, ${sandbox.id})`,
    /append-only/,
  )
  const deleted = db`delete from stock_movements where client_id = ${sandbox.id}`
  assert.equal(await deleted.affected(), 1)
})
