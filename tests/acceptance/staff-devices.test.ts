import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { StaffDevice } from '../../src/identity/staff/devices.ts'
import type { StaffUser } from '../../src/identity/staff/users.ts'
import type { Transaction } from '../../src/platform/db/connection.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import type { PickingTask } from '../../src/warehouse/picking/view.ts'
import { type Answer, assertRefused, openClient } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { meanwhile } from '../support/waiting.ts'

// Handhelds: enrolled by a code, signed in to by PIN, revoked at once.

const clock = new ManualClock(Date.now())
const service = await startService(
  { TRUST_PROXY: 'true', BASE_URL: 'https://sklad.example' },
  'api',
  undefined,
  clock,
)
const { db } = service
const administrator = await staffClient(service, 'administrator')
const manager = await staffClient(service, 'manager')
const client = openClient(service.baseUrl, undefined, false)

let addresses = 0
const newAddress = () => `198.51.100.${++addresses}`
const send = (path: string, body: unknown, cookie = '', address = newAddress()): Promise<Answer> =>
  client.call(`/staff/v1${path}`, {
    body,
    headers: { 'X-Forwarded-For': address, ...(cookie === '' ? {} : { Cookie: cookie }) },
  })
const ask = (cookie: string) => client.call('/staff/v1/session', { headers: { Cookie: cookie } })

const cookieOf = ({ headers }: Answer, name: string) =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith(`${name}=`))
    ?.split(';')[0] ?? ''

async function newUser(pin: string | null = '4071', role = 'worker'): Promise<StaffUser> {
  const draft = { login: `user-${randomUUID().slice(0, 8)}`, role }
  const made = await administrator.post('/users', draft)
  assert.equal(made.status, 201, made.text)
  const { id } = made.body as StaffUser
  if (pin === null) return made.body as StaffUser
  const set = await manager.put(`/users/${id}/pin`, { pin })
  assert.equal(set.status, 200, set.text)
  return set.body as StaffUser
}

async function newCode() {
  const made = await manager.post('/devices', { name: 'Терминал 3' })
  assert.equal(made.status, 201, made.text)
  return made.body as StaffDevice & { code: string }
}

/** An enrolled handheld: its id and its cookie. */
async function enrolled() {
  const { id, code } = await newCode()
  const answer = await send('/devices/enrol', { code })
  assert.equal(answer.status, 200, answer.text)
  return { id, cookie: cookieOf(answer, 'sklad_terminal') }
}

const byPin = (cookie: string, login: string, pin = '4071') =>
  send('/session/pin', { login, pin }, cookie)

async function signedIn(cookie: string, login: string): Promise<string> {
  const answer = await byPin(cookie, login)
  assert.equal(answer.status, 200, answer.text)
  return cookieOf(answer, 'sklad_session')
}

const deviceOf = async (id: string) => {
  const { items } = (await manager.get('/devices?limit=200')).body as { items: StaffDevice[] }
  return items.find((each) => each.id === id)
}

test('a code enrols one device, once, within a quarter of an hour', async () => {
  const device = await newCode()
  assert.match(device.code, /^[2-9A-Z]{5}-[2-9A-Z]{5}$/)
  assert.equal(device.status, 'WAITING')
  assert.equal('code' in ((await deviceOf(device.id)) ?? {}), false)
  const spelled = device.code.toLowerCase().replace('-', ' ')
  const answers = await Promise.all([1, 2, 3].map(() => send('/devices/enrol', { code: spelled })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401])
  const [cookie = ''] = answers.find(({ status }) => status === 200)?.headers.getSetCookie() ?? []
  assert.match(
    cookie,
    /^sklad_terminal=[\w-]{43}; Max-Age=34560000; Path=\/staff\/v1\/session; HttpOnly; Secure; SameSite=Strict$/,
  )
  assert.equal((await deviceOf(device.id))?.status, 'ENROLLED')
  const late = await newCode()
  clock.advance(15 * 60_000)
  assertRefused(await send('/devices/enrol', { code: late.code }), 'unauthorized', 'устарел')
  const [kept] = await db`select * from staff_devices where id = ${device.id}`
  assert.ok(!JSON.stringify(kept).includes(cookie.slice(15, 58)))
  const actions = await db<{ action: string }[]>`
    select action from staff_journal where object_id = ${device.id} order by id`
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['createDevice', 'enrolDevice'],
  )
})

test('the code of a waiting device is printed as a label, and no other code is', async () => {
  const [device, other] = [await newCode(), await newCode()]
  const label = (id: string, body: object, token = manager.token) =>
    fetch(`${service.baseUrl}/staff/v1/devices/${id}/label`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const printed = await label(device.id, { code: device.code.toLowerCase() })
  assert.deepEqual([printed.status, printed.headers.get('Content-Type')], [200, 'application/pdf'])
  assert.match(Buffer.from(await printed.arrayBuffer()).toString('latin1'), /^%PDF-/)
  const refused = async (id: string, code: string) => {
    const answer = await label(id, { code })
    const { error } = (await answer.json()) as { error: { code: string; message: string } }
    return [answer.status, error.code]
  }
  assert.deepEqual(await refused(device.id, other.code), [400, 'validation_error'])
  assert.deepEqual(await refused(randomUUID(), other.code), [404, 'not_found'])
  assert.equal((await send('/devices/enrol', { code: device.code })).status, 200, 'still unused')
  assert.deepEqual(await refused(device.id, device.code), [400, 'validation_error'])
  clock.advance(15 * 60_000)
  assert.deepEqual(await refused(other.id, other.code), [400, 'validation_error'])
})

test('guessing at codes from one address is slowed down', async () => {
  const address = newAddress()
  const { code } = await newCode()
  for (let n = 0; n < 5; n++) {
    assertRefused(await send('/devices/enrol', { code: `X${n}` }, '', address), 'unauthorized')
  }
  assertRefused(await send('/devices/enrol', { code }, '', address), 'rate_limited')
  assert.equal((await send('/devices/enrol', { code })).status, 200, 'from elsewhere it enrols')
})

test('a test key forgives no guess at a code of a device from its address', async () => {
  const address = newAddress()
  const made = await client.post('/v1/sandbox/keys')
  const { key } = made.body as { key: string }
  for (let n = 0; n < 4; n++) {
    assertRefused(await send('/devices/enrol', { code: `X${n}` }, '', address), 'unauthorized')
  }
  const opened = await client.call('/account/v1/session/key', {
    body: { key },
    headers: { 'X-Forwarded-For': address },
  })
  assert.equal(opened.status, 200, opened.text)
  assertRefused(await send('/devices/enrol', { code: 'X4' }, '', address), 'unauthorized')
  assertRefused(await send('/devices/enrol', { code: 'X5' }, '', address), 'rate_limited')
})

test('workers switch by PIN on an enrolled device, and nowhere else', async () => {
  const [one, two] = [await newUser(), await newUser('12345678')]
  const device = await enrolled()
  assertRefused(await byPin('', one.login), 'unauthorized', 'зарегистрированном терминале')
  assertRefused(
    await byPin(`sklad_terminal=${'x'.repeat(43)}`, one.login),
    'unauthorized',
    'зарегистрированном терминале',
  )
  const first = await signedIn(device.cookie, one.login.toUpperCase())
  assert.equal(((await ask(first)).body as StaffUser).login, one.login)
  const answer = await byPin(device.cookie, two.login, '12345678')
  const second = cookieOf(answer, 'sklad_session')
  assert.equal(((await ask(second)).body as StaffUser).login, two.login)
  assertRefused(await ask(first), 'unauthorized')
  assert.equal((await deviceOf(device.id))?.last_login, two.login)
})

test('a badge alone signs nobody in', async () => {
  const { login } = await newUser()
  const none = await newUser(null)
  const { cookie } = await enrolled()
  for (const body of [{ login }, { login, pin: '' }, { login, pin: null }, { pin: '4071' }]) {
    assertRefused(await send('/session/pin', body, cookie), 'validation_error')
  }
  assertRefused(await byPin(cookie, none.login, '0000'), 'unauthorized', 'Неверный логин или PIN')
  assertRefused(await byPin(cookie, 'nobody'), 'unauthorized', 'Неверный логин или PIN')
  assertRefused(await byPin(cookie, administrator.login), 'unauthorized')
})

// Guarantee (staff): Five wrong PINs end a PIN, also when the tries come at once.
test('after five wrong PINs only a manager helps, however many tries come at once', async () => {
  const { id, login } = await newUser()
  const { cookie } = await enrolled()
  assertRefused(await byPin(cookie, login, '0000'), 'unauthorized', 'Осталось попыток: 4')
  await signedIn(cookie, login)
  assertRefused(await byPin(cookie, login, '0000'), 'unauthorized', 'Осталось попыток: 4')
  const tries = await Promise.all(Array.from({ length: 12 }, () => byPin(cookie, login, '0000')))
  const compared = tries.filter(({ text }) => text.includes('Неверный'))
  assert.equal(compared.length, 4, 'four tries were left')
  assertRefused(await byPin(cookie, login), 'unauthorized', 'заблокирован')
  const users = (await administrator.get('/users?limit=200')).body as { items: StaffUser[] }
  assert.equal(users.items.find((each) => each.id === id)?.pin_locked, true)
  const set = await manager.put(`/users/${login}/pin`, { pin: '9999' })
  assert.deepEqual(
    [(set.body as StaffUser).pin_locked, (set.body as StaffUser).has_pin],
    [false, true],
  )
  assertRefused(await byPin(cookie, login), 'unauthorized', 'Осталось попыток: 4')
  assert.equal((await byPin(cookie, login, '9999')).status, 200)
  const entries = await db<{ before: unknown; after: unknown }[]>`
    select before, after from staff_journal where object_id = ${id} and action = 'setPin'`
  assert.equal(entries.length, 2)
  assert.doesNotMatch(JSON.stringify(entries), /argon|9999/)
})

// Guarantee (staff): Guesses at PINs are limited by device, whatever logins they name.
test('guesses at PINs are limited by device, however many logins they name', async () => {
  const users = await Promise.all(Array.from({ length: 25 }, () => newUser()))
  const { login } = await newUser()
  const { cookie } = await enrolled()
  const guesses: Answer[] = []
  for (const user of users) guesses.push(await byPin(cookie, user.login, '0000'))
  const codes = guesses.map(({ code }) => code)
  assert.equal(codes.filter((code) => code === 'unauthorized').length, 20)
  assert.deepEqual(codes.slice(20), Array(5).fill('rate_limited'))
  assertRefused(await byPin(cookie, login), 'rate_limited', 'подождите 10 мин')
  const other = await enrolled()
  assert.equal((await byPin(other.cookie, login)).status, 200, 'other handhelds go on')
  clock.advance(10 * 60_000)
  assert.equal((await byPin(cookie, login)).status, 200, 'one guess came back')
  assert.equal((await byPin(cookie, login)).status, 200, 'a right one costs none')
  assertRefused(await byPin(cookie, login, '0000'), 'unauthorized')
  assertRefused(await byPin(cookie, login), 'rate_limited')
})

// Guarantee (staff): Guesses at the PIN of a login are limited, and no sign-in forgives them.
test('guesses at the PIN of a login are limited, however often its user signs in between', async () => {
  const { login } = await newUser()
  const devices = [await enrolled(), await enrolled()]
  for (let n = 0; n < 10; n++) {
    const { cookie } = devices[n % 2] ?? { cookie: '' }
    assertRefused(await byPin(cookie, login, '0000'), 'unauthorized', 'Осталось попыток: 4')
    if (n < 9) await signedIn(cookie, login)
  }
  assertRefused(await byPin(devices[0]?.cookie ?? '', login), 'rate_limited', 'неверных PIN')
  const set = await manager.put(`/users/${login}/pin`, { pin: '4072' })
  assert.equal(set.status, 200)
  assert.equal((await byPin(devices[0]?.cookie ?? '', login, '4072')).status, 200)
})

test('a manager of some warehouses sets PINs of those who work nowhere else', async () => {
  const codes = [randomUUID().slice(0, 8), randomUUID().slice(0, 8)] as const
  for (const code of codes) {
    assert.equal((await administrator.post('/warehouses', { code, name: code })).status, 201)
  }
  const own = await staffClient(service, 'manager')
  const { id } = await newUser()
  const give = (user: string, ...warehouse_codes: string[]) =>
    administrator.put(`/users/${user}/warehouses`, { warehouse_codes })
  const set = () => own.put(`/users/${id}/pin`, { pin: '4071' })
  await give(own.userId, codes[0])
  assertRefused(await set(), 'forbidden', 'других складах')
  await give(id, codes[1])
  assertRefused(await set(), 'not_found')
  await give(id, ...codes)
  assertRefused(await set(), 'forbidden', 'других складах')
  await give(id, codes[0])
  assert.equal((await set()).status, 200)
})

test('a manager sets no PIN of somebody who may do more, and administrators have none', async () => {
  const boss = await administrator.post('/users', {
    login: `boss-${randomUUID().slice(0, 8)}`,
    role: 'administrator',
    password: 'верный пароль 1',
  })
  const { id } = boss.body as StaffUser
  assertRefused(await manager.put(`/users/${id}/pin`, { pin: '4071' }), 'forbidden')
  assertRefused(await administrator.put(`/users/${id}/pin`, { pin: '4071' }), 'forbidden', 'паролю')
  for (const pin of ['123', '123456789', '12a4', '', 1234]) {
    const refused = await manager.put(`/users/${(await newUser()).id}/pin`, { pin })
    assertRefused(refused, 'validation_error', 'pin')
  }
  assertRefused(await manager.put(`/users/${randomUUID()}/pin`, { pin: '4071' }), 'not_found')
  const raised = await newUser('4071', 'manager')
  const { cookie } = await enrolled()
  await signedIn(cookie, raised.login)
  await administrator.patch(`/users/${raised.id}`, { role: 'administrator' })
  assertRefused(await byPin(cookie, raised.login), 'unauthorized')
})

test('a PIN stands in no password where keys and users change', async () => {
  const { id, login } = await newUser('4071', 'manager')
  const { cookie } = await enrolled()
  const session = await signedIn(cookie, login)
  const refused = await client.call(`/staff/v1/users/${id}/pin`, {
    method: 'PUT',
    body: { pin: '1111' },
    headers: { Cookie: session },
  })
  assertRefused(refused, 'password_required')
  assert.equal((await ask(session)).status, 200)
})

test('revoking a device or a user ends the sessions at once, and no new one begins', async () => {
  const { id, login } = await newUser()
  const device = await enrolled()
  const other = await enrolled()
  const [session, elsewhere] = [
    await signedIn(device.cookie, login),
    await signedIn(other.cookie, login),
  ]
  const revoked = await manager.post(`/devices/${device.id}/revoke`)
  assert.equal((revoked.body as StaffDevice).status, 'REVOKED')
  assert.deepEqual((await manager.post(`/devices/${device.id}/revoke`)).body, revoked.body)
  assertRefused(await ask(session), 'unauthorized')
  for (const cookie of [device.cookie, `${device.cookie}; ${session}`]) {
    assertRefused(await ask(cookie), 'device_revoked', 'отозван')
  }
  assertRefused(await ask(other.cookie), 'unauthorized', 'Войдите')
  assertRefused(await byPin(device.cookie, login), 'device_revoked', 'отозван')
  assert.equal((await ask(elsewhere)).status, 200)
  const waiting = await newCode()
  await manager.post(`/devices/${waiting.id}/revoke`)
  assertRefused(await send('/devices/enrol', { code: waiting.code }), 'unauthorized')
  assertRefused(await manager.post(`/devices/${randomUUID()}/revoke`), 'not_found')

  await administrator.patch(`/users/${id}`, { active: false })
  assertRefused(await ask(elsewhere), 'unauthorized')
  assertRefused(await byPin(other.cookie, login), 'unauthorized')
  await administrator.patch(`/users/${id}`, { active: true })
  assertRefused(await byPin(other.cookie, login), 'unauthorized', 'Неверный логин или PIN')
})

test('whoever is signed out by another user or a revoked device holds no picking task', async () => {
  const floor = await openFloor(service, { A: 2 })
  const { picking_task_id: task } = await floor.filled(await floor.orders({ D1: 'A' }))
  const holder = async () => (await floor.task({ picking_task_id: task })).claim?.login
  const [one, two] = [await newUser(), await newUser()]
  const device = await enrolled()
  const claim = async (cookie: string) =>
    good<PickingTask>(
      await client.call(`/staff/v1/picking-tasks/${task}/claim`, {
        method: 'POST',
        headers: { Cookie: cookie },
      }),
    )
  await claim(await signedIn(device.cookie, one.login))
  const again = await signedIn(device.cookie, one.login)
  assert.equal(await holder(), one.login, 'who signs in again keeps the task')
  const second = await signedIn(device.cookie, two.login)
  assert.equal(await holder(), undefined)
  assertRefused(await ask(again), 'unauthorized')
  await claim(second)
  await manager.post(`/devices/${device.id}/revoke`)
  assert.equal(await holder(), undefined)
})

// Guarantee (staff): A revoked device has no session.
test('signing in while the device is revoked leaves no session', async () => {
  for (let round = 0; round < 4; round++) {
    const { login } = await newUser()
    const { id, cookie } = await enrolled()
    const [answer] = await Promise.all([
      byPin(cookie, login),
      manager.post(`/devices/${id}/revoke`),
    ])
    const session = cookieOf(answer, 'sklad_session')
    if (session !== '') assertRefused(await ask(session), 'unauthorized')
    assert.equal((await db`select from staff_sessions where device_id = ${id}`).length, 0)
  }
})

test('a sign-in that meets a revocation under way waits for it and opens no session', async () => {
  const { login } = await newUser()
  const { id, cookie } = await enrolled()
  const revoke = async (tx: Transaction) => {
    await tx`update staff_devices set revoked_at = now(), code_hash = null where id = ${id}`
    await tx`delete from staff_sessions where device_id = ${id}`
  }
  const { answer } = await meanwhile(db, revoke, () => byPin(cookie, login))
  assertRefused(answer, 'unauthorized', 'зарегистрированном терминале')
  assert.equal((await db`select from staff_sessions where device_id = ${id}`).length, 0)
})

test('devices are listed newest first, by status, with their last use', async () => {
  const { id, cookie } = await enrolled()
  const { login } = await newUser()
  const session = await signedIn(cookie, login)
  const before = (await deviceOf(id))?.last_used_at
  clock.advance(5 * 60_000)
  await ask(session)
  assert.notEqual((await deviceOf(id))?.last_used_at, before)
  const list = (await manager.get('/devices?status=ENROLLED&limit=1')).body as {
    items: StaffDevice[]
    next_cursor: string | null
  }
  assert.deepEqual([list.items[0]?.id, list.items[0]?.last_login], [id, login])
  assert.notEqual(list.next_cursor, null)
  const worker = await staffClient(service, 'worker')
  assertRefused(await worker.get('/devices'), 'forbidden')
})

test('a station and a screen stand in a warehouse, reach only their own calls, and no PIN opens a session on them', async () => {
  const refused = await manager.post('/devices', { name: 'Станция', purpose: 'STATION' })
  assertRefused(refused, 'validation_error', 'склад')
  const warehouse_code = 'ДВЕРЬ1'
  const draft = { name: 'Станция', purpose: 'STATION', warehouse_code }
  assertRefused(await manager.post('/devices', draft), 'validation_error', 'нет')
  assertRefused(
    await manager.post('/devices', { name: 'Терминал', warehouse_code }),
    'validation_error',
    'уберите',
  )
  good(await administrator.post('/warehouses', { code: warehouse_code, name: 'У двери' }), 201)
  const enrol = async (purpose: string) => {
    const device = good<StaffDevice & { code: string }>(
      await manager.post('/devices', { ...draft, purpose }),
      201,
    )
    const answer = await send('/devices/enrol', { code: device.code })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(cookieOf(answer, 'sklad_terminal'), '')
    return { id: device.id, Cookie: cookieOf(answer, 'sklad_device') }
  }
  const call = (Cookie: string, path: string) =>
    client.call(`/staff/v1${path}`, { headers: { Cookie } })
  const station = await enrol('STATION')
  const screen = await enrol('SCREEN')
  assert.equal((await call(station.Cookie, '/print-stations')).status, 200)
  assert.equal((await call(screen.Cookie, '/today/flow')).status, 200)
  assertRefused(await call(station.Cookie, '/today/flow'), 'forbidden')
  assertRefused(await call(screen.Cookie, '/print-stations'), 'forbidden')
  assertRefused(await call(screen.Cookie, '/today/flow?by=client'), 'forbidden')
  assertRefused(await call(screen.Cookie, '/today/flow?warehouse_code=MSK1'), 'forbidden')
  assertRefused(await call(screen.Cookie, '/session'), 'unauthorized')
  assert.equal((await call(screen.Cookie, '/session?optional=true')).status, 204)
  assert.deepEqual((await call(screen.Cookie, '/device')).body, {
    ...{ id: screen.id, name: 'Станция', purpose: 'SCREEN', warehouse_code },
  })
  assert.equal((await client.call('/staff/v1/device')).status, 204)

  const { login } = await newUser()
  const asTerminal = station.Cookie.replace('sklad_device', 'sklad_terminal')
  assertRefused(await byPin(asTerminal, login), 'unauthorized')
  good(await manager.post(`/devices/${station.id}/revoke`))
  assertRefused(await call(station.Cookie, '/print-stations'), 'device_revoked')
  assertRefused(await call(station.Cookie, '/device'), 'device_revoked')
})

const badgeOf = (n: number) => `SKB${String(n + 2).repeat(20)}`

/** Prints a badge and writes a known code in its place: a label shows its code to scanners alone. */
async function printedBadge(id: string, code: string): Promise<void> {
  const printed = await fetch(`${service.baseUrl}/staff/v1/users/${id}/badge`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${manager.token}` },
  })
  assert.deepEqual([printed.status, printed.headers.get('Content-Type')], [200, 'application/pdf'])
  assert.match(Buffer.from(await printed.arrayBuffer()).toString('latin1'), /^%PDF-/)
  await db`
    update staff_users set badge_hash = ${hash('sha256', code, 'buffer')} where id = ${id}`
}

test('a badge names its person on an enrolled handheld, opens nothing, and a new one takes its place', async () => {
  const { cookie } = await enrolled()
  const user = await newUser()
  await printedBadge(user.id, badgeOf(1))
  const read = (badge: string, from = cookie) => send('/session/badge', { badge }, from)
  const known = await read(badgeOf(1).toLowerCase())
  assert.deepEqual([known.status, known.body], [200, { login: user.login, name: user.login }])
  assert.deepEqual(known.headers.getSetCookie(), [])
  assertRefused(await read(badgeOf(1), ''), 'unauthorized')
  assertRefused(await byPin(cookie, user.login, '0000'), 'unauthorized')
  const [row] = await db`select badge_hash from staff_users where id = ${user.id}`
  assert.ok(!JSON.stringify(row).includes(badgeOf(1)))

  await printedBadge(user.id, badgeOf(2))
  assertRefused(await read(badgeOf(1)), 'unauthorized', 'заменили')
  assert.equal((await read(badgeOf(2))).status, 200)
  for (const times of [1, 2]) {
    const blocked = await manager.delete(`/users/${user.id}/badge`)
    assert.equal((blocked.body as StaffUser).badge_issued_at, null, `${times}`)
  }
  assertRefused(await read(badgeOf(2)), 'unauthorized', 'заблокировали')
  const actions = await db<{ action: string }[]>`
    select action from staff_journal where object_id = ${user.id} and action like '%Badge' order by id`
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['printBadge', 'printBadge', 'blockBadge'],
  )
})

test('wrong badges wait, a badge goes with the access, and an administrator has none', async () => {
  const { cookie } = await enrolled()
  const user = await newUser()
  await printedBadge(user.id, badgeOf(3))
  const read = (badge: string) => send('/session/badge', { badge }, cookie)
  for (let n = 0; n < 20; n++) assertRefused(await read(badgeOf(5)), 'unauthorized')
  assertRefused(await read(badgeOf(3)), 'rate_limited', 'бейдж')
  clock.advance(10 * 60_000)
  assert.equal((await read(badgeOf(3))).status, 200)

  good(await administrator.patch(`/users/${user.id}`, { active: false }))
  clock.advance(10 * 60_000)
  assertRefused(await read(badgeOf(3)), 'unauthorized')
  assertRefused(await manager.post(`/users/${user.id}/badge`), 'not_found')
  const chief = await newUser(null, 'administrator')
  assertRefused(await administrator.post(`/users/${chief.id}/badge`), 'forbidden', 'паролю')
})
