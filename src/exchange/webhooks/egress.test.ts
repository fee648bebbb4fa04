import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { type EgressOptions, makeEgress } from './egress.ts'
import { type Attempt, send } from './send.ts'

type Mode = 'live' | 'test'
type Answer = (socket: Socket, before: number) => void

const REFUSED = /^(?:Адрес не разрешён|У имени сервера нет адреса в интернете)/

/** A receiver on loopback: its connections, and how many requests have come over each. */
async function receiver(t: TestContext, onRequest?: Answer, headers = {}) {
  const connections = new Map<Socket, number>()
  const server = createServer((request, response) => {
    const { socket } = request
    const before = connections.get(socket) ?? 0
    connections.set(socket, before + 1)
    onRequest?.(socket, before)
    request.resume().on('end', () => response.writeHead(200, headers).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections }
}

function sender(t: TestContext, options: EgressOptions) {
  const egress = makeEgress({ timeoutMs: 2_000, ...options })
  t.after(() => egress.close())
  const body = Buffer.from('{}')
  return (url: string, mode: Mode = 'test') =>
    send(egress.destination(url, mode), { headers: {}, body })
}

const refused = (attempt: Attempt) => attempt.statusCode === 0 && REFUSED.test(attempt.error ?? '')

test('which DNS answers are connected to, by mode and policy', async (t) => {
  const answers = {
    loopback: ['127.0.0.1'],
    both: ['127.0.0.1', '127.0.0.2', '::1'],
    private: ['10.0.0.1'],
    metadata: ['169.254.169.254'],
    mapped: ['::ffff:127.0.0.1'],
    'loopback and private': ['127.0.0.1', '192.168.0.1'],
    'public and private': ['2d00::1', '10.0.0.1'],
    'public and mapped': ['2d00::1', '::ffff:10.0.0.1'],
    unspecified: ['0.0.0.0'],
    'no address': ['localhost'],
  }
  const { port, connections } = await receiver(t)
  for (const [name, addresses] of Object.entries(answers)) {
    const lookup = async () => addresses
    for (const privateTargets of ['deny', 'sandbox'] as const) {
      const post = sender(t, { privateTargets, lookup })
      const live = await post(`https://hooks.example.com:${port}/`, 'live')
      assert.ok(refused(live), `${name}, ${privateTargets}, live: ${live.error}`)
      const attempt = await post(`http://hooks.example.com:${port}/`)
      const open = privateTargets === 'sandbox' && (name === 'loopback' || name === 'both')
      assert.equal(refused(attempt), !open, `${name}, ${privateTargets}: ${attempt.error}`)
      assert.equal(attempt.ok, open)
    }
  }
  assert.equal(connections.size, 2)
  const allow = sender(t, { privateTargets: 'allow', lookup: async () => answers.loopback })
  assert.ok((await allow(`http://db:${port}/`)).ok)
})

test('a name of the inner network is refused like a name that does not exist', async (t) => {
  const unknown = () => Promise.reject(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }))
  const lookups = [unknown, async () => [], async () => ['10.0.0.1'], async () => ['127.0.0.1']]
  for (const mode of ['live', 'test'] as const) {
    const errors = new Set<string | null>()
    for (const lookup of lookups) {
      const post = sender(t, { privateTargets: 'deny', lookup })
      errors.add((await post('https://db.example.com/', mode)).error)
    }
    assert.deepEqual([...errors].length, 1, [...errors].join('; '))
  }
})

test('DNS that answers a public address first and loopback later is not followed', async (t) => {
  const { port, connections } = await receiver(t)
  let lookups = 0
  const lookup = async () => (lookups++ === 0 ? ['2d00::1'] : ['127.0.0.1'])
  const post = sender(t, { privateTargets: 'deny', lookup, timeoutMs: 200 })
  const first = await post(`http://hooks.example.com:${port}/`)
  assert.equal(first.statusCode, 0)
  assert.equal(refused(first), false)
  assert.equal(lookups, 1, 'the checked answer is the one that is connected to')
  assert.ok(refused(await post(`http://hooks.example.com:${port}/`)))
  assert.equal(connections.size, 0)
})

// Guarantee (webhooks): Nothing is sent to an address that was not checked.
test('only the checked address is connected to', async (t) => {
  const { port, connections } = await receiver(t)
  let lookups = 0
  const lookup = async () => (lookups++ === 0 ? ['127.0.0.1'] : ['10.0.0.1'])
  const post = sender(t, { privateTargets: 'sandbox', lookup })
  assert.ok((await post(`http://hooks.example.com:${port}/`)).ok)
  assert.equal(lookups, 1)
  assert.equal(connections.size, 1)
})

test('when one address of an answer refuses, the next one is tried', async (t) => {
  const { port } = await receiver(t)
  const lookup = async () => ['::1', '127.0.0.3', '127.0.0.1']
  const post = sender(t, { privateTargets: 'sandbox', lookup })
  assert.ok((await post(`http://hooks.example.com:${port}/`)).ok)
})

test('literal addresses and localhost are not looked up', async (t) => {
  const { port } = await receiver(t)
  const lookup = () => Promise.reject(new Error('looked up'))
  const post = sender(t, { privateTargets: 'sandbox', lookup })
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', 'localhost', 'a.localhost.']) {
    assert.ok((await post(`http://${host}:${port}/`)).ok, host)
  }
})

test('a stored URL is checked again at every attempt', async (t) => {
  const { port, connections } = await receiver(t)
  const post = sender(t, { privateTargets: 'deny' })
  for (const url of [`http://127.0.0.1:${port}/`, `https://localhost:${port}/`]) {
    assert.ok(refused(await post(url)))
  }
  assert.equal(connections.size, 0)
})

test('a connection is used again for its origin', async (t) => {
  const { port, connections } = await receiver(t)
  const post = sender(t, { privateTargets: 'sandbox' })
  for (let turn = 0; turn < 5; turn++) assert.ok((await post(`http://127.0.0.1:${port}/`)).ok)
  assert.deepEqual([...connections.values()], [5])
  assert.ok((await post(`http://localhost:${port}/`)).ok)
  assert.deepEqual([...connections.values()], [5, 1])
})

test('a connection of a test key is never used for a live key', async (t) => {
  const { port, connections } = await receiver(t)
  const egress = makeEgress({ privateTargets: 'allow' })
  t.after(() => egress.close())
  const url = `http://127.0.0.1:${port}/`
  const destination = egress.destination(url, 'test')
  assert.ok((await send(destination, { headers: {}, body: Buffer.from('{}') })).ok)
  const kept = destination.take()
  kept.giveBack()
  assert.notEqual(egress.destination(url, 'live').take(), kept)
  assert.equal(destination.take(), kept)
  assert.notEqual(destination.take(), kept)
  assert.equal(connections.size, 1)
})

test('an expired connection is replaced, and the addresses are checked again', async (t) => {
  const { port, connections } = await receiver(t)
  let lookups = 0
  const lookup = async () => (lookups++ < 2 ? ['127.0.0.1'] : ['10.0.0.1'])
  const post = sender(t, { privateTargets: 'sandbox', lookup, maxAgeMs: 0 })
  assert.ok((await post(`http://hooks.example.com:${port}/`)).ok)
  assert.ok((await post(`http://hooks.example.com:${port}/`)).ok)
  assert.ok(refused(await post(`http://hooks.example.com:${port}/`)))
  assert.deepEqual([...connections.values()], [1, 1])
})

// Guarantee (webhooks): An attempt is exactly one HTTP request.
test('a request that is cut off is not repeated, on a new connection or a kept one', async (t) => {
  const { port, connections } = await receiver(t, (socket, before) => {
    if (before === 1) socket.resetAndDestroy()
  })
  const post = sender(t, { privateTargets: 'sandbox' })
  const good: boolean[] = []
  for (let turn = 0; turn < 3; turn++) good.push((await post(`http://127.0.0.1:${port}/`)).ok)
  assert.deepEqual(good, [true, false, true])
  assert.deepEqual([...connections.values()], [2, 1])
})

test('a connection is used again only if the receiver says that it keeps it', async (t) => {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
  let connections = 0
  const server = createTcpServer((socket) => {
    connections += 1
    // Closes after each answer without announcing it.
    socket.on('error', () => {}).on('data', () => socket.end(answer))
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const post = sender(t, { privateTargets: 'sandbox' })
  for (let turn = 0; turn < 5; turn++) assert.ok((await post(`http://127.0.0.1:${port}/`)).ok)
  assert.equal(connections, 5)
})

test('a connection that its receiver closes is not kept, and never reconnects', async (t) => {
  const { port, connections } = await receiver(t, undefined, { Connection: 'close' })
  const egress = makeEgress({ privateTargets: 'sandbox' })
  t.after(() => egress.close())
  const destination = egress.destination(`http://127.0.0.1:${port}/`, 'test')
  assert.ok((await send(destination, { headers: {}, body: Buffer.from('{}') })).ok)
  const { client } = destination.take()
  const gone = once(client, 'disconnect')
  const answer = await client.request({ path: '/', method: 'POST' })
  await answer.body.dump()
  await gone
  await assert.rejects(client.request({ path: '/', method: 'POST' }), { code: 'ECONNRESET' })
  assert.deepEqual([...connections.values()], [1, 1])
})

test('closing ends idle connections, and keeps none afterwards', async (t) => {
  const { port, connections } = await receiver(t)
  const egress = makeEgress({ privateTargets: 'sandbox' })
  const destination = egress.destination(`http://127.0.0.1:${port}/`, 'test')
  const post = () => send(destination, { headers: {}, body: Buffer.from('{}') })
  await post()
  const [socket] = connections.keys()
  assert.ok(socket)
  const closed = once(socket, 'close')
  await egress.close()
  await closed
  assert.ok((await post()).ok)
  assert.ok((await post()).ok)
  assert.equal(connections.size, 3)
})

test('many concurrent deliveries to one receiver', async (t) => {
  const { port, connections } = await receiver(t)
  const post = sender(t, { privateTargets: 'sandbox' })
  const workers = Array.from({ length: 20 }, async () => {
    for (let turn = 0; turn < 20; turn++) assert.ok((await post(`http://127.0.0.1:${port}/`)).ok)
  })
  await Promise.all(workers)
  assert.ok(connections.size <= 20, String(connections.size))
})
