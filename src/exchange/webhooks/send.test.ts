import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import test, { type TestContext } from 'node:test'
import { type EgressOptions, makeEgress } from './egress.ts'
import { send } from './send.ts'

const body = Buffer.from('{"id":"ж"}')
const headers = { 'Content-Type': 'application/json', 'X-SVC-Event': 'webhook.ping' }

async function listen(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Sends to a port of this machine, for a test key. */
function sender(t: TestContext, options: Partial<EgressOptions> = {}) {
  const egress = makeEgress({ privateTargets: 'sandbox', ...options })
  t.after(() => egress.close())
  return (url: string | number) => {
    const address = typeof url === 'number' ? `http://127.0.0.1:${url}/hook?a=1` : url
    return send(egress.destination(address, 'test'), { headers, body })
  }
}

/** A receiver that writes its answers byte by byte. */
function rawServer(t: TestContext, onRequest: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.once('data', () => onRequest(socket))
  })
  return listen(t, server)
}

const httpServer = (t: TestContext, listener: RequestListener) =>
  listen(t, createHttpServer(listener))

test('a delivery is a POST of the given bytes and headers', async (t) => {
  const seen: unknown[] = []
  const port = await httpServer(t, async (request, response) => {
    const { method, url, headers } = request
    seen.push(method, url, headers.host, headers['x-svc-event'], headers['content-type'])
    seen.push(headers['content-length'], await buffer(request))
    response.writeHead(204).end()
  })
  const attempt = await sender(t)(port)
  assert.deepEqual(
    { ...attempt, durationMs: 0 },
    { ok: true, statusCode: 204, error: null, durationMs: 0 },
  )
  assert.ok(Number.isInteger(attempt.durationMs) && attempt.durationMs >= 0)
  const [event, type] = ['webhook.ping', 'application/json']
  assert.deepEqual(seen, ['POST', '/hook?a=1', `127.0.0.1:${port}`, event, type, '11', body])
})

test('every status but 2xx is a failure whose text says what to do', async (t) => {
  const port = await httpServer(t, (request, response) => {
    const status = Number(request.headers['user-agent'])
    response.writeHead(status, { Location: `http://127.0.0.1:${port}/other` }).end('secret')
    assert.equal(request.url, '/')
  })
  const egress = makeEgress({ privateTargets: 'sandbox' })
  t.after(() => egress.close())
  const texts: Record<number, RegExp | null> = {
    ...{ 200: null, 201: null, 202: null, 204: null, 299: null },
    ...{ 301: /^Адрес ответил кодом 301: перенаправления/, 302: /перенаправления/ },
    ...{ 303: /перенаправления/, 304: /перенаправления/, 307: /перенаправления/, 308: /308/ },
    ...{
      400: /запрос не принят/,
      401: /нет секрета.*секрет чужой.*разобрано до проверки/,
      403: /секрет/,
      404: /проверьте путь/,
    },
    ...{ 410: /проверьте путь/, 429: /не принят/, 500: /на стороне получателя/, 503: /503/ },
    999: /кодом 999, нужен код 2xx$/,
  }
  for (const [status, text] of Object.entries(texts)) {
    const destination = egress.destination(`http://127.0.0.1:${port}/`, 'test')
    const attempt = await send(destination, { headers: { 'User-Agent': status }, body })
    assert.equal(attempt.statusCode, Number(status))
    assert.equal(attempt.ok, text === null)
    if (text === null) assert.equal(attempt.error, null)
    else assert.match(attempt.error ?? '', text)
    assert.doesNotMatch(attempt.error ?? '', /secret|other/)
  }
})

test('headers that do not end in time are a failure, in whatever way they are delayed', async (t) => {
  const dripping = (socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX: ')
    const timer = setInterval(() => socket.write('x'), 5)
    socket.on('close', () => clearInterval(timer))
  }
  const informing = (socket: Socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5)
    socket.on('close', () => clearInterval(timer))
  }
  for (const receiver of [() => {}, dripping, informing]) {
    const post = sender(t, { timeoutMs: 100 })
    const attempt = await post(await rawServer(t, receiver))
    assert.equal(attempt.statusCode, 0)
    assert.match(attempt.error ?? '', /^Адрес не ответил за 0,1 с:/)
    assert.ok(attempt.durationMs >= 99, String(attempt.durationMs))
  }
})

test('the deadline ends a look-up or a handshake that never ends', async (t) => {
  const lookup = () => new Promise<never>(() => {})
  const silent = await listen(
    t,
    createServer().on('connection', (socket) => socket.resume()),
  )
  const options = { timeoutMs: 50, lookup }
  for (const url of ['https://hooks.example.com', `https://127.0.0.1:${silent}`]) {
    const attempt = await sender(t, options)(url)
    assert.equal(attempt.statusCode, 0)
    assert.match(attempt.error ?? '', /^Не удалось соединиться за 0,05 с:/)
  }
})

test('after the headers, the body does not change the outcome', { timeout: 10_000 }, async (t) => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  const bodies: Record<string, (socket: Socket) => void> = {
    hanging: (socket) => socket.write(head),
    endless: (socket) => {
      socket.write(head)
      const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
      const pour = () => {
        while (socket.writable && socket.write(chunk));
      }
      socket.on('drain', pour)
      pour()
    },
    reset: (socket) => socket.write(`${head}1\r\nx`, () => socket.resetAndDestroy()),
    malformed: (socket) => socket.end(`${head}zz\r\n`),
    cut: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx'),
  }
  for (const [name, answer] of Object.entries(bodies)) {
    const closed = Promise.withResolvers<void>()
    const port = await rawServer(t, (socket) => {
      socket.on('close', () => closed.resolve())
      answer(socket)
    })
    const attempt = await sender(t, { timeoutMs: 200 })(port)
    assert.deepEqual([attempt.statusCode, attempt.error], [200, null], name)
    await closed.promise
  }
})

test('a body of 16 KiB is read to its end, a longer one ends the connection', async (t) => {
  for (const [length, connections] of [
    [16_384, 1],
    [16_385, 2],
  ] as const) {
    const seen = new Set<Socket>()
    const port = await httpServer(t, (request, response) => {
      seen.add(request.socket)
      response.end('x'.repeat(length))
    })
    const post = sender(t)
    await post(port)
    await post(port)
    assert.equal(seen.size, connections)
  }
})

test('interim answers that nobody asked for are ignored, in whatever pieces they come', async (t) => {
  const final =
    'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 21\r\n\r\nHTTP/1.1 100 Continue'
  const interim = [
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 100 Continue\r\nX: 1\r\n\r\nHTTP/1.1 100\r\n\r\n',
    '\r\nHTTP/1.1 100 Continue\r\n\r\n\r\n',
    'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\nDate: x\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\nHTTP/1.1 199 X\r\n\r\n',
  ]
  for (const before of interim) {
    const seen = new Set<Socket>()
    const server = createServer((socket) => {
      seen.add(socket.setNoDelay())
      socket.on('data', async (data) => {
        if (!data.toString().includes(body.toString())) return
        for (const piece of (before + final).match(/.{1,7}/gs) ?? []) {
          await new Promise((resolve) => socket.write(piece, resolve))
        }
      })
    })
    const post = sender(t)
    const port = await listen(t, server)
    for (const _ of [1, 2, 3]) {
      const attempt = await post(port)
      assert.deepEqual([attempt.ok, attempt.statusCode, attempt.error], [true, 200, null], before)
    }
    assert.equal(seen.size, 1, 'the connection is kept')
  }
})

/** Status lines and headers of answers that no client may read. */
const malformed = [
  '200 OK\r\nContent-Length: 2\r\nContent-Length: 2',
  '200 OK\r\nContent-Length: 2\r\nContent-Length: 3',
  '200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked',
  '200 OK\r\nContent-Length: 99999999999999999999999',
  '200 OK\r\nX Y: 1',
  '101 Switching Protocols',
]

test('answers that are not HTTP, or end early', async (t) => {
  const answers: readonly (readonly [(socket: Socket) => void, RegExp])[] = [
    [(socket) => socket.resetAndDestroy(), /^Соединение закрыто без ответа/],
    [(socket) => socket.end(), /^Соединение закрыто без ответа/],
    [(socket) => socket.end('HTTP/1.1 200 OK\r\nX'), /^Соединение закрыто без ответа/],
    [(socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), /не соответствует протоколу/],
    [(socket) => socket.end('HTTP/1.1 2x0 OK\r\n\r\n'), /не соответствует протоколу/],
    [(socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'), /^Соединение закрыто без ответа/],
    ...malformed.map((head): readonly [(socket: Socket) => void, RegExp] => [
      (socket) => socket.end(`HTTP/1.1 ${head}\r\n\r\nok`),
      /^Запрос отправлен, но ответ не соответствует протоколу HTTP\/1\.1: .*Content-Length/,
    ]),
    [
      (socket) => socket.end('HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      /не соответствует протоколу/,
    ],
    [
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
      /^Заголовки ответа больше 16 КБ$/,
    ],
    [
      (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'X: xxxxxxxx\r\n'.repeat(9_000)}\r\n`),
      /^Заголовки ответа больше 16 КБ$/,
    ],
  ]
  for (const [answer, text] of answers) {
    let requests = 0
    const port = await rawServer(t, (socket) => {
      requests += 1
      answer(socket)
    })
    const attempt = await sender(t)(port)
    assert.equal(attempt.statusCode, 0)
    assert.match(attempt.error ?? '', text)
    assert.equal(requests, 1, 'the request is not repeated')
  }
})

test('a closed port is refused', async (t) => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  for (const host of ['127.0.0.1', 'localhost']) {
    const attempt = await sender(t)(`http://${host}:${port}/`)
    assert.equal(attempt.statusCode, 0)
    assert.match(attempt.error ?? '', /^В соединении отказано/)
  }
})

test('each failure of DNS has its text', async (t) => {
  const texts = {
    ENOTFOUND: /^У имени сервера нет адреса в интернете/,
    ENODATA: /^У имени сервера нет адреса в интернете/,
    ESERVFAIL: /^DNS не ответил/,
    ETIMEOUT: /^DNS не ответил/,
    ECONNREFUSED: /^DNS не ответил/,
  }
  for (const [code, text] of Object.entries(texts)) {
    const lookup = () => Promise.reject(Object.assign(new Error(code), { code }))
    const attempt = await sender(t, { lookup })('https://hooks.example.com/')
    assert.equal(attempt.statusCode, 0)
    assert.match(attempt.error ?? '', text)
  }
  const none = await sender(t, { lookup: async () => [] })('https://hooks.example.com/')
  assert.match(none.error ?? '', /^У имени сервера нет адреса в интернете/)
})

const key = pem('PRIVATE KEY', [
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHKBaF4lA+ue7LwJr',
  'Efoh1/SX22KYX2uuDLoRxGn8SduhRANCAAQGXygPNq2G0O1UjSkqWrfGyTcrnXH9',
  '+c7XjROK7xrMkm6/p3bLRZMGHYoM9nUvKBDI7FlmMILhbKGZDWELo/Rd',
])

/** For hooks.example.com, from 2020 to 2120, signed by itself; made with openssl for this file. */
const certificate = pem('CERTIFICATE', [
  'MIIBgTCCASegAwIBAgIJAOlbvyLBBPbAMAoGCCqGSM49BAMCMBwxGjAYBgNVBAMM',
  'EWhvb2tzLmV4YW1wbGUuY29tMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAw',
  'MDAwWjAcMRowGAYDVQQDDBFob29rcy5leGFtcGxlLmNvbTBZMBMGByqGSM49AgEG',
  'CCqGSM49AwEHA0IABAZfKA82rYbQ7VSNKSpat8bJNyudcf35zteNE4rvGsySbr+n',
  'dstFkwYdigz2dS8oEMjsWWYwguFsoZkNYQuj9F2jUDBOMBwGA1UdEQQVMBOCEWhv',
  'b2tzLmV4YW1wbGUuY29tMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFLWuwE1L',
  'MAoeXbdveiFIeYPmk8jxMAoGCCqGSM49BAMCA0gAMEUCIQDNYHx79GiQk5/rYPDq',
  'UOI1j7qxWrvKKRVceAhL3I5EBQIgKt5DB7urAQsb3nR1i/fWrnkaurwfQHrB1Qqu',
  'SANVgTw=',
])

/** The same, valid for one day in 2020. */
const expired = pem('CERTIFICATE', [
  'MIIBfjCCASSgAwIBAgIIDyzIhgLJIXEwCgYIKoZIzj0EAwIwHDEaMBgGA1UEAwwR',
  'aG9va3MuZXhhbXBsZS5jb20wHhcNMjAwMTAxMDAwMDAwWhcNMjAwMTAyMDAwMDAw',
  'WjAcMRowGAYDVQQDDBFob29rcy5leGFtcGxlLmNvbTBZMBMGByqGSM49AgEGCCqG',
  'SM49AwEHA0IABAZfKA82rYbQ7VSNKSpat8bJNyudcf35zteNE4rvGsySbr+ndstF',
  'kwYdigz2dS8oEMjsWWYwguFsoZkNYQuj9F2jUDBOMBwGA1UdEQQVMBOCEWhvb2tz',
  'LmV4YW1wbGUuY29tMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFLWuwE1LMAoe',
  'XbdveiFIeYPmk8jxMAoGCCqGSM49BAMCA0gAMEUCIQCE3V6ZZDlaqPX/vsvbryrO',
  '3fXQlyz/MW76vbsm7IjCDwIgXCyJjID54NAEopEjvfuT8ba9dbyHhbU+UM7haRoE',
  'sZo=',
])

function pem(label: string, lines: readonly string[]): string {
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

test('TLS is verified for the name, whatever it resolves to', async (t) => {
  const servernames: unknown[] = []
  const listener: RequestListener = (request, response) => {
    servernames.push('servername' in request.socket && request.socket.servername)
    servernames.push(request.headers.host)
    response.end()
  }
  const port = await listen(t, createHttpsServer({ key, cert: certificate }, listener))
  const stale = await listen(t, createHttpsServer({ key, cert: expired }, listener))
  const lookup = async () => ['127.0.0.1']
  const trusting = sender(t, { lookup, tls: { ca: [certificate, expired] } })

  const good = await trusting(`https://hooks.example.com.:${port}/`)
  assert.deepEqual([good.statusCode, good.error], [200, null])
  assert.deepEqual(servernames, ['hooks.example.com', `hooks.example.com.:${port}`])

  const failures: readonly (readonly [ReturnType<typeof sender>, string, RegExp])[] = [
    [sender(t, { lookup }), `https://hooks.example.com:${port}/`, /нет доверия/],
    [trusting, `https://other.example.com:${port}/`, /на другое имя/],
    [trusting, `https://127.0.0.1:${port}/`, /на другое имя/],
    [trusting, `https://hooks.example.com:${stale}/`, /^Срок сертификата TLS истёк/],
  ]
  for (const [post, url, text] of failures) {
    const attempt = await post(url)
    assert.equal(attempt.statusCode, 0)
    assert.match(attempt.error ?? '', text)
  }
  assert.equal(servernames.length, 2, 'nothing is sent when TLS fails')
})

test('https to an http port, and http to an https port', async (t) => {
  const plain = await rawServer(t, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const attempt = await sender(t)(`https://127.0.0.1:${plain}/`)
  assert.match(attempt.error ?? '', /^Не удалось установить TLS/)
  const secure = await listen(t, createHttpsServer({ key, cert: certificate }))
  assert.equal((await sender(t)(secure)).statusCode, 0)
})

test('a request that can not be sent is a failure, and does not throw', async (t) => {
  const egress = makeEgress({ privateTargets: 'sandbox' })
  t.after(() => egress.close())
  const bad = { 'X-SVC-Event': 'a\r\nb: c' }
  const destination = egress.destination('http://127.0.0.1:1/', 'test')
  const attempt = await send(destination, { headers: bad, body })
  assert.equal(attempt.statusCode, 0)
  assert.equal(attempt.error, 'Не удалось отправить запрос')
  const nowhere = await send(egress.destination('no address', 'test'), { headers, body })
  assert.match(nowhere.error ?? '', /^Адрес не разрешён/)
})
