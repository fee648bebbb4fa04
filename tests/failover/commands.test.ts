import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { signatureOf } from '../../src/exchange/webhooks/signature.ts'
import { freePort } from '../support/free-port.ts'
import { startFakeWildberries } from '../support/marketplaces/wildberries.ts'
import { runCommand, type ServiceProcess, startProcess } from '../support/process.ts'
import { openReceiver } from '../support/receiver.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'commands-'))
const run = (...args: string[]) => runCommand(dataDir, args)

async function get(baseUrl: string, key: unknown) {
  const answer = await fetch(`${baseUrl}/v1/me`, { headers: { 'X-Api-Key': String(key) } })
  return (await answer.json()) as Record<string, { code?: string; name?: string; inn?: string }>
}

test('commands create a client while no service runs, and revoke a key while one runs', async () => {
  assert.deepEqual((await run('migrate')).answer, { migrated: true })
  const warehouse = await run('warehouse', 'add', '--code', 'MSK1', '--name', 'Москва')
  assert.equal(warehouse.code, 0)
  const client = await run('client', 'create', '--name', 'ООО «Ромашка»', '--inn', '7700000009')
  const id = String(client.answer.id)
  const cabinet = ['cabinet', 'add', '--client', id, '--name', 'WB', '--marketplace']
  assert.equal((await run(...cabinet, 'WB')).code, 0)
  const issue = ['key', 'issue', '--client', id, '--name', 'Учётная система']
  const key = await runCommand(dataDir, issue, { CELL: 'b' })
  assert.match(String(key.answer.key), /^svc_live_b[0-9A-Za-z]{49}$/)

  const service = await startProcess(dataDir)
  const me = await get(service.baseUrl, key.answer.key)
  assert.equal(me.client?.name, 'ООО «Ромашка»')
  assert.equal(me.client?.inn, '7700000009')
  assert.equal(me.warehouse?.code, 'MSK1')
  const other = await run(...issue, '--receipts')
  assert.equal((await get(service.baseUrl, other.answer.key)).key?.name, 'Учётная система')
  assert.deepEqual((await run('key', 'revoke', String(key.answer.id))).answer, {
    id: key.answer.id,
    revoked: true,
  })
  assert.equal((await get(service.baseUrl, key.answer.key)).error?.code, 'key_revoked')
  const file = join(dataDir, 'keys.map')
  const mapped = await run('key', 'map', '--backend', 'cell-b', '--file', file)
  assert.deepEqual(mapped.answer, { file, keys: 2 })
  const lines = [key, other].map(({ answer }) => {
    return `${createHash('sha256').update(String(answer.key)).digest('hex')} cell-b`
  })
  assert.deepEqual(readFileSync(file, 'utf8').trimEnd().split('\n'), lines.toSorted())
  const same = ['client', 'create', '--name', 'ООО «Ромашка»', '--inn', '7700000009']
  assert.match((await run(...same)).errors, /--allow-duplicate-inn/)
  assert.equal((await run(...same, '--allow-duplicate-inn')).code, 0)
  const audited = await run('audit')
  assert.deepEqual([audited.code, audited.answer.result], [0, 'no differences'])
  assert.equal((await service.end('SIGTERM')).code, 0)
})

test('a request id leads to the call, its error and what it changed', async () => {
  const service = await startProcess(dataDir)
  const key = await sandboxKey(service)
  const ask = async (path: string, options: RequestInit = {}) => {
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
    const answer = await fetch(`${service.baseUrl}${path}`, { headers, ...options })
    return String(answer.headers.get('X-Request-Id'))
  }
  const goods = { barcode: 'B-1', name: 'Товар', qty: 3, honest_mark: false }
  const me = await fetch(`${service.baseUrl}/v1/me`, { headers: { 'X-Api-Key': key } })
  const { cabinets } = (await me.json()) as { cabinets: { id: string }[] }
  const body = JSON.stringify({ cabinet_id: cabinets[0]?.id, items: [goods] })
  const ids = [
    await ask('/v1/orders/x'),
    await ask('/v1/receipts', { method: 'POST', body }),
    await ask('/v1/receipts', { method: 'POST', body: '{' }),
  ]
  assert.equal((await service.end('SIGTERM')).code, 0)
  const [missing, created, refused] = [
    // As a ticket may have it.
    await run('request', ` ${ids[0]?.toUpperCase()} `),
    await run('request', ids[1] ?? ''),
    await run('request', ids[2] ?? ''),
  ]
  assert.deepEqual(
    [missing.code, missing.answer.path, missing.answer.status, missing.answer.error_code],
    [0, '/v1/orders/x', 404, 'not_found'],
  )
  assert.equal(created.answer.status, 201, JSON.stringify(created.answer))
  assert.match(JSON.stringify(created.answer.receipts), /"outcome":"created"/)
  assert.match(JSON.stringify(refused.answer.refused), /"refused":"bad_request"/)
  const unknown = await run('request', '01a1fcc9-0000-7000-8000-000000000000')
  assert.deepEqual([unknown.code, unknown.answer.status], [1, undefined])
  assert.match((await run('request', 'x')).errors, /is not an id/)
})

test('the metrics tell when the last backup was made, and lines of the log which process wrote them', async () => {
  assert.equal((await run('backup', join(dataDir, 'backup'))).code, 0)
  const port = String(await freePort())
  const service = await startProcess(dataDir, { METRICS_PORT: port, LOG_LEVEL: 'info' })
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const [, seconds] = /^sklad_last_backup_timestamp_seconds (\S+)$/m.exec(text) ?? []
  assert.ok(Number(seconds) > 1_700_000_000, text)
  await fetch(`${service.baseUrl}/nowhere`)
  assert.equal((await service.end('SIGTERM')).code, 0)
  const line = service
    .output()
    .split('\n')
    .find((each) => each.includes('/nowhere'))
  const { version, role } = JSON.parse(line ?? '{}') as Record<string, unknown>
  assert.match(text, new RegExp(`sklad_build_info{version="${version}",role="${role}"`))
})

interface Subscribed {
  readonly webhook: { readonly id: string }
  readonly secret: string
}

async function sandboxKey({ baseUrl }: ServiceProcess): Promise<string> {
  const issued = await fetch(`${baseUrl}/v1/sandbox/keys`, { method: 'POST' })
  return ((await issued.json()) as { key: string }).key
}

/** Makes a call with a new test key. */
async function sandboxCalls(service: ServiceProcess) {
  const key = await sandboxKey(service)
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
  return async ({ baseUrl }: ServiceProcess, method: string, path: string, body?: object) => {
    const asked = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${baseUrl}${path}`, { method, headers, ...asked })
    return { status: answer.status, body: (await answer.json()) as unknown }
  }
}

test('commands stop webhooks while a service runs', async () => {
  const receiver = await openReceiver()
  const service = await startProcess(dataDir)
  const call = await sandboxCalls(service)
  const draft = { url: receiver.url, events: ['receipt.created'] }
  const made = await call(service, 'POST', '/v1/webhooks', draft)
  assert.equal(made.status, 201)
  const { webhook, secret } = made.body as Subscribed
  assert.deepEqual((await run('webhooks', 'off')).answer, { webhooks: 'off' })
  assert.equal((await call(service, 'GET', '/v1/webhooks')).status, 503)
  assert.deepEqual((await run('webhooks', 'on')).answer, { webhooks: 'on' })
  const came = receiver.requests.length
  assert.equal((await call(service, 'POST', `/v1/webhooks/${webhook.id}/ping`)).status, 202)
  await receiver.until(({ length }) => length > came)
  const { headers, bytes } = receiver.requests.at(-1) ?? assert.fail()
  const signed = signatureOf(secret, String(headers['x-svc-timestamp']), bytes)
  assert.equal(headers['x-svc-signature'], signed)
  assert.equal((await service.end('SIGTERM')).code, 0)
})

async function staff(baseUrl: string, token: unknown, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const asked = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(`${baseUrl}/staff/v1${path}`, { headers, ...asked })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('commands create staff users, a new password ends what the user holds, and every change is journalled', async () => {
  const service = await startProcess(dataDir)
  const robot = ['user', 'add', '--login', 'Robot', '--role', 'administrator']
  const added = await runCommand(dataDir, robot, { CELL: 'b' })
  const { id, token, ...rest } = added.answer
  assert.deepEqual(rest, { login: 'robot', role: 'administrator' })
  assert.match(String(token), /^svc_staff_b[0-9A-Za-z]{49}$/)
  const ask = (path: string, body?: object) => staff(service.baseUrl, token, path, body)
  assert.equal((await ask('/session')).body.login, 'robot')

  const person = ['--login', 'anna', '--role', 'manager', '--password', 'первый пароль']
  assert.equal((await run('user', 'add', ...person)).code, 0)
  const signIn = (password: string) => ask('/session', { login: 'anna', password })
  assert.equal((await signIn('первый пароль')).status, 200)
  const [cabinet] = (await ask('/cabinets')).body.items as Record<string, unknown>[]
  const draft = { cabinet_id: cabinet?.id, external_id: 'WB-GI-1' }
  const { picking_task_id: task } = (await ask('/shipments', draft)).body
  const claimOf = async () => (await ask(`/picking-tasks/${task}`)).body.claim
  const session = await fetch(`${service.baseUrl}/staff/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ login: 'anna', password: 'первый пароль' }),
  })
  const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const claim = `${service.baseUrl}/staff/v1/picking-tasks/${task}/claim`
  assert.equal((await fetch(claim, { method: 'POST', headers: { cookie } })).status, 200)
  assert.equal(((await claimOf()) as { login: string }).login, 'anna')

  const change = ['user', 'password', '--login', 'Anna']
  assert.equal((await runCommand(dataDir, change, {}, 'второй пароль\nx')).code, 0)
  assert.equal(await claimOf(), null, 'whoever lost the session holds no picking task')
  assert.equal((await signIn('первый пароль')).status, 401)
  assert.equal((await signIn('второй пароль')).status, 200)
  assert.equal((await run(...change, '--password', 'третий пароль')).code, 0)
  assert.equal((await signIn('третий пароль')).status, 200)
  const { users } = (await run('user', 'list')).answer as { users: Record<string, unknown>[] }
  assert.deepEqual(
    users.map(({ login, role, has_password }) => [login, role, has_password]),
    [
      ['anna', 'manager', true],
      ['robot', 'administrator', false],
      ['admin', 'administrator', true],
    ],
  )

  const journal = (await ask('/journal/staff?actor=command-line')).body
  const entries = journal.items as Record<string, unknown>[]
  assert.deepEqual(entries.map(({ action }) => action).reverse(), [
    'warehouse add',
    'client create',
    'cabinet add',
    'key issue',
    'key issue',
    'key revoke',
    'client create',
    'backup',
    'webhooks',
    'webhooks',
    'user add',
    'user add',
    'user password',
    'user password',
  ])
  assert.ok(entries.some(({ object_id }) => object_id === id))
  const text = JSON.stringify(entries)
  assert.doesNotMatch(text, /(первый|второй|третий) пароль|argon|hash"/)
  assert.doesNotMatch(text, /svc_(staff|live)_\w{20}/)
  assert.equal((await service.end('SIGTERM')).code, 0)
})

test("commands give sellers' users access to the account, a new password, and take it away", async () => {
  const service = await startProcess(dataDir)
  const made = await run('client', 'create', '--name', 'ООО «Кабинет»')
  const client = String(made.answer.id)
  const named = ['--client', client, '--login', 'Olga']
  const refused = await run('seller-user', 'add', ...named, '--role', 'owner')
  assert.notEqual(refused.code, 0)
  assert.match(refused.errors, /--password/)
  const password = ['--password', 'первый пароль']
  const person = ['--role', 'owner', '--name', 'Ольга', ...password]
  const { answer: added } = await run('seller-user', 'add', ...named, ...person)
  assert.deepEqual([added.login, added.name, added.role], ['olga', 'Ольга', 'owner'])
  const signIn = async (given: string) => {
    const body = JSON.stringify({ login: 'olga', password: given })
    const headers = { 'Content-Type': 'application/json' }
    const url = `${service.baseUrl}/account/v1/session`
    return (await fetch(url, { method: 'POST', headers, body })).status
  }
  assert.equal(await signIn('первый пароль'), 200)
  const change = ['seller-user', 'password', '--login', 'olga']
  assert.equal((await runCommand(dataDir, change, {}, 'второй пароль\n')).code, 0)
  assert.deepEqual([await signIn('первый пароль'), await signIn('второй пароль')], [401, 200])
  const { users } = (await run('seller-user', 'list', '--client', client)).answer
  assert.equal((users as unknown[]).length, 1)
  assert.equal((await run('seller-user', 'remove', ...named)).code, 0)
  assert.equal(await signIn('второй пароль'), 403)
  assert.equal((await service.end('SIGTERM')).code, 0)
})

test('a failed command prints its reason in one line and exits with code 1', async () => {
  const nobody = '00000000-0000-4000-8000-000000000000'
  const bad = [
    ['key', 'issue', '--client', nobody, '--name', 'x'],
    ['key', 'issue', '--client', 'x', '--name', 'x'],
    ['key', 'revoke', nobody],
    ['client', 'create', '--name', ' '],
    ['client', 'create', '--name', 'x', '--warehouse', 'NONE'],
    ['cabinet', 'add', '--client', nobody, '--name', 'x', '--marketplace', 'EBAY'],
    ['client', 'create'],
    ['webhooks'],
    ['webhooks', 'maybe'],
    ['nonsense'],
    ['key', 'map', '--backend', 'a b', '--file', '/tmp/x'],
    ['key', 'map', '--backend', 'cell-b', '--file', '/nowhere/x'],
    ['user', 'add', '--login', 'x y', '--role', 'worker'],
    ['user', 'add', '--login', 'boris', '--role', 'owner'],
    ['user', 'add', '--login', 'boris', '--role', 'worker', '--password', 'short'],
    ['user', 'add', '--login', 'admin', '--role', 'worker'],
    ['user', 'password', '--login', 'nobody', '--password', 'long enough'],
    ['user', 'password', '--login', 'admin'],
    ['client', 'create', '--name', 'x', '--inn', '123'],
    ['client', 'create', '--name', 'x', '--inn', '7700000000'],
    ['warehouse', 'add', '--code', 'MSK1', '--name', 'again'],
  ]
  for (const args of bad) {
    const { code, errors } = await run(...args)
    assert.equal(code, 1, args.join(' '))
    assert.equal(errors.trim().split('\n').length, 1, errors)
  }
})

test('cabinet add reads credentials from standard input, checks them and prints none', async () => {
  const wb = await startFakeWildberries()
  after(() => wb.close())
  const settings = { WB_BASE_URL: wb.baseUrl }
  const { answer: client } = await run('client', 'create', '--name', 'ООО «Ключ»')
  const add = [
    'cabinet',
    'add',
    '--client',
    String(client.id),
    '--name',
    'WB',
    '--marketplace',
    'WB',
  ]
  const connect = (input: string) =>
    runCommand(dataDir, [...add, '--credentials', '-', '--shipments', 'observe'], settings, input)
  const { credentials } = wb.account()
  const good = await connect(JSON.stringify(credentials))
  assert.equal(good.code, 0, good.errors)
  assert.equal(good.answer.credentials_state, 'good')
  assert.deepEqual(good.answer.credentials_rights, ['Маркетплейс', 'Контент'])
  assert.ok(!JSON.stringify(good).includes(credentials.token))
  for (const input of [
    '{"token":"secret-of-nobody"}',
    '{"token": secret-of-nobody',
    '{"key":"secret-of-nobody"}',
  ]) {
    const bad = await connect(input)
    assert.notEqual(bad.code, 0)
    assert.doesNotMatch(JSON.stringify(bad), /secret-of-nobody/)
  }
})
