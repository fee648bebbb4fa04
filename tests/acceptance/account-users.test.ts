import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import {
  type AccountClient,
  accountClient,
  accountUser,
  cookiesOf,
  sellersPassword,
} from '../support/account.ts'
import { type Answer, assertRefused } from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'

const clock = new ManualClock(Date.now())
const burst = 60
const settings = {
  TRUST_PROXY: 'true',
  BASE_URL: 'https://sklad.example',
  ACCOUNT_RATE_LIMIT_BURST: String(burst),
  ACCOUNT_RATE_LIMIT_PER_MINUTE: '1',
}
const service = { ...(await startService(settings, 'api', undefined, clock)), clock }
const { db } = service
const manager = await staffClient(service, 'manager')
const anybody = accountClient(service.baseUrl)
const hourMs = 3_600_000

let clients = 0
async function newClient(): Promise<string> {
  const answer = await manager.post('/clients', { name: `ООО «Клиент ${++clients}»` })
  assert.equal(answer.status, 201, answer.text)
  return (answer.body as { id: string }).id
}

let addresses = 0
const from = (address: string) => ({ 'X-Forwarded-For': address })
const newAddress = () => from(`203.0.113.${++addresses}`)

function signIn(login: string, extra: object = {}, headers = newAddress()): Promise<Answer> {
  const body = { login, password: sellersPassword, ...extra }
  return anybody.call('POST', '/session', body, headers)
}

interface Invited {
  readonly invitation: { readonly id: string; readonly status: string }
  readonly link: string
}
const tokenOf = (answer: Answer) => (answer.body as Invited).link.split('#')[1] ?? ''

const accept = (token: string, login: string, password = sellersPassword) =>
  anybody.call('POST', '/invitations/accept', { token, login, password }, newAddress())

suite('an invitation', () => {
  test('by a manager makes a user who signs in; its journal entries name who did what', async () => {
    const id = await newClient()
    const invited = await manager.post(`/clients/${id}/users`, { role: 'owner', note: 'Анна' })
    assert.equal(invited.status, 201)
    assert.match((invited.body as Invited).link, /^https:\/\/sklad\.example\/account\/invitation#/)
    const token = tokenOf(invited)
    const shown = await anybody.call('POST', '/invitations/look', { token })
    assert.equal((shown.body as { role: string }).role, 'owner')
    assert.equal((await accept(token, 'Anna@example.com')).status, 201)
    const answer = await signIn('anna@example.com')
    assert.equal(answer.status, 200, answer.text)
    const session = answer.body as { login: string; role: string; client: { id: string } }
    assert.deepEqual(
      [session.login, session.role, session.client.id],
      ['anna@example.com', 'owner', id],
    )
    assert.doesNotMatch(answer.text, /argon|hash/)
    const journal = await manager.get(`/journal/staff?client_id=${id}`)
    const entries = (journal.body as { items: { action: string; login: string }[] }).items
    assert.deepEqual(
      entries.slice(0, 2).map(({ action, login }) => [action, login]),
      [
        ['acceptInvitation', 'anna@example.com'],
        ['inviteClientUser', manager.login],
      ],
    )
    assert.ok(!journal.text.includes(token))
  })

  // Guarantee (sellers): An invitation makes one user.
  test('of several people who open it at once lets one in, and nobody afterwards', async () => {
    const id = await newClient()
    const token = tokenOf(await manager.post(`/clients/${id}/users`, { role: 'viewer', note: 'x' }))
    const logins = ['first', 'second', 'third'].map((name) => `${name}-${id.slice(-6)}`)
    const answers = await Promise.all(logins.map((login) => accept(token, login)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 404, 404])
    const { users } = (await manager.get(`/clients/${id}/users`)).body as { users: unknown[] }
    assert.equal(users.length, 1)
    assertRefused(await accept(token, 'late'), 'not_found', 'уже использована')
    // A refused acceptance leaves no login behind.
    const [row] = await db`select count(*) from seller_users where login = any(${logins})`
    assert.equal(row?.count, 1)
  })

  test('ends with seven days and when it is revoked', async () => {
    const id = await newClient()
    const draft = { role: 'viewer', note: 'x' }
    const late = tokenOf(await manager.post(`/clients/${id}/users`, draft))
    clock.advance(7 * 24 * hourMs)
    assertRefused(await accept(late, 'late-login'), 'not_found')
    const revoked = await manager.post(`/clients/${id}/users`, draft)
    const { invitation } = revoked.body as Invited
    await manager.post(`/clients/${id}/invitations/${invitation.id}/revoke`)
    assertRefused(await accept(tokenOf(revoked), 'late-login'), 'not_found')
  })

  test('of an owner is revoked by the password alone', async () => {
    const owner = await accountUser(service, { [await newClient()]: 'owner' })
    const draft = { role: 'viewer', note: 'x', password: sellersPassword }
    const invited = await owner.post('/invitations', draft)
    const { id } = (invited.body as Invited).invitation
    for (const body of [undefined, {}, { password: 'не тот пароль' }]) {
      const { status } = await owner.post(`/invitations/${id}/revoke`, body)
      assert.ok(status === 400 || status === 422, `${status}`)
    }
    assert.equal(
      (await anybody.call('POST', '/invitations/look', { token: tokenOf(invited) })).status,
      200,
    )
    const revoked = await owner.post(`/invitations/${id}/revoke`, { password: sellersPassword })
    assert.equal((revoked.body as Invited['invitation']).status, 'REVOKED')
    assertRefused(await accept(tokenOf(invited), 'late-login'), 'not_found')
  })

  test('adds a client to a login that exists, by its password alone', async () => {
    const [one, other] = [await newClient(), await newClient()]
    const user = await accountUser(service, { [one]: 'owner' })
    const made = await manager.post(`/clients/${other}/users`, { role: 'viewer', note: 'x' })
    assertRefused(await accept(tokenOf(made), user.login, 'чужой пароль'), 'unauthorized')
    assert.equal((await accept(tokenOf(made), user.login)).status, 201)
    const switched = await user.call('PUT', '/session/client', { client_id: other })
    const { role, client } = switched.body as { role: string; client: { id: string } }
    assert.deepEqual([role, client.id], ['viewer', other])
    const third = await newClient()
    assertRefused(await user.call('PUT', '/session/client', { client_id: third }), 'not_found')
  })
})

suite('a session', () => {
  test('is a cookie for the account alone, and opens nothing of the staff side', async () => {
    const { login } = await accountUser(service, { [await newClient()]: 'owner' })
    const answer = await signIn(login.toUpperCase())
    const [session = '', browser = ''] = answer.headers.getSetCookie()
    assert.match(
      session,
      /^sklad_account=[\w-]{43}; Max-Age=604800; Path=\/account; HttpOnly; Secure; SameSite=Strict$/,
    )
    assert.match(
      browser,
      /^sklad_account_browser=.+; Path=\/account\/v1; HttpOnly; Secure; SameSite=Strict$/,
    )
    const value = session.split(';')[0]?.split('=')[1] ?? ''
    const open = (path: string, headers: Record<string, string>) =>
      fetch(`${service.baseUrl}${path}`, { headers })
    const staff = { Cookie: `sklad_session=${value}; sklad_account=${value}` }
    assert.equal((await open('/staff/v1/session', staff)).status, 401)
    assert.equal((await open('/v1/me', { Cookie: `sklad_account=${value}` })).status, 401)
    const token = { Authorization: `Bearer ${manager.token}` }
    assert.equal((await open('/account/v1/session', token)).status, 401)
    // The database has no session that could be used.
    const [row] =
      await db`select count(*) from seller_sessions where encode(hash, 'escape') = ${value}`
    assert.equal(row?.count, 0)
  })

  test('may not be used by pages of other sites', async () => {
    const user = await accountUser(service, { [await newClient()]: 'owner' })
    const foreign = { Origin: 'https://evil.example' }
    assertRefused(await user.call('DELETE', '/sessions', undefined, foreign), 'forbidden')
    const cross = { 'Sec-Fetch-Site': 'cross-site' }
    assertRefused(await user.call('DELETE', '/session', undefined, cross), 'forbidden')
    assert.equal((await user.get('/session')).status, 200)
  })

  test('ends after twelve hours without a request', async () => {
    const { login } = await accountUser(service, { [await newClient()]: 'viewer' })
    const client = accountClient(service.baseUrl, cookiesOf(await signIn(login)))
    clock.advance(12 * hourMs - 1)
    assert.equal((await client.get('/session')).status, 200)
    clock.advance(12 * hourMs - 1)
    assert.equal((await client.get('/session')).status, 200)
    clock.advance(12 * hourMs + 1)
    assertRefused(await client.get('/session'), 'unauthorized')
  })

  test('is not used by what a page asks by itself', async () => {
    const { login } = await accountUser(service, { [await newClient()]: 'viewer' })
    const client = accountClient(service.baseUrl, cookiesOf(await signIn(login)))
    const refresh = () => client.call('GET', '/session', undefined, { 'X-Unattended': '1' })
    for (const _ of [1, 2, 3]) {
      clock.advance(4 * hourMs - 1)
      assert.equal((await refresh()).status, 200)
    }
    clock.advance(4)
    assertRefused(await refresh(), 'unauthorized')
    assertRefused(await client.get('/session'), 'unauthorized')
  })

  test('is listed, and each or all of them can be ended', async () => {
    const { login } = await accountUser(service, { [await newClient()]: 'viewer' })
    const [one, two, three] = await Promise.all(
      [1, 2, 3].map(async () => accountClient(service.baseUrl, cookiesOf(await signIn(login)))),
    )
    assert.ok(one && two && three)
    const listed = async (client: AccountClient) =>
      ((await client.get('/sessions')).body as { items: { id: string; is_current: boolean }[] })
        .items
    const before = await listed(one)
    assert.equal(before.filter(({ is_current }) => is_current).length, 1)
    const other = (await listed(two)).find(({ is_current }) => is_current)
    const path = `/sessions/${other?.id}`
    assert.equal((await one.call('DELETE', path)).status, 204)
    assertRefused(await one.call('DELETE', path), 'not_found')
    assertRefused(await two.get('/session'), 'unauthorized')
    assert.equal((await listed(one)).length, before.length - 1)
    assert.equal((await one.call('DELETE', '/sessions')).status, 204)
    for (const each of [one, three]) assertRefused(await each.get('/session'), 'unauthorized')
  })

  // Guarantee (account): A change in the account is done only while its session is open.
  test('that ends while a change waits changes nothing', async () => {
    const id = await newClient()
    const user = await accountUser(service, { [id]: 'owner' })
    let asked: Promise<Answer> | undefined
    await db.begin(async (tx) => {
      await tx`delete from seller_sessions where user_id = ${user.userId}`
      asked = user.post('/invitations', { role: 'viewer', note: 'x', password: sellersPassword })
      await eventually('the change waits', async () => {
        const waiting = await db`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return waiting.length > 0
      })
    })
    const answer = await asked
    assert.ok(answer)
    assertRefused(answer, 'unauthorized')
    const { invitations } = (await manager.get(`/clients/${id}/users`)).body as { invitations: [] }
    assert.deepEqual(invitations, [])
  })

  test('has a limit of its own', async () => {
    const id = await newClient()
    const [busy, calm] = [
      await accountUser(service, { [id]: 'viewer' }),
      await accountUser(service, { [id]: 'viewer' }),
    ]
    const answers = await Promise.all(Array.from({ length: burst + 1 }, () => busy.get('/session')))
    assert.equal(answers.filter(({ status }) => status === 200).length, burst)
    const refused = answers.find(({ status }) => status === 429)
    assert.ok(refused)
    assertRefused(refused, 'rate_limited')
    assert.equal((await calm.get('/session')).status, 200)
  })
})

suite('signing in', () => {
  test('waits longer after each failure, and strangers do not keep a user out', async () => {
    const { login } = await accountUser(service, { [await newClient()]: 'viewer' })
    const home = newAddress()
    assert.equal((await signIn(login, {}, home)).status, 200)
    const stranger = newAddress()
    for (let n = 0; n < 5; n++) {
      assertRefused(await signIn(login, { password: 'x' }, stranger), 'unauthorized')
    }
    assertRefused(await signIn(login, {}, stranger), 'rate_limited')
    assert.equal((await signIn(login, {}, home)).status, 200)
  })

  // Guarantee (sellers): A one-time code opens one session.
  test('with one-time codes takes each code once, and a recovery code once', async () => {
    const user = await accountUser(service, { [await newClient()]: 'viewer' })
    const password = sellersPassword
    assertRefused(
      await user.post('/one-time-codes', { password: 'x' }),
      'validation_error',
      'password',
    )
    const offered = (await user.post('/one-time-codes', { password })).body as { secret: string }
    const totp = new TOTP({ secret: Secret.fromBase32(offered.secret) })
    const code = () => totp.generate({ timestamp: clock.now() })
    // Until the first code the password is enough.
    assert.equal((await signIn(user.login)).status, 200)
    const wrong = String((Number(code()) + 1) % 1e6).padStart(6, '0')
    const refused = await user.post('/one-time-codes/confirm', { code: wrong })
    assertRefused(refused, 'validation_error', 'code')
    const confirmed = await user.post('/one-time-codes/confirm', { code: code() })
    const { recovery_codes: recovery } = confirmed.body as { recovery_codes: string[] }
    assert.equal(recovery.length, 10)

    assert.equal((await signIn(user.login)).status, 202)
    assertRefused(await signIn(user.login, { code: code() }), 'unauthorized', 'использован')
    clock.advance(60_000)
    assertRefused(await signIn(user.login, { password: 'x', code: code() }), 'unauthorized')
    const at = newAddress()
    const both = [
      signIn(user.login, { code: code() }, at),
      signIn(user.login, { code: code() }, at),
    ]
    const statuses = (await Promise.all(both)).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [200, 401])
    const spare = { code: recovery[0]?.toUpperCase() }
    assert.equal((await signIn(user.login, spare)).status, 200)
    assertRefused(await signIn(user.login, spare), 'unauthorized')
    const [row] = await db`
      select encode(totp_secret, 'escape') as sealed from seller_users where id = ${user.userId}`
    assert.ok(!String(row?.sealed).includes(offered.secret))

    clock.advance(60_000)
    const off = { password, code: code() }
    assertRefused(
      await user.post('/one-time-codes/drop', { ...off, code: wrong }),
      'validation_error',
    )
    assert.equal((await user.post('/one-time-codes/drop', off)).status, 204)
    assert.equal((await signIn(user.login)).status, 200)
  })

  test('has a name that its user changes, and goes on with it', async () => {
    const id = await newClient()
    const user = await accountUser(service, { [id]: 'viewer' })
    const nameNow = async () => ((await user.get('/session')).body as { name: string }).name
    assert.equal(await nameNow(), user.login)
    assert.equal((await user.call('PUT', '/name', { name: ' Анна Петрова ' })).status, 204)
    assert.equal(await nameNow(), 'Анна Петрова')
    const journal = await manager.get(`/journal/staff?client_id=${id}&limit=1`)
    const [entry] = (journal.body as { items: Record<string, unknown>[] }).items
    assert.equal(entry?.actor_name, 'Анна Петрова')
    assert.deepEqual(entry?.words, ['имя: нет → Анна Петрова'])
    const tooLong = { name: 'я'.repeat(101) }
    assertRefused(await user.call('PUT', '/name', tooLong), 'validation_error', 'name')
    assert.equal((await user.call('PUT', '/name', { name: '' })).status, 204)
    assert.equal(await nameNow(), user.login)
  })

  test('with a new password ends the other sessions', async () => {
    const user = await accountUser(service, { [await newClient()]: 'viewer' })
    const other = accountClient(service.baseUrl, cookiesOf(await signIn(user.login)))
    const change = { password: sellersPassword, new_password: 'совсем новый' }
    const wrong = { ...change, password: 'x' }
    assertRefused(await user.call('PUT', '/password', wrong), 'validation_error', 'password')
    assert.equal((await user.call('PUT', '/password', change)).status, 204)
    assertRefused(await other.get('/session'), 'unauthorized')
    assert.equal((await user.get('/session')).status, 200)
    assertRefused(await signIn(user.login), 'unauthorized')
    assert.equal((await signIn(user.login, { password: 'совсем новый' })).status, 200)
  })
})

suite('users of a client', () => {
  const password = sellersPassword

  test('are invited, changed and removed by an owner who gives the password again', async () => {
    const id = await newClient()
    const owner = await accountUser(service, { [id]: 'owner' })
    const user = await accountUser(service, { [id]: 'viewer' })
    const path = `/users/${user.userId}`
    const wrong = { role: 'owner', password: 'x' }
    assertRefused(await owner.call('PATCH', path, wrong), 'validation_error', 'password')
    const changed = await owner.call('PATCH', path, { role: 'receipts', password })
    assert.equal((changed.body as { role: string }).role, 'receipts')
    const invited = await owner.post('/invitations', { role: 'viewer', note: 'Пётр', password })
    assert.equal((await accept(tokenOf(invited), `petr-${id.slice(-6)}`)).status, 201)
    const { items } = (await owner.get('/users')).body as { items: unknown[] }
    assert.equal(items.length, 3)
    assert.equal((await owner.post(`${path}/remove`, { password })).status, 204)
    assertRefused(await user.get('/session'), 'unauthorized')
    assertRefused(await signIn(user.login), 'forbidden')
    const journal = await manager.get(`/journal/staff?client_id=${id}&actor=seller:${owner.userId}`)
    const entries = (journal.body as { items: { action: string; login: string }[] }).items
    assert.deepEqual(
      entries.map(({ action, login }) => [action, login]),
      ['removeAccountUser', 'createAccountInvitation', 'changeAccountUser'].map((action) => [
        action,
        owner.login,
      ]),
    )
  })

  // Guarantee (account): A client's account always keeps an owner.
  test('keep an owner, also when two owners take the role from each other at once', async () => {
    const id = await newClient()
    const [one, other] = [
      await accountUser(service, { [id]: 'owner' }),
      await accountUser(service, { [id]: 'owner' }),
    ]
    const change = (by: AccountClient, whom: string) =>
      by.call('PATCH', `/users/${whom}`, { role: 'viewer', password })
    const answers = await Promise.all([change(one, other.userId), change(other, one.userId)])
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const [row] = await db`
      select count(*) from seller_members where client_id = ${id} and role = 'owner'`
    assert.equal(row?.count, 1)
    const [loser, winner] = answers[0]?.status === 200 ? [other, one] : [one, other]
    assertRefused(await change(winner, winner.userId), 'conflict', 'последний владелец')
    assertRefused(await loser.get('/users'), 'forbidden', 'владелец')
  })

  // Guarantee (sellers): A link for a new password works once.
  test('who forgot the password get a link that sets a new one once, for a day, and ends their sessions', async () => {
    const id = await newClient()
    const owner = await accountUser(service, { [id]: 'owner' })
    const user = await accountUser(service, { [id]: 'viewer' })
    const path = `/users/${user.userId}/password-link`
    const ask = async (body: object = {}) =>
      owner.post(path, { password, drops_codes: false, ...body })
    assertRefused(await ask({ password: 'x' }), 'validation_error', 'password')
    const [replaced, link] = [tokenOf(await ask()), tokenOf(await ask())]
    const take = (token: string, chosen = 'совсем новый') =>
      anybody.post('/password-links/use', { token, password: chosen })
    assertRefused(await take(replaced), 'not_found', 'новую')
    const looked = await anybody.post('/password-links/look', { token: link })
    assert.equal((looked.body as { login: string }).login, user.login)
    assertRefused(await take(link, 'корот'), 'validation_error', 'password')
    const taken = await Promise.all([take(link), take(link)])
    assert.deepEqual(taken.map(({ status }) => status).sort(), [200, 404])
    assertRefused(await user.get('/session'), 'unauthorized')
    assertRefused(await signIn(user.login), 'unauthorized')
    assert.equal((await signIn(user.login, { password: 'совсем новый' })).status, 200)
    const late = tokenOf(await ask())
    clock.advance(25 * hourMs)
    assertRefused(await take(late), 'not_found')
    const journal = await manager.get(`/journal/staff?client_id=${id}`)
    const entries = (journal.body as { items: { action: string; login: string }[] }).items
    assert.deepEqual(
      entries.slice(0, 2).map(({ action, login }) => [action, login]),
      [
        ['makeAccountPasswordLink', owner.login],
        ['setPasswordByLink', user.login],
      ],
    )
    assert.ok(!journal.text.includes(link))
  })

  // Guarantee (sellers): A link that an owner makes never opens another client.
  test('who work for two clients get their link from a manager alone, and lose codes only if it says so', async () => {
    const [one, two] = [await newClient(), await newClient()]
    const owner = await accountUser(service, { [one]: 'owner' })
    const user = await accountUser(service, { [one]: 'viewer' })
    const path = `/users/${user.userId}/password-link`
    const early = tokenOf(await owner.post(path, { password, drops_codes: true }))
    const invited = await manager.post(`/clients/${two}/users`, { role: 'owner', note: 'Анна' })
    assert.equal((await accept(tokenOf(invited), user.login)).status, 201)
    // The password opens the second client too, where this owner is nobody.
    assertRefused(await anybody.post('/password-links/look', { token: early }), 'not_found')
    const use = (token: string) =>
      anybody.post('/password-links/use', { token, password: 'совсем новый' })
    assertRefused(await use(early), 'not_found')
    assertRefused(await owner.post(path, { password, drops_codes: false }), 'conflict', 'менеджер')
    const offered = (await user.post('/one-time-codes', { password })).body as { secret: string }
    const totp = new TOTP({ secret: Secret.fromBase32(offered.secret) })
    await user.post('/one-time-codes/confirm', { code: totp.generate({ timestamp: clock.now() }) })
    const link = async (drops_codes: boolean) =>
      tokenOf(
        await manager.post(`/clients/${one}/users/${user.userId}/password-link`, { drops_codes }),
      )
    assert.equal((await use(await link(false))).status, 200)
    const again = { password: 'совсем новый' }
    assert.equal((await signIn(user.login, again)).status, 202)
    assert.equal((await use(await link(true))).status, 200)
    assert.equal((await signIn(user.login, again)).status, 200)
  })

  test('keep no link of an owner who is none any more', async () => {
    const id = await newClient()
    const [owner, next] = [
      await accountUser(service, { [id]: 'owner' }),
      await accountUser(service, { [id]: 'owner' }),
    ]
    const asked = { password, drops_codes: false }
    const link = tokenOf(await owner.post(`/users/${next.userId}/password-link`, asked))
    const change = { role: 'viewer', password }
    assert.equal((await next.call('PATCH', `/users/${owner.userId}`, change)).status, 200)
    assertRefused(await anybody.post('/password-links/look', { token: link }), 'not_found')
  })

  test('of another client are none to an owner', async () => {
    const owner = await accountUser(service, { [await newClient()]: 'owner' })
    const stranger = await accountUser(service, { [await newClient()]: 'viewer' })
    const path = `/users/${stranger.userId}`
    assertRefused(await owner.call('PATCH', path, { role: 'owner', password }), 'not_found')
    assertRefused(await owner.post(`${path}/remove`, { password }), 'not_found')
    assert.equal((await stranger.get('/session')).status, 200)
  })
})
