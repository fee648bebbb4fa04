import assert from 'node:assert/strict'
import test from 'node:test'
import { withLastingNames } from '../scripts/examples/lasting-names.ts'

const moment = Date.parse('2026-11-20T15:00:00+03:00')

/** What one run gathers: its own ids, cursor, key and signature. */
function gathered(run: string) {
  const order = `${run.repeat(8)}-aaaa-7bbb-8ccc-dddddddddddd`
  const client = `${run.repeat(8)}-0000-7000-8000-000000000000`
  return {
    getMe: { answers: { 200: { id: client, key: { preview: `svc_test…${run.repeat(4)}` } } } },
    getOrder: {
      path: `/v1/orders/${order}`,
      answers: { 200: { id: order, client_id: client, next_cursor: run.repeat(40), total: 1 } },
    },
    listDeliveries: {
      answers: {
        200: {
          items: [{ next_attempt_at: `2026-11-20T15:01:0${run}.${run}00+03:00`, status: null }],
          headers: { 'X-SVC-Signature': `sha256=${run.repeat(64)}` },
        },
      },
    },
  }
}

test('two runs have the same names', () => {
  assert.deepEqual(withLastingNames(gathered('1'), moment), withLastingNames(gathered('2'), moment))
})

test('an object has one id in all examples, of its own', () => {
  const { getMe, getOrder } = withLastingNames(gathered('1'), moment)
  const { id, client_id: client } = getOrder.answers[200]
  assert.equal(getOrder.path, `/v1/orders/${id}`)
  assert.equal(client, getMe.answers[200].id)
  assert.notEqual(id, client)
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a new example leaves the others as they are', () => {
  const first = {
    getCell: { answers: { 200: { id: `${'3'.repeat(8)}-0000-7000-8000-000000000000` } } },
  }
  const { getCell: _, ...others } = withLastingNames({ ...first, ...gathered('1') }, moment)
  assert.deepEqual(others, withLastingNames(gathered('2'), moment))
})
