import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import {
  type AccountClient,
  accountUser,
  openSandboxAccount,
  sellersPassword,
} from '../support/account.ts'
import { type Answer, assertRefused, openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'

/** An owner asks for a key in the account, a manager decides, and the owner sees the value once. */

const service = await sharedService()
const administrator = await staffClient(service, 'administrator')
const manager = await staffClient(service, 'manager')

interface Shown {
  readonly id: string
  readonly status: string
  readonly key_id: string | null
  readonly reason: string | null
}
const draft = { name: '1С', purpose: 'Сверять остатки', receipts_enabled: true }
const password = { password: sellersPassword }

function shown(answer: Answer, status = 200): Shown {
  assert.equal(answer.status, status, answer.text)
  return answer.body as Shown
}

async function scene() {
  const client = await perform(service.db, systemClock, { kind: 'service' }, (work) =>
    createClient(work, { mode: 'live', name: 'ООО «Север»' }),
  )
  const owner = await accountUser(service, { [client]: 'owner' })
  const decide = (id: string, decision: string, body?: object, by = manager) =>
    by.post(`/clients/${client}/key-requests/${id}/${decision}`, body)
  const ask = async (by: AccountClient = owner) => shown(await by.post('/key-requests', draft), 201)
  const reveal = (id: string, by: AccountClient = owner) =>
    by.post(`/key-requests/${id}/reveal`, password)
  return { client, owner, decide, ask, reveal }
}

// Guarantee (keys): A key that an owner asked for is shown once, to an owner who gives the password, never to staff.
test('a key that an owner asked for is shown to the owner once, and to nobody else', async () => {
  const { client, owner, decide, ask, reveal } = await scene()
  const asked = await ask()
  assert.deepEqual([asked.status, asked.key_id], ['WAITING', null])
  const accepted = await decide(asked.id, 'accept')
  const { status, key_id } = shown(accepted)
  assert.equal(status, 'ISSUED')
  const listed = [
    await manager.get(`/clients/${client}/key-requests`),
    await manager.get(`/clients/${client}/keys`),
    await owner.get('/key-requests'),
  ]
  assertRefused(
    await owner.post(`/key-requests/${asked.id}/reveal`, { password: 'чужой пароль 1' }),
    'validation_error',
    'password',
  )
  const revealed = await reveal(asked.id)
  const { key, request } = revealed.body as { key: string; request: Shown }
  assert.deepEqual([revealed.status, request.status], [200, 'REVEALED'])
  const me = await openClient(service.baseUrl, key).get('/v1/me')
  const { client: own, key: known } = me.body as { client: Shown; key: Shown & { name: string } }
  assert.deepEqual([own.id, known.id, known.name], [client, key_id, draft.name])
  assertRefused(await reveal(asked.id), 'conflict', 'уже показано')
  const journal = await administrator.get(`/journal/staff?object_id=${asked.id}`)
  assert.deepEqual(
    (journal.body as { items: { action: string }[] }).items.map(({ action }) => action),
    ['revealAccountKey', 'acceptKeyRequest', 'askForAccountKey'],
  )
  const secret = key.slice(9, -4)
  for (const { text } of [accepted, ...listed, journal]) {
    assert.ok(!text.includes(secret), text)
  }
  const [row] = await service.db<{ text: string }[]>`
    select r::text as text from key_requests r where r.id = ${asked.id}`
  assert.ok(!row?.text.includes(secret))
  const revoked = await owner.post(`/keys/${key_id}/revoke`, password)
  assert.equal(revoked.status, 200, revoked.text)
  assertRefused(await openClient(service.baseUrl, key).get('/v1/me'), 'key_revoked')
})

suite('a request', () => {
  test('is declined with a reason, or withdrawn until it is decided', async () => {
    const { owner, decide, ask, reveal } = await scene()
    const [declined, withdrawn] = [await ask(), await ask()]
    assertRefused(
      await decide(declined.id, 'decline', { reason: ' ' }),
      'validation_error',
      'reason',
    )
    const answer = shown(await decide(declined.id, 'decline', { reason: 'Есть другой ключ' }))
    assert.deepEqual([answer.status, answer.reason], ['DECLINED', 'Есть другой ключ'])
    const withdraw = (id: string) => owner.post(`/key-requests/${id}/withdraw`)
    assert.equal(shown(await withdraw(withdrawn.id)).status, 'WITHDRAWN')
    assert.equal(shown(await withdraw(withdrawn.id)).status, 'WITHDRAWN')
    assertRefused(await withdraw(declined.id), 'conflict', 'склад отказал')
    assertRefused(await decide(declined.id, 'accept'), 'conflict', 'склад отказал')
    assertRefused(await decide(withdrawn.id, 'accept'), 'conflict', 'отменена')
    assertRefused(await decide(withdrawn.id, 'decline', { reason: 'Нет' }), 'conflict', 'отменена')
    for (const { id } of [declined, withdrawn]) assertRefused(await reveal(id), 'conflict')
  })

  test('waits for the manager among all that waits', async () => {
    const { client, decide, ask } = await scene()
    const { id } = await ask()
    const counted = async () => {
      const counters = (await manager.get(`/counters?client_id=${client}`)).body as Waiting
      const today = (await manager.get(`/today?client_id=${client}`)).body as Sections
      assert.equal(counters.key_requests, today.key_requests.total)
      const list = await manager.get(`/key-requests?client_id=${client}`)
      assert.deepEqual(list.body, today.key_requests)
      return today.key_requests.items.map(({ request_id }) => request_id)
    }
    interface Waiting {
      readonly key_requests: number
    }
    interface Sections {
      readonly key_requests: { total: number; items: { request_id: string }[] }
    }
    assert.deepEqual(await counted(), [id])
    const news =
      await service.db`select from news where client_id = ${client} and kind = 'key_asked'`
    assert.equal(news.length, 1)
    shown(await decide(id, 'accept'))
    assert.deepEqual(await counted(), [])
  })

  test('gives one key, however often it is accepted', async () => {
    const { client, decide, ask } = await scene()
    const { id } = await ask()
    const first = shown(await decide(id, 'accept'))
    assert.deepEqual(shown(await decide(id, 'accept', undefined, administrator)), first)
    const keys = (await manager.get(`/clients/${client}/keys`)).body as { items: unknown[] }
    assert.equal(keys.items.length, 1)
  })

  test('is one of five at most until its key is seen', async () => {
    const { owner, decide, ask, reveal } = await scene()
    const [first] = [await ask(), await ask(), await ask(), await ask(), await ask()]
    assertRefused(await owner.post('/key-requests', draft), 'conflict', '5')
    shown(await decide(first.id, 'accept'))
    assertRefused(await owner.post('/key-requests', draft), 'conflict', '5')
    assert.equal((await reveal(first.id)).status, 200)
    await ask()
  })

  test('names the program and says what the key is for', async () => {
    const { owner } = await scene()
    for (const field of ['name', 'purpose', 'receipts_enabled']) {
      const answer = await owner.post('/key-requests', { ...draft, [field]: undefined })
      assertRefused(answer, 'validation_error', field)
    }
    assertRefused(
      await owner.post('/key-requests', { ...draft, purpose: '   ' }),
      'validation_error',
      'purpose: строка от 1 до 500 символов не из одних пробелов',
    )
  })
})

test('a key that is revoked before anybody has seen it is never shown', async () => {
  const { decide, ask, reveal } = await scene()
  const { id } = await ask()
  const { key_id } = shown(await decide(id, 'accept'))
  assert.equal((await manager.post(`/keys/${key_id}/revoke`)).status, 200)
  assertRefused(await reveal(id), 'conflict', 'отозван')
})

test('only owners ask for keys and see them, and a sandbox has its own', async () => {
  const { client, decide, ask, reveal } = await scene()
  const { id } = await ask()
  shown(await decide(id, 'accept'))
  const other = await accountUser(service, { [client]: 'receipts' })
  assertRefused(await other.get('/key-requests'), 'forbidden')
  assertRefused(await other.post('/key-requests', draft), 'forbidden')
  assertRefused(await reveal(id, other), 'forbidden')
  const { account } = await openSandboxAccount(service)
  assertRefused(await account.post('/key-requests', draft), 'forbidden', 'песочница')
})
