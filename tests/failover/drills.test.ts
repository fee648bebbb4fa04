import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { openClient } from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import { startFakes } from '../support/marketplaces/fakes.ts'
import { addLiveClient, startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'

/** What an operator tries on a service that others use meanwhile. */

const sockets: Socket[] = []
after(() => {
  for (const socket of sockets) socket.destroy()
})

async function halfSent(baseUrl: string, start: string): Promise<void> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(start)
}

// Guarantee (server): Requests that never become whole hold no connection of the database.
test('three hundred half-sent requests keep nobody else waiting', async () => {
  const service = await startService()
  const { writing, reading } = await addLiveClient(service)
  const head = `POST /v1/receipts HTTP/1.1\r\nHost: x\r\n`
  const half = `${head}Authorization: Bearer ${writing}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"items": [`
  for (let count = 0; count < 150; count += 1) {
    await halfSent(service.baseUrl, head)
    await halfSent(service.baseUrl, half)
  }
  const client = openClient(service.baseUrl, reading, false)
  for (let count = 0; count < 20; count += 1) assert.equal((await client.get('/v1/me')).status, 200)
  await eventually('no transaction waits for a body', async () => {
    const waiting = await service.db`
      select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
    return waiting.length === 0
  })
})

// Guarantee (limits): A key that floods the service is refused above its limit, and no other key is.
test('a seller at a hundred requests a second is refused, and others are answered', async () => {
  const service = await startService({ RATE_LIMIT_BURST: '20', RATE_LIMIT_PER_MINUTE: '60' })
  const [loud, quiet] = [await addLiveClient(service), await addLiveClient(service)]
  const flood = openClient(service.baseUrl, loud.reading, false)
  const answers = new Map<number, number>()
  const call = async () => {
    const { status } = await flood.get('/v1/stock?limit=100')
    answers.set(status, (answers.get(status) ?? 0) + 1)
  }
  const calls: Promise<void>[] = []
  const other = openClient(service.baseUrl, quiet.reading, false)
  for (let turn = 0; turn < 10; turn += 1) {
    for (let count = 0; count < 50; count += 1) calls.push(call())
    assert.equal((await other.get('/v1/stock?limit=100')).status, 200)
  }
  await Promise.all(calls)
  assert.deepEqual([...answers.keys()].sort(), [200, 429])
  assert.ok((answers.get(429) ?? 0) > 400, `${answers.get(429)} refused`)
})

/** How a marketplace that is away answers. */
const ways: Readonly<
  Record<string, (request: IncomingMessage, answer: ServerResponse) => unknown>
> = {
  resets: (request) => request.socket.resetAndDestroy(),
  'shows a page of its own': (_, answer) =>
    answer.setHeader('Content-Type', 'text/html').end('<html>Технические работы</html>'),
  'begins answers that never end': (_, answer) => answer.write('{'),
  'never answers': () => {},
}

// Guarantee (sync): While one marketplace is away, orders of the other go on coming in.
test('one marketplace is away, and the other is synced', async (t) => {
  const fakes = await startFakes()
  let away = ways.resets
  const gate = createServer((request, answer) => away?.(request, answer)).listen(0, '127.0.0.1')
  await once(gate, 'listening')
  t.after(() => gate.close().closeAllConnections())
  const { port } = gate.address() as AddressInfo
  const address = `http://127.0.0.1:${port}`
  const settings = { ...fakes.settings, SYNC_INTERVAL: '1s', WB_BASE_URL: address }
  const service = await startService(settings, 'all')
  const barcode = '4600000000017'
  const floor = await openFloor(service, { [barcode]: 5 })
  const path = `/clients/${floor.client}/cabinets`
  const shipments = 'ours'
  const wb = fakes.wb.account()
  const ozon = fakes.ozon.account()
  const { credentials: token } = wb
  good(
    await floor.manager.post(path, {
      marketplace: 'WB',
      name: 'WB',
      credentials: token,
      shipments,
    }),
    201,
  )
  const { itemId, article } = fakes.ozon.addCard(ozon, { barcodes: [barcode] })
  const { credentials } = ozon
  const cabinet = good<{ id: string }>(
    await floor.manager.post(path, { marketplace: 'OZON', name: 'OZON', credentials, shipments }),
    201,
  )
  const choice = { warehouses: [fakes.ozon.ownWarehouse] }
  good(await floor.manager.patch(`/cabinets/${cabinet.id}`, choice))
  const line = { itemId, article, barcode, quantity: 1 }
  const orders = async () =>
    (await service.db`select from orders where client_id = ${floor.client}`).length
  for (const [at, [name, way]] of Object.entries(ways).entries()) {
    away = way
    fakes.ozon.addOrder(ozon, { lines: [line] })
    await eventually(`the order is taken in while it ${name}`, async () => (await orders()) > at)
  }
  const [{ failing }] = await service.db<[{ failing: number }]>`
    select count(*) as failing from cabinet_syncs s join cabinets c on c.id = s.cabinet_id
    where c.client_id = ${floor.client} and c.marketplace = 'WB' and s.failures > 0`
  assert.equal(failing, 1)
})
