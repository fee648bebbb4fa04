import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Answer, assertRefused, openClient } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { staffCalls, staffClient } from '../support/staff.ts'

/** Behind a proxy, so that tests can send requests from any address. */
const service = await startService({ TRUST_PROXY: 'true', BASE_URL: 'https://sklad.example' })
const { db } = service
const administrator = await staffClient(service, 'administrator')
const client = openClient(service.baseUrl, undefined, false)
const password = 'верный пароль 1'

type Fields = Readonly<Record<string, unknown>>
interface User {
  readonly id: string
  readonly login: string
}

let users = 0
async function newUser(role = 'worker'): Promise<User> {
  const draft = { login: `user-${users++}`, role, password }
  const answer = await administrator.post('/users', draft)
  assert.equal(answer.status, 201, answer.text)
  return answer.body as User
}

let addresses = 0
const newAddress = () => `198.51.100.${++addresses}`

function signIn(
  login: string,
  given = password,
  address = newAddress(),
  device?: string,
): Promise<Answer> {
  const headers = { 'X-Forwarded-For': address, ...(device && { Cookie: device }) }
  return client.call('/staff/v1/session', { body: { login, password: given }, headers })
}

const cookieOf = ({ headers }: Answer) => headers.get('Set-Cookie')?.split(';')[0] ?? ''

/** The cookie by which a browser is known at its next sign-in. */
const deviceOf = ({ headers }: Answer) =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith('sklad_browser='))
    ?.split(';')[0] ?? ''

const staffCallsOf = (Cookie: string, method: string, path: string, body: object) =>
  client.call(`/staff/v1${path}`, { method, body, headers: { Cookie } })

const ask = (Cookie: string, method = 'GET', path = '/session', headers = {}) =>
  client.call(`/staff/v1${path}`, { method, headers: { Cookie, ...headers } })

suite('signing in', () => {
  test('sets a cookie that scripts and other sites cannot read', async () => {
    const { id, login } = await newUser()
    const answer = await signIn(login.toUpperCase())
    assert.equal(answer.status, 200)
    assert.deepEqual([(answer.body as User).id, (answer.body as User).login], [id, login])
    assert.doesNotMatch(answer.text, /argon|hash/)
    const [session = '', device = ''] = answer.headers.getSetCookie()
    assert.match(
      device,
      /^sklad_browser=[\w-]{43}; Max-Age=34560000; Path=\/staff\/v1\/session; HttpOnly; Secure; SameSite=Strict$/,
    )
    const [pair, ...flags] = session.split('; ')
    assert.match(pair ?? '', /^sklad_session=[\w-]{43}$/)
    assert.deepEqual(flags.toSorted(), [
      'HttpOnly',
      'Max-Age=604800',
      'Path=/staff',
      'SameSite=Strict',
      'Secure',
    ])
    assert.equal(answer.headers.get('Cache-Control'), 'no-store')
    assert.deepEqual((await ask(cookieOf(answer))).body, answer.body)
    const kept = await db`select hash from staff_sessions where user_id = ${id}`
    assert.ok(!JSON.stringify(kept).includes(pair?.slice(14) ?? ''))
  })

  test('answers alike for a wrong password, an unknown login, and a user without a password', async () => {
    const { login } = await newUser()
    const refusals = [
      await signIn(login, 'неверный пароль'),
      await signIn(login, `${password} `),
      await signIn('nobody'),
      await signIn(administrator.login),
      await signIn("' or 1=1 --"),
    ]
    for (const refusal of refusals) {
      assertRefused(refusal, 'unauthorized', 'Неверный логин или пароль')
      assert.equal(refusal.headers.get('Set-Cookie'), null)
    }
  })

  test('refuses an invalid login or password', async () => {
    const bad = [{}, { login: 'x' }, { login: '', password }, { login: 'x'.repeat(201), password }]
    for (const body of bad) {
      assertRefused(await client.post('/staff/v1/session', body), 'validation_error')
    }
    for (const text of ['a\u0000b', '\ud800', 1, null, ['x']]) {
      for (const body of [
        { login: text, password },
        { login: 'x', password: text },
      ]) {
        assertRefused(await client.post('/staff/v1/session', body), 'validation_error')
      }
    }
  })
})

suite('failed sign-ins', () => {
  test('delay further attempts from that address after five, longer each time', async () => {
    const { login } = await newUser()
    const address = newAddress()
    for (let n = 0; n < 5; n++) {
      assertRefused(await signIn(login, 'не тот', address), 'unauthorized')
    }
    const waits: number[] = []
    for (let n = 0; n < 3; n++) {
      const slowed = await signIn(login, password, address)
      assertRefused(slowed, 'rate_limited')
      waits.push(Number(slowed.headers.get('Retry-After')))
      await db`update sign_in_failures set last_at = last_at - interval '10 seconds'`
      assertRefused(await signIn(login, 'не тот', address), 'unauthorized')
    }
    assert.deepEqual(waits, [1, 2, 4])
    await db`update sign_in_failures set last_at = last_at - interval '10 seconds'`
    assert.equal((await signIn(login, password, address)).status, 200)
    assertRefused(await signIn(login, 'не тот', address), 'unauthorized')
  })

  test('delay neither other logins at that address nor that login elsewhere', async () => {
    const [victim, neighbour] = [await newUser(), await newUser()]
    const address = newAddress()
    for (let n = 0; n < 5; n++) await signIn(victim.login, 'не тот', address)
    assertRefused(await signIn(victim.login, password, address), 'rate_limited')
    assert.equal((await signIn(neighbour.login, password, address)).status, 200)
    assert.equal((await signIn(victim.login, password, newAddress())).status, 200)
  })

  test('of many logins from one address delay that address', async () => {
    const address = newAddress()
    const answers: Answer[] = []
    for (let n = 0; n < 31; n++) answers.push(await signIn(`nobody-${n}`, 'не тот', address))
    const codes = answers.map(({ code }) => code)
    assert.deepEqual(codes.slice(0, 30), Array(30).fill('unauthorized'))
    assert.equal(codes[30], 'rate_limited')
  })

  test('from one address count together, whatever ports and brackets a proxy adds', async () => {
    for (const spellings of [
      [
        '192.0.2.1:50001',
        '192.0.2.1:50002',
        '"192.0.2.1:50003"',
        '[::ffff:192.0.2.1]:4',
        '192.0.2.1',
      ],
      [
        '[2001:db8::1]:50001',
        '2001:db8::2',
        '[2001:db8::3]',
        '"[2001:db8:0:0::4]:5"',
        '2001:DB8::5',
      ],
      ['unknown', '_hidden:1', '_other:2', '', 'none'],
    ]) {
      const { login } = await newUser()
      for (const address of spellings) {
        assertRefused(await signIn(login, 'не тот', address), 'unauthorized')
      }
      assertRefused(await signIn(login, password, spellings[0]), 'rate_limited')
      assert.equal((await signIn(login)).status, 200, 'from elsewhere')
    }
  })

  /** Makes the last failure look like so many. */
  async function manyFailures(act: () => Promise<Answer>, failures = 150): Promise<void> {
    assertRefused(await act(), 'unauthorized')
    await db`
      update sign_in_failures set failures = ${failures}
      where last_at = (select max(last_at) from sign_in_failures)`
  }

  // Guarantee (sign-in): Failures of strangers do not keep a user from signing in.
  test('of strangers delay strangers, and not the owner in a known browser or at a known address', async () => {
    const [{ login }, other] = [await newUser(), await newUser()]
    const home = newAddress()
    const device = deviceOf(await signIn(login, password, home))
    const foreign = deviceOf(await signIn(other.login))
    await manyFailures(() => signIn(login, 'не тот'))
    for (const unknown of [undefined, foreign, `${device.slice(0, -2)}AA`]) {
      const refused = await signIn(login, password, newAddress(), unknown)
      assertRefused(refused, 'rate_limited')
      assert.ok(Number(refused.headers.get('Retry-After')) > 800)
    }
    assert.equal((await signIn(login, password, home)).status, 200)
    assert.equal((await signIn(login, password, newAddress(), device)).status, 200)
    assertRefused(await signIn(login), 'rate_limited')
  })

  test('at one address delay newcomers there, and nobody who signed in there before', async () => {
    const [regular, newcomer] = [await newUser(), await newUser()]
    const office = newAddress()
    assert.equal((await signIn(regular.login, password, office)).status, 200)
    await manyFailures(() => signIn('nobody-there', 'не тот', office))
    assertRefused(await signIn(newcomer.login, password, office), 'rate_limited')
    assert.equal((await signIn(regular.login, password, office)).status, 200)
    assert.equal((await signIn(newcomer.login)).status, 200)
  })

  test('in a known browser and at a known address are delayed, each on its own', async () => {
    const { login } = await newUser()
    const home = newAddress()
    const device = deviceOf(await signIn(login, password, home))
    for (let n = 0; n < 5; n++) assertRefused(await signIn(login, 'не тот', home), 'unauthorized')
    assertRefused(await signIn(login, password, home), 'rate_limited')
    assert.equal((await signIn(login, password, home, device)).status, 200)
    for (let n = 0; n < 5; n++) {
      assertRefused(await signIn(login, 'не тот', newAddress(), device), 'unauthorized')
    }
    assertRefused(await signIn(login, password, newAddress(), device), 'rate_limited')
  })

  test('make nobody wait longer when the clock goes back', async () => {
    const { login } = await newUser()
    const address = newAddress()
    for (let n = 0; n < 5; n++) await signIn(login, 'не тот', address)
    await db`update sign_in_failures set last_at = last_at + interval '1 hour'`
    const refused = await signIn(login, password, address)
    assertRefused(refused, 'rate_limited')
    assert.equal(refused.headers.get('Retry-After'), '1')
    await db`update sign_in_failures set last_at = last_at - interval '1 second'`
    assert.equal((await signIn(login, password, address)).status, 200)
  })

  // Guarantee (sign-in): Guesses in parallel are as slow as one after another.
  test('in parallel count like failures one after another', async () => {
    const { login } = await newUser()
    const address = newAddress()
    const startedAt = performance.now()
    const guesses = Array.from({ length: 30 }, (_, n) => signIn(login, `догадка ${n}`, address))
    const codes = (await Promise.all(guesses)).map(({ code }) => code)
    const seconds = (performance.now() - startedAt) / 1000
    const tried = codes.filter((code) => code === 'unauthorized').length
    // After five failures the waits are 1 s, 2 s, 4 s and so on; a busy machine may be that slow.
    const waited = Math.floor(Math.log2(seconds + 1))
    assert.ok(tried >= 5 && tried <= 5 + waited, `${tried} attempts in ${seconds} s`)
    assert.equal(codes.filter((code) => code === 'rate_limited').length, 30 - tried)
  })
})

suite('a session ends', () => {
  const signedIn = async (role?: string) => {
    const user = await newUser(role)
    const cookie = cookieOf(await signIn(user.login))
    assert.equal((await ask(cookie)).status, 200)
    return { ...user, cookie }
  }
  const assertEnded = async (cookie: string) =>
    assertRefused(await ask(cookie), 'unauthorized', 'закончилась')

  test('when its user signs out, and no other session with it', async () => {
    const { login, cookie } = await signedIn()
    const other = cookieOf(await signIn(login))
    const out = await ask(cookie, 'DELETE')
    assert.equal(out.status, 204)
    assert.match(out.headers.get('Set-Cookie') ?? '', /^sklad_session=; .*Max-Age=0/)
    await assertEnded(cookie)
    assert.equal((await ask(other)).status, 200)
    assert.equal((await ask(cookie, 'DELETE')).status, 204)
    assert.equal((await ask('', 'DELETE')).status, 204)
  })

  for (const [change, patch] of [
    ['password', { password: 'новый пароль 2' }],
    ['role', { role: 'manager' }],
    ['access', { active: false }],
  ] as const) {
    test(`when the ${change} of its owner changes`, async () => {
      const { id, cookie } = await signedIn()
      const patched = await administrator.patch(`/users/${id}`, patch)
      assert.equal(patched.status, 200, patched.text)
      await assertEnded(cookie)
    })
  }

  test('after half a day without a request, and after a week', async () => {
    const [idle, old] = [await signedIn(), await signedIn()]
    await db`
      update staff_sessions set used_at = used_at - interval '12 hours' where user_id = ${idle.id}`
    await db`
      update staff_sessions set created_at = created_at - interval '7 days'
      where user_id = ${old.id}`
    await assertEnded(idle.cookie)
    await assertEnded(old.cookie)
  })

  test('and requests that a page sends by itself do not put that off', async () => {
    const [left, used] = [await signedIn(), await signedIn()]
    await db`
      update staff_sessions set used_at = used_at - interval '11 hours'
      where user_id in (${left.id}, ${used.id})`
    const refresh = () => ask(left.cookie, 'GET', '/session', { 'X-Unattended': '1' })
    // In one batch with a request of a person.
    const answers = await Promise.all([refresh(), ask(used.cookie), refresh()])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    const since = await db<{ user_id: string; hours: number }[]>`
      select user_id, round(extract(epoch from now() - used_at) / 3600)::int as hours
      from staff_sessions where user_id in (${left.id}, ${used.id})`
    const hours = new Map(since.map((each) => [each.user_id, each.hours]))
    assert.deepEqual([hours.get(left.id), hours.get(used.id)], [11, 0])
  })

  test('and a deactivated user cannot sign in again', async () => {
    const { id, login } = await signedIn()
    await administrator.patch(`/users/${id}`, { active: false })
    assertRefused(await signIn(login), 'unauthorized')
    await administrator.patch(`/users/${id}`, { active: true })
    assert.equal((await signIn(login)).status, 200)
  })
})

const unknownId = '01990000-0000-7000-8000-000000000000'
/** Everything that changes a client's keys, staff users, sellers' users or handhelds. */
const asksPassword = {
  administrator: [
    ['POST', '/users'],
    ['PATCH', `/users/${unknownId}`],
    ['POST', `/users/${unknownId}/tokens`],
    ['DELETE', `/users/${unknownId}/tokens/${unknownId}`],
  ],
  manager: [
    ['POST', '/devices'],
    ['POST', `/devices/${unknownId}/revoke`],
    ['PUT', `/users/${unknownId}/pin`],
    ['POST', `/users/${unknownId}/badge`],
    ['PUT', `/users/${unknownId}/warehouses`],
    ['POST', `/clients/${unknownId}/keys`],
    ['PATCH', `/keys/${unknownId}`],
    ['POST', `/keys/${unknownId}/revoke`],
    ['POST', `/clients/${unknownId}/key-requests/${unknownId}/accept`],
    ['POST', `/clients/${unknownId}/users`],
    ['PATCH', `/clients/${unknownId}/users/${unknownId}`],
    ['DELETE', `/clients/${unknownId}/users/${unknownId}`],
    ['POST', `/clients/${unknownId}/users/${unknownId}/password-link`],
    ['POST', `/clients/${unknownId}/invitations/${unknownId}/revoke`],
  ],
} as const

suite('keys and users ask a session for the password again', () => {
  for (const [role, calls] of Object.entries(asksPassword)) {
    for (const [method, path] of calls) {
      test(`at ${method} ${path.replaceAll(unknownId, '{id}')}`, async () => {
        const { id, login } = await newUser(role)
        const cookie = cookieOf(await signIn(login))
        const call = (Cookie: string) => ask(Cookie, method, path)
        const early = await call(cookie)
        assert.notEqual(early.status, 401, early.text)
        await db`
          update staff_sessions set created_at = created_at - interval '15 minutes'
          where user_id = ${id}`
        assertRefused(await call(cookie), 'password_required', 'Войдите с паролем ещё раз')
        assert.equal((await ask(cookie)).status, 200)
        const again = await call(cookieOf(await signIn(login)))
        assert.equal(again.status, early.status, again.text)
      })
    }
  }

  test('and so do credentials of cabinets, the warehouse of a client and who announces its receipts', async () => {
    const { id, login } = await newUser('manager')
    const cookie = cookieOf(await signIn(login))
    const made = await administrator.post('/clients', { name: 'ООО «Сила»' })
    const client = `/clients/${(made.body as User).id}`
    const cabinet = await administrator.post(`${client}/cabinets`, { marketplace: 'WB', name: 'К' })
    await db`
      update staff_sessions set created_at = created_at - interval '15 minutes'
      where user_id = ${id}`
    const send = (method: string, path: string, body: object) =>
      staffCallsOf(cookie, method, path, body)
    const token = { credentials: { token: 'x' } }
    for (const [method, path, body] of [
      ['POST', `${client}/cabinets`, { marketplace: 'WB', name: 'Ещё', ...token }],
      ['PATCH', `/cabinets/${(cabinet.body as User).id}`, token],
      ['PATCH', `/cabinets/${(cabinet.body as User).id}`, { credentials: null }],
      ['PATCH', client, { account_receipts: true }],
      ['PATCH', client, { warehouse_code: 'OTHER' }],
    ] as const) {
      assertRefused(await send(method, path, body), 'password_required')
    }
    // What stays as it is gives nothing.
    const same = { name: 'ООО «Слава»', account_receipts: false, warehouse_code: 'MAIN' }
    assert.equal((await send('PATCH', client, same)).status, 200)
    const named = await send('PATCH', `/cabinets/${(cabinet.body as User).id}`, { name: 'К 2' })
    assert.equal(named.status, 200)
  })

  test('and tell whoever lacks the role so first', async () => {
    const { id, login } = await newUser('worker')
    const cookie = cookieOf(await signIn(login))
    await db`
      update staff_sessions set created_at = created_at - interval '1 hour' where user_id = ${id}`
    assertRefused(await ask(cookie, 'POST', '/users'), 'forbidden', 'Недостаточно прав')
  })
})

suite('tokens', () => {
  // Guarantee (staff): A new password and the loss of access end sessions and tokens for good.
  test('work until they are revoked, their user is deactivated or gets a new password', async () => {
    const { id } = await newUser('manager')
    const issue = async () => {
      const { body } = await administrator.post(`/users/${id}/tokens`, { name: 'Терминал' })
      return body as { id: string; token: string }
    }
    const [one, other] = [await issue(), await issue()]
    assert.match(one.token, /^svc_staff_/)
    const status = async ({ token }: { token: string }) =>
      (await staffCalls(service.baseUrl, token).get('/session')).status
    assert.deepEqual([await status(one), await status(other)], [200, 200])
    const path = `/users/${id}/tokens/${one.id}`
    assert.equal((await administrator.delete(path)).status, 204)
    assert.equal((await administrator.delete(path)).status, 204)
    assert.deepEqual([await status(one), await status(other)], [401, 200])
    await administrator.patch(`/users/${id}`, { active: false })
    assert.equal(await status(other), 401)
    await administrator.patch(`/users/${id}`, { active: true })
    assert.equal(await status(other), 401)
    const third = await issue()
    await administrator.patch(`/users/${id}`, { role: 'worker' })
    assert.equal(await status(third), 200)
    await administrator.patch(`/users/${id}`, { password: 'новый пароль 2' })
    assert.equal(await status(third), 401)
    const journal = await administrator.get(`/journal/staff?object_id=${id}`)
    assert.ok(!journal.text.includes(one.token.slice(10, -4)), journal.text)
  })
})

test('requests at once are each from their own user, by token or session, and none from a revoked one', async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => newUser()))
  const ways = await Promise.all(
    users.map(async ({ id, login }) => {
      const issued = await administrator.post(`/users/${id}/tokens`, { name: 'Терминал' })
      const revoked = await administrator.post(`/users/${id}/tokens`, { name: 'Потерян' })
      const { id: lost, token: lostToken } = revoked.body as { id: string; token: string }
      await administrator.delete(`/users/${id}/tokens/${lost}`)
      const session = cookieOf(await signIn(login))
      return { login, token: (issued.body as { token: string }).token, lostToken, session }
    }),
  )
  const loginOf = ({ body }: Answer) => (body as { login?: string }).login
  const asked = Array.from({ length: 5 }, () => ways).flat()
  const answers = await Promise.all(
    asked.map(async ({ token, lostToken, session }) => [
      loginOf(await staffCalls(service.baseUrl, token).get('/session')),
      loginOf(await ask(session)),
      (await staffCalls(service.baseUrl, lostToken).get('/session')).status,
    ]),
  )
  assert.deepEqual(
    answers,
    asked.map(({ login }) => [login, login, 401]),
  )
})

test('a token is named after its user by default', async () => {
  const { id, login } = await newUser('worker')
  for (const body of [undefined, {}]) {
    const issued = await administrator.post(`/users/${id}/tokens`, body)
    assert.equal(issued.status, 201, issued.text)
    const { token } = issued.body as { token: string }
    const { status, body: member } = await staffCalls(service.baseUrl, token).get('/session')
    assert.deepEqual([status, (member as { login: string }).login], [200, login])
  }
  assertRefused(await administrator.post(`/users/${id}/tokens`, { name: '' }), 'validation_error')
})

test('the last active administrator keeps role and access', async () => {
  const { items } = (await administrator.get('/users')).body as { items: (User & Fields)[] }
  const others = items.filter(
    ({ id, role }) => role === 'administrator' && id !== administrator.userId,
  )
  for (const { id } of others) await administrator.patch(`/users/${id}`, { active: false })
  for (const patch of [{ active: false }, { role: 'manager' }]) {
    assertRefused(await administrator.patch(`/users/${administrator.userId}`, patch), 'conflict')
  }
  assert.equal((await administrator.get('/users')).status, 200)
})

test('requests from pages of other sites change nothing', async () => {
  const { login } = await newUser('manager')
  const cookie = cookieOf(await signIn(login))
  const foreign = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'https://sklad.example.evil.example' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ]
  const post = (headers: Readonly<Record<string, string>>, name: string) =>
    client.call('/staff/v1/clients', { headers: { Cookie: cookie, ...headers }, body: { name } })
  for (const headers of foreign) {
    assertRefused(await post(headers, 'чужой'), 'forbidden', 'чужого сайта')
    assertRefused(await ask(cookie, 'DELETE', '/session', headers), 'forbidden')
    const body = { login, password }
    assertRefused(await client.call('/staff/v1/session', { headers, body }), 'forbidden')
  }
  const own = [
    {},
    { Origin: 'https://sklad.example', 'Sec-Fetch-Site': 'same-origin' },
    { Origin: service.baseUrl },
    { 'Sec-Fetch-Site': 'none' },
  ]
  for (const headers of own) assert.equal((await post(headers, 'свой')).status, 201)
  const behindProxy = await post({ Origin: 'https://proxy.example' }, 'чужой')
  assertRefused(
    behindProxy,
    'forbidden',
    /https:\/\/proxy\.example.*BASE_URL.*https:\/\/sklad\.example$/,
  )
  const { total } = (await ask(cookie, 'GET', '/clients?search=чужой')).body as { total: number }
  assert.equal(total, 0)
})

test('the session is found among other cookies, and other texts are no session', async () => {
  const { login } = await newUser()
  const cookie = cookieOf(await signIn(login))
  assert.equal((await ask(`theme=dark; ${cookie}; lang="ru"; broken`)).status, 200)
  for (const value of ['', 'x', cookie.slice(0, -1), `${cookie}x`, cookie.replace('=', '%3D')]) {
    assertRefused(await ask(`theme=dark; ${value}`), 'unauthorized', 'Войдите')
  }
})

test('a token needs no cookie, and has precedence over one', async () => {
  const { login } = await newUser()
  const Cookie = cookieOf(await signIn(login))
  const call = (Authorization: string) =>
    client.call('/staff/v1/session', { headers: { Cookie, Authorization } })
  const { token } = administrator
  assert.equal(((await call(`Bearer ${token}`)).body as User).login, administrator.login)
  assert.equal(((await call(`bearer  ${token} `)).body as User).login, administrator.login)
  for (const other of [`Basic ${token}`, token, 'Bearer', `Bearer ${token}x`]) {
    assertRefused(await call(other), 'unauthorized')
  }
})

test('ended sessions, old failures and places long unused are deleted', async () => {
  const { sweepSignIns } = await import('../../src/identity/staff/sign-in.ts')
  const { systemClock } = await import('../../src/platform/kernel/clock.ts')
  const { id, login } = await newUser()
  const cookie = cookieOf(await signIn(login))
  await signIn(login, 'не тот')
  await db`
    insert into staff_sessions (hash, user_id, created_at, used_at)
    select decode(md5(n::text), 'hex'), ${id}, now() - interval '1 day', now() - interval '13 hours'
    from generate_series(1, 3) n`
  await db`
    insert into sign_in_failures values ('pair old', 7, now() - interval '25 hours')`
  await db`
    insert into sign_in_places values
      ('\\x01', ${id}, now() - interval '91 days'), ('\\x02', ${id}, now() - interval '89 days')`
  await sweepSignIns(db, systemClock)
  const [{ sessions }] = await db<[{ sessions: number }]>`
    select count(*) as sessions from staff_sessions where user_id = ${id}`
  assert.equal(sessions, 1)
  assert.equal((await ask(cookie)).status, 200)
  const places = await db<{ place: string }[]>`
    select encode(place, 'hex') as place from sign_in_places where length(place) = 1`
  assert.deepEqual(places, [{ place: '02' }])
  const failures = await db`select subject from sign_in_failures where failures > 0`
  assert.ok(failures.length > 0)
  assert.ok(!failures.some(({ subject }) => subject === 'pair old'))
})

test('a page asks who has signed in without being refused, and only such a page', async () => {
  const asked = '/staff/v1/session?optional=true'
  assert.equal((await client.call(asked)).status, 204)
  assert.equal((await client.call('/account/v1/session?optional=true')).status, 204)
  assertRefused(await client.call('/staff/v1/session'), 'unauthorized')
  assertRefused(await client.call('/account/v1/session'), 'unauthorized')
  assertRefused(await client.call('/staff/v1/session?optional=yes'), 'bad_request')
  assertRefused(await client.call('/staff/v1/shifts?optional=true'), 'unauthorized')
  const Cookie = `sklad_session=${'a'.repeat(43)}`
  assert.equal((await client.call(asked, { headers: { Cookie } })).status, 204)
  const Authorization = 'Bearer nobody'
  assertRefused(await client.call(asked, { headers: { Authorization } }), 'unauthorized')
})
