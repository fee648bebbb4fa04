import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { eventually } from '../support/faults.ts'
import { addLiveClient, startService } from '../support/service.ts'

const service = await startService()
const { db } = service
const { writing } = await addLiveClient(service)

/** Sends a request and resets the connection without waiting for the answer. */
function hangUp(ref: string): Promise<void> {
  const { hostname, port } = new URL(service.baseUrl)
  const body = JSON.stringify({
    external_ref: ref,
    items: [{ barcode: '1', name: 'Плед', qty: 1, honest_mark: false }],
  })
  const head = [
    'POST /v1/receipts HTTP/1.1',
    `Host: ${hostname}`,
    `X-Api-Key: ${writing}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => {
        socket.resetAndDestroy()
        resolve()
      })
    })
  })
}

async function count(what: 'receipt_journal' | 'call_journal'): Promise<number> {
  const [row] = await db<[{ n: number }]>`select count(*)::int as n from ${db(what)}`
  return row.n
}

// Guarantee (journal): A call whose caller hung up is in the journal of calls.
test("a call whose caller hung up is in the journal with the caller's address", async () => {
  for (let n = 0; n < 20; n++) await hangUp(`R${n}`)
  const done = await fetch(`${service.baseUrl}/v1/me`, { headers: { 'X-Api-Key': writing } })
  assert.equal(done.status, 200)
  await eventually('21 calls are journalled', async () => (await count('call_journal')) >= 21)
  const places = await db`select distinct ip from call_journal`
  assert.deepEqual(
    places.map((row) => row.ip),
    ['127.0.0.1'],
  )
})
