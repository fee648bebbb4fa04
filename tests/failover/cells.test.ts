import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { sellersPassword } from '../support/account.ts'
import { hasProxy, startCellsProxy } from '../support/proxies.ts'
import { openReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'

/** Two complete installations behind one address of the haproxy that deploy/cells configures. */

const skip = !hasProxy('haproxy') && 'Debian’s haproxy is not installed'

const hosts = { a: 'a.sklad.example.ru', b: 'b.sklad.example.ru' } as const
type Mark = keyof typeof hosts

const startCell = (cell: Mark) =>
  startService(
    {
      CELL: cell,
      BASE_URL: `http://${hosts[cell]}`,
      TRUST_PROXY: '127.0.0.1',
      RATE_LIMIT_BURST: '1000000',
      SANDBOX_KEY_BURST: '1000000',
      WEBHOOK_PRIVATE_TARGETS: 'sandbox',
    },
    'all',
  )
const cells = { a: await startCell('a'), b: await startCell('b') }

/** A key that a cell issued before it had a mark. */
async function oldKey(cell: Mark) {
  const { db } = cells[cell]
  const issued = await perform(db, systemClock, { kind: 'service' }, async (work) => {
    const client = await createClient(work, { mode: 'live', name: 'Давний клиент' })
    return issueApiKey(work, client, { name: 'Давний', receiptsEnabled: false })
  })
  return issued.key
}
const old = { a: await oldKey('a'), b: await oldKey('b'), mapped: await oldKey('b') }
const lineOf = (key: string) => `${createHash('sha256').update(key).digest('hex')} cell-b\n`
const portOf = (cell: Mark) => Number(new URL(cells[cell].baseUrl).port)
const address = skip
  ? cells.a.baseUrl
  : (await startCellsProxy({ a: portOf('a'), b: portOf('b') }, lineOf(old.mapped))).address

interface Given {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A call to the common address, or by a `Host` to the address of a cell. */
async function call(path: string, { method, body, headers = {} }: Given = {}) {
  const request = httpRequest(`${address}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    // fetch would not send another Host.
    headers: { 'Content-Type': 'application/json', ...headers },
  })
  request.end(body === undefined ? undefined : JSON.stringify(body))
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const given = await text(answer)
  const cookies = (answer.headers['set-cookie'] ?? []).map((each) => each.split(';')[0])
  return {
    status: answer.statusCode ?? 0,
    body: given.startsWith('{') ? JSON.parse(given) : undefined,
    cookie: cookies.join('; '),
  }
}

const markOf = (key: string) => (key.length === 'svc_live_'.length + 50 ? key[9] : undefined)
const withKey = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })
const clientsIn = async (cell: Mark) => {
  const rows = await cells[cell].db<{ id: string }[]>`select id from clients`
  return new Set(rows.map(({ id }) => id))
}

/** Sandbox keys of both cells, from the common address, which deals them out. */
async function sandboxKeys(): Promise<Record<Mark, string>> {
  const keys: Partial<Record<Mark, string>> = {}
  for (let asked = 0; asked < 200 && !(keys.a && keys.b); asked += 1) {
    const { status, body } = await call('/v1/sandbox/keys', { method: 'POST' })
    assert.equal(status, 201)
    keys[markOf(body.key) as Mark] = body.key
  }
  assert.ok(keys.a && keys.b, 'one cell got no sandbox of two hundred')
  return { a: keys.a, b: keys.b }
}

/** A live client of a cell with a key that the cell's staff issued. */
async function addClient(cell: Mark, name: string) {
  const manager = await staffClient(cells[cell], 'administrator')
  const { id } = (await manager.post('/clients', { name })).body as { id: string }
  await manager.post(`/clients/${id}/cabinets`, { marketplace: 'WB', name })
  const issued = await manager.post(`/clients/${id}/keys`, { name: '1С', receipts_enabled: true })
  return { id, key: String((issued.body as { key: string }).key), manager }
}

// Guarantee (keys): A key, a token or a cookie leads from the common address to the cell that issued it.
test('keys of both cells work at one address, and each cell has its own receipts alone', {
  skip,
}, async () => {
  for (const cell of ['a', 'b'] as const) {
    const { id, key } = await addClient(cell, `Клиент ${cell}`)
    assert.equal(markOf(key), cell)
    const items = [{ barcode: '2000000010014', name: 'Плед', qty: 1, honest_mark: false }]
    const sent = { body: { external_ref: 'PO-1', items } }
    const created = await call('/v1/receipts', { ...sent, headers: { 'X-Api-Key': key } })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const [row] = await cells[cell].db<{ client_id: string }[]>`
      select client_id from receipts where id = ${created.body.id}`
    assert.equal(row?.client_id, id)
    for (const headers of [withKey(key).headers, { Authorization: `bearer  ${key} ` }]) {
      assert.equal((await call('/v1/receipts', { headers })).body.total, 1)
    }
    // Authorization goes before X-Api-Key, as in the service.
    const both = { ...withKey(key).headers, 'X-Api-Key': 'svc_live_x' }
    assert.equal((await call('/v1/receipts', { headers: both })).status, 200)
    const other = cell === 'a' ? 'b' : 'a'
    assert.equal((await call('/v1/me', { headers: { ...both, Host: hosts[other] } })).status, 200)
    const elsewhere = await fetch(`${cells[other].baseUrl}/v1/me`, withKey(key))
    assert.equal(elsewhere.status, 401)
  }
})

test('a key from before cells leads to the first one, to its own at the host of that, and anywhere by a map', {
  skip,
}, async () => {
  assert.deepEqual([old.a, old.b, old.mapped].map(markOf), [undefined, undefined, undefined])
  const me = async (key: string, headers = {}) =>
    (await call('/v1/me', { headers: { ...withKey(key).headers, ...headers } })).status
  assert.equal(await me(old.a), 200)
  assert.equal(await me(old.b), 401)
  assert.equal(await me(old.b, { Host: hosts.b }), 200)
  assert.equal(await me(old.mapped), 200)
  assert.equal(await me(old.mapped, { Host: hosts.a }), 200)
})

test('sandboxes are made in both cells, and each sends the events of its own', {
  skip,
}, async () => {
  const keys = await sandboxKeys()
  for (const cell of ['a', 'b'] as const) {
    const receiver = await openReceiver()
    const headers = withKey(keys[cell]).headers
    const body = { url: receiver.url, events: ['receipt.completed'] }
    assert.equal((await call('/v1/webhooks', { body, headers })).status, 201)
    const path = '/v1/sandbox/triggers/receipt_completed'
    assert.ok((await call(path, { method: 'POST', headers })).status < 300)
    await receiver.until((requests) => requests.length > 1)
    const [ping, event] = receiver.requests
    assert.equal(ping?.event.type, 'webhook.ping')
    const data = event?.event.data as { id: string } | undefined
    assert.equal((await call(`/v1/receipts/${data?.id}`, { headers })).status, 200)
  }
})

test('a test key opens its sandbox in the account at the common address', { skip }, async () => {
  const keys = await sandboxKeys()
  for (const cell of ['a', 'b'] as const) {
    const opened = await call('/account/v1/session/key', { body: { key: keys[cell] } })
    assert.equal(opened.status, 200)
    assert.match(opened.cookie, new RegExp(`^sklad_account=${cell}\\.[\\w-]{43}$`))
    const shown = await call('/account/v1/session', { headers: { Cookie: opened.cookie } })
    assert.equal(shown.body?.client.id, opened.body.client.id)
    assert.ok((await clientsIn(cell)).has(opened.body.client.id))
  }
})

test('people sign in at the host of their cell, and are known at the common address then', {
  skip,
}, async () => {
  for (const cell of ['a', 'b'] as const) {
    const { id, manager } = await addClient(cell, 'Клиент с людьми')
    const invited = await manager.post(`/clients/${id}/users`, { role: 'owner', note: 'Анна' })
    const link = String((invited.body as { link: string }).link)
    assert.ok(link.startsWith(`http://${hosts[cell]}/`), link)
    const login = `anna-${cell}`
    const body = {
      token: link.split('#').at(-1)?.split('/').at(-1),
      login,
      password: sellersPassword,
    }
    const Host = hosts[cell]
    const joined = await call('/account/v1/invitations/accept', { body, headers: { Host } })
    assert.ok(joined.status < 300, JSON.stringify(joined.body))
    const signIn = { login, password: sellersPassword }
    const seller = await call('/account/v1/session', { body: signIn, headers: { Host } })
    assert.equal(seller.status, 200)
    const seen = await call('/account/v1/session', { headers: { Cookie: seller.cookie } })
    assert.equal(seen.body?.client.id, id)
    const asks = { name: 'Бот', purpose: 'Остатки', receipts_enabled: false }
    const headers = { Cookie: seller.cookie }
    const asked = await call('/account/v1/key-requests', { body: asks, headers })
    const path = `/key-requests/${asked.body.id}`
    assert.equal((await manager.post(`/clients/${id}${path}/accept`)).status, 200)
    const password = { body: { password: sellersPassword }, headers }
    const revealed = await call(`/account/v1${path}/reveal`, password)
    assert.equal(markOf(revealed.body.key), cell)
    assert.equal((await call('/v1/me', withKey(revealed.body.key))).body?.client.id, id)
    // Before cells cookies had no mark.
    const bare = seller.cookie.replaceAll(`=${cell}.`, '=')
    const before = await call('/account/v1/session', { headers: { Cookie: bare, Host } })
    assert.equal(before.body?.client.id, id)
  }
})

test('staff work with marked tokens and sessions', { skip }, async () => {
  for (const cell of ['a', 'b'] as const) {
    const { manager } = await addClient(cell, 'Клиент смены')
    const made = await manager.post('/users', {
      ...{ login: `boss-${cell}`, role: 'manager', password: sellersPassword },
    })
    const { id } = made.body as { id: string }
    const issued = await manager.post(`/users/${id}/tokens`, { name: 'Скрипт' })
    const token = String((issued.body as { token: string }).token)
    assert.match(token, new RegExp(`^svc_staff_${cell}[0-9A-Za-z]{49}$`))
    assert.equal((await call('/staff/v1/session', withKey(token))).body?.id, id)
    const body = { login: `boss-${cell}`, password: sellersPassword }
    const signedIn = await call('/staff/v1/session', { body, headers: { Host: hosts[cell] } })
    assert.match(signedIn.cookie, new RegExp(`sklad_session=${cell}\\.`))
    const who = await call('/staff/v1/session', { headers: { Cookie: signedIn.cookie } })
    assert.equal(who.body?.id, id)
  }
})

// Guarantee (server): A cell that is away takes no other cell along.
test('a cell that is away keeps nobody of the other one waiting', { skip }, async () => {
  const keys = { a: (await addClient('a', 'Этот')).key, b: (await addClient('b', 'Тот')).key }
  await cells.b.stop()
  assert.equal((await call('/v1/me', withKey(keys.b))).status, 503)
  for (let count = 0; count < 20; count += 1) {
    assert.equal((await call('/v1/me', withKey(keys.a))).status, 200)
  }
})
