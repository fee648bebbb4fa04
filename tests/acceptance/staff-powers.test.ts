import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import type { Role } from '../../src/identity/staff/roles.ts'
import type { StaffUser } from '../../src/identity/staff/users.ts'
import { accountClient, accountUser } from '../support/account.ts'
import { type Answer, assertRefused } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { good } from '../support/shipping.ts'
import { type StaffClient, staffCalls, staffClient } from '../support/staff.ts'

/** Powers over persons whom several clients or warehouses share: whoever uses one answers for all of them. */
const service = await startService()
const admin = await staffClient(service, 'administrator')
const manager = await staffClient(service, 'manager')
const anybody = accountClient(service.baseUrl)

async function newWarehouse(): Promise<string> {
  const code = `W-${randomUUID().slice(0, 8)}`
  good(await admin.post('/warehouses', { code, name: code }), 201)
  return code
}
const [one, two] = [await newWarehouse(), await newWarehouse()] as const

const give = async (userId: string, ...warehouse_codes: string[]) =>
  good(await admin.put(`/users/${userId}/warehouses`, { warehouse_codes }))

/** Somebody who works in these warehouses alone. */
async function bounded(role: Role, ...codes: string[]): Promise<StaffClient> {
  const user = await staffClient(service, role)
  await give(user.userId, ...codes)
  return user
}

async function newClient(warehouse_code: string): Promise<string> {
  const draft = { name: `ООО «${randomUUID().slice(0, 8)}»`, warehouse_code }
  return good<{ id: string }>(await admin.post('/clients', draft), 201).id
}

const tokenOf = (answer: Answer) => good<{ link: string }>(answer, 201).link.split('#')[1] ?? ''
const accept = (token: string, login: string) =>
  anybody.post('/invitations/accept', { token, login, password: 'верный пароль 1' })
const look = (token: string) => anybody.post('/password-links/look', { token })

suite('a link for a new password', () => {
  const ask = (by: StaffClient, client: string, userId: string) =>
    by.post(`/clients/${client}/users/${userId}/password-link`, { drops_codes: true })

  // Guarantee (sellers): Only somebody who answers for all clients of a user makes a link for a new password.
  test('is made by whoever answers for all clients of its user, and by nobody else', async () => {
    const [here, there] = [await newClient(one), await newClient(two)]
    const { userId } = await accountUser(service, { [here]: 'viewer', [there]: 'owner' })
    const refused = await ask(await bounded('manager', one), here, userId)
    assertRefused(refused, 'forbidden', 'администратор или менеджер всех этих складов')
    assertRefused(await ask(await bounded('administrator', one), here, userId), 'forbidden')
    for (const by of [await bounded('manager', one, two), manager, admin]) {
      assert.equal((await look(tokenOf(await ask(by, here, userId)))).status, 200)
    }
    const own = await accountUser(service, { [here]: 'owner', [await newClient(one)]: 'viewer' })
    const link = await ask(await bounded('manager', one), here, own.userId)
    assert.equal((await look(tokenOf(link))).status, 200)
  })

  // Guarantee (sellers): Such a link works only while its maker answers for all of them.
  test('ends when its user comes to work for a client whom its maker does not answer for', async () => {
    const [here, there] = [await newClient(one), await newClient(two)]
    const { userId, login } = await accountUser(service, { [here]: 'viewer' })
    const link = tokenOf(await ask(await bounded('manager', one), here, userId))
    assert.equal((await look(link)).status, 200)
    const invited = await manager.post(`/clients/${there}/users`, { role: 'owner', note: 'Анна' })
    assert.equal((await accept(tokenOf(invited), login)).status, 201)
    assertRefused(await look(link), 'not_found')
    const used = { token: link, password: 'совсем новый' }
    assertRefused(await anybody.post('/password-links/use', used), 'not_found')
  })

  for (const [loss, lose] of [
    ['the access', (id: string) => admin.patch(`/users/${id}`, { active: false })],
    ['the role', (id: string) => admin.patch(`/users/${id}`, { role: 'worker' })],
    [
      'the warehouse',
      (id: string) => admin.put(`/users/${id}/warehouses`, { warehouse_codes: [two] }),
    ],
  ] as const) {
    test(`ends with ${loss} of its maker, and so does an invitation`, async () => {
      const client = await newClient(one)
      const { userId } = await accountUser(service, { [client]: 'viewer' })
      const maker = await staffClient(service, 'manager')
      const link = tokenOf(await ask(maker, client, userId))
      const users = `/clients/${client}/users`
      const invited = tokenOf(await maker.post(users, { role: 'owner', note: 'Анна' }))
      assert.equal((await anybody.post('/invitations/look', { token: invited })).status, 200)
      good(await lose(maker.userId))
      assertRefused(await look(link), 'not_found')
      assertRefused(await anybody.post('/invitations/look', { token: invited }), 'not_found')
      assertRefused(await accept(invited, `late-${randomUUID().slice(0, 8)}`), 'not_found')
      const listed = good<{ invitations: { status: string }[] }>(await manager.get(users))
      assert.equal(listed.invitations[0]?.status, 'REVOKED')
    })
  }
})

test('an invitation of an owner who is none any more lets nobody in', async () => {
  const client = await newClient(one)
  const [owner, next] = [
    await accountUser(service, { [client]: 'owner' }),
    await accountUser(service, { [client]: 'owner' }),
  ]
  const password = 'верный пароль 1'
  const draft = { role: 'owner', note: 'себе', password }
  const token = tokenOf(await owner.post('/invitations', draft))
  assert.equal((await next.post(`/users/${owner.userId}/remove`, { password })).status, 204)
  assertRefused(await accept(token, `back-${randomUUID().slice(0, 8)}`), 'not_found')
})

suite('a user of staff', () => {
  const changes = (id: string) =>
    [
      ['PIN', (by: StaffClient) => by.put(`/users/${id}/pin`, { pin: '4071' })],
      [
        'warehouses',
        (by: StaffClient) => by.put(`/users/${id}/warehouses`, { warehouse_codes: [one] }),
      ],
      ['password', (by: StaffClient) => by.patch(`/users/${id}`, { password: 'другой пароль' })],
      ['role', (by: StaffClient) => by.patch(`/users/${id}`, { role: 'administrator' })],
      ['tokens', (by: StaffClient) => by.post(`/users/${id}/tokens`, {})],
      ['tokens', (by: StaffClient) => by.delete(`/users/${id}/tokens/${randomUUID()}`)],
    ] as const

  // Guarantee (staff): A user of several warehouses is changed only by somebody who answers for all of them.
  test('of several warehouses is changed by whoever answers for all of them', async () => {
    const local = await bounded('administrator', one)
    for (const codes of [[], [one, two]]) {
      const { userId } = await bounded('worker', ...codes)
      for (const [what, act] of changes(userId)) {
        assertRefused(await act(local), 'forbidden', 'менеджеру всех его складов')
        const both = await act(await bounded('administrator', one, two))
        if (codes.length > 0 && what !== 'tokens') good(both)
        if (codes.length > 0) await give(userId, one, two)
      }
    }
    const { userId } = await bounded('worker', one)
    assert.equal((await local.post(`/users/${userId}/tokens`, {})).status, 201)
  })

  test('who is an administrator is changed by no manager', async () => {
    const { userId } = await staffClient(service, 'administrator')
    for (const [, act] of changes(userId).slice(0, 2)) {
      assertRefused(await act(manager), 'forbidden', 'только администратор')
    }
  })

  test('who is made by an administrator of some warehouses works in these', async () => {
    const local = await bounded('administrator', one)
    const draft = { login: `new-${randomUUID().slice(0, 8)}`, role: 'administrator' }
    const made = good<StaffUser>(await local.post('/users', draft), 201)
    assert.deepEqual(made.warehouses, [one])
  })

  test('who is the last administrator of all warehouses stays one', async () => {
    const own = await startService()
    const last = await staffClient(own, 'administrator')
    const others = good<{ items: StaffUser[] }>(await last.get('/users')).items
    for (const { id } of others.filter(({ id }) => id !== last.userId)) {
      good(await last.patch(`/users/${id}`, { active: false }))
    }
    good(await last.post('/warehouses', { code: 'ONLY', name: 'Один' }), 201)
    const local = await staffClient(own, 'administrator')
    const only = { warehouse_codes: ['ONLY'] }
    good(await last.put(`/users/${local.userId}/warehouses`, only))
    const calls = staffCalls(own.baseUrl, last.token)
    assertRefused(
      await calls.put(`/users/${last.userId}/warehouses`, only),
      'conflict',
      'последний',
    )
    for (const patch of [{ active: false }, { role: 'manager' }]) {
      assertRefused(await calls.patch(`/users/${last.userId}`, patch), 'conflict', 'последний')
    }
    good(await last.put(`/users/${local.userId}/warehouses`, { warehouse_codes: [] }))
    good(await calls.put(`/users/${last.userId}/warehouses`, only))
  })
})

test('an administrator of some warehouses has no power over all, and reads no journal of others', async () => {
  const local = await bounded('administrator', one)
  const [here, there] = [await newClient(one), await newClient(two)]
  const made = await admin.post(`/clients/${there}/keys`, { name: 'Ключ' })
  for (const by of [admin, local]) {
    const users = `/clients/${here}/users`
    assert.equal((await by.post(users, { role: 'viewer', note: 'Анна' })).status, 201)
  }
  assert.equal(made.status, 201)
  const clients = good<{ items: { client_id: string | null }[] }>(
    await local.get('/journal/staff?limit=1000'),
  ).items.map(({ client_id }) => client_id)
  assert.ok(clients.includes(here))
  assert.ok(!clients.includes(there) && !clients.includes(null))
  const all = 'администратору всех складов'
  for (const path of ['/webhooks-service', '/marketplaces-service']) {
    assertRefused(await local.put(path, { enabled: false }), 'forbidden', all)
  }
  assertRefused(await local.post('/warehouses', { code: 'NEW', name: 'Новый' }), 'forbidden', all)
})
