import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountClient, sellersPassword } from '../support/account.ts'
import type { Answer } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { staffCalls, staffClient } from '../support/staff.ts'

const service = await startService()
const administrator = await staffClient(service, 'administrator')
const name = 'Анна Петрова'

function good<Body>(answer: Answer): Body {
  assert.ok(answer.status < 300, answer.text)
  return answer.body as Body
}

interface Person {
  readonly id: string
  readonly login: string
  readonly name: string
}

interface Entry {
  readonly actor_name: string
  readonly words: readonly string[]
}

async function entriesOf(objectId: string): Promise<Entry[]> {
  return good<{ items: Entry[] }>(await administrator.get(`/journal/staff?object_id=${objectId}`))
    .items
}

test('a user without a name is shown by the login, one with a name by that, in the journal too', async () => {
  const login = 'petrova'
  const made = good<Person>(await administrator.post('/users', { login, role: 'manager' }))
  assert.equal(made.name, login)
  const { token } = good<{ token: string }>(await administrator.post(`/users/${made.id}/tokens`))
  const petrova = staffCalls(service.baseUrl, token)
  const client = good<Person>(await petrova.post('/clients', { name: 'ООО Кружки' }))
  assert.equal((await entriesOf(client.id))[0]?.actor_name, login)

  const named = good<Person>(await administrator.patch(`/users/${made.id}`, { name: ` ${name} ` }))
  assert.deepEqual([named.name, named.login], [name, login])
  assert.equal((await entriesOf(client.id))[0]?.actor_name, name)
  assert.deepEqual((await entriesOf(made.id))[0]?.words, [`имя: нет → ${name}`])
  assert.equal(good<Person>(await petrova.get('/session')).name, name)

  const blank = good<Person>(await administrator.patch(`/users/${made.id}`, { name: '' }))
  assert.equal(blank.name, login)
  assert.deepEqual((await entriesOf(made.id))[0]?.words, [`имя: ${name} → нет`])
})

test('a new name ends no session and releases no task, a name with a new role does', async () => {
  const draft = { login: 'sidorov', role: 'worker', password: 'верный пароль склада' }
  const { id } = good<Person>(await administrator.post('/users', { ...draft, name }))
  const sessions = () => service.db`select from staff_sessions where user_id = ${id}`
  const { login, password } = draft
  good(await administrator.post('/session', { login, password }))
  good(await administrator.patch(`/users/${id}`, { name: 'Иван Сидоров' }))
  assert.equal((await sessions()).length, 1)
  good(await administrator.patch(`/users/${id}`, { name, role: 'manager' }))
  assert.equal((await sessions()).length, 0)
})

test('a name of more than a hundred characters is refused', async () => {
  const draft = { login: 'long-name', role: 'worker', name: 'я'.repeat(101) }
  assert.equal((await administrator.post('/users', draft)).status, 400)
})

test("a seller's user gives a name with the invitation, and the journal of staff shows it", async () => {
  const { id } = good<Person>(await administrator.post('/clients', { name: 'ООО Ложки' }))
  const { link } = good<{ link: string }>(
    await administrator.post(`/clients/${id}/users`, { role: 'owner', note: 'Анна' }),
  )
  const body = { token: link.split('#')[1], login: 'anna@example.com', name }
  const anybody = accountClient(service.baseUrl)
  good(await anybody.post('/invitations/accept', { ...body, password: sellersPassword }))
  const { users } = good<{ users: Person[] }>(await administrator.get(`/clients/${id}/users`))
  assert.deepEqual([users[0]?.name, users[0]?.login], [name, 'anna@example.com'])
  const { items } = good<{ items: Entry[] }>(
    await administrator.get(`/journal/staff?client_id=${id}`),
  )
  assert.equal(items[0]?.actor_name, name)
})
