import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StaffCabinet } from '../../src/warehouse/clients/cabinet-view.ts'
import { accountUser } from '../support/account.ts'
import type { FakeAccount } from '../support/marketplaces/fake.ts'
import { startFakes } from '../support/marketplaces/fakes.ts'
import { fakeToken } from '../support/marketplaces/wildberries.ts'
import { startService } from '../support/service.ts'
import { good } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'

/** Credentials are checked at their marketplace before they are stored. No worker runs: nothing syncs. */
const { wb, ozon, settings } = await startFakes()
const service = await startService(settings)
const withSandbox = await startService({ ...settings, WB_SANDBOX_BASE_URL: wb.baseUrl })
const manager = await staffClient(service, 'manager')
const month = 30 * 86_400

async function newClient(): Promise<string> {
  return good<{ id: string }>(await manager.post('/clients', { name: 'ООО «Ключ»' }), 201).id
}

const draftOf = (marketplace: 'WB' | 'OZON', credentials: object) => ({
  marketplace,
  name: marketplace,
  credentials,
})

/** A token with these claims, which the stand-in does not know. */
const tokenWith = (claims: object) =>
  fakeToken({ sid: crypto.randomUUID(), exp: Math.floor(Date.now() / 1000) + month, ...claims })

async function cabinetsOf(client: string): Promise<number> {
  return good<{ total: number }>(await manager.get(`/clients/${client}/cabinets`)).total
}

const bits = (...positions: number[]) => positions.reduce((sum, bit) => sum + 2 ** bit, 0)

test('a key that the marketplace accepts is good at once, and says what it may do and until when', async () => {
  const client = await newClient()
  const path = `/clients/${client}/cabinets`
  const first = await manager.post(path, draftOf('WB', wb.account().credentials))
  const cabinet = good<StaffCabinet>(first, 201)
  assert.equal(cabinet.credentials_state, 'good')
  assert.deepEqual(cabinet.credentials_rights, ['Маркетплейс', 'Контент'])
  assert.ok((cabinet.credentials_expire_at ?? '') > cabinet.created_at)
  assert.equal(cabinet.credentials_sandbox, false)
  assert.equal(cabinet.credentials_note, undefined)
  const second = await manager.post(path, draftOf('OZON', ozon.account().credentials))
  const other = good<StaffCabinet>(second, 201)
  assert.deepEqual([other.credentials_state, other.credentials_rights], ['good', ['Admin']])
  assert.ok((other.credentials_expire_at ?? '') > other.created_at)
})

test('a token for the sandbox is refused, unless the operator has named the sandbox', async () => {
  const draft = draftOf('WB', wb.sandboxAccount().credentials)
  const answer = await manager.post(`/clients/${await newClient()}/cabinets`, draft)
  assert.deepEqual([answer.status, answer.code], [400, 'validation_error'])
  assert.match(answer.message, /токен Тестовый.*выпустите Базовый токен.*«Доступ к API»/)
  const other = await staffClient(withSandbox, 'manager')
  const client = good<{ id: string }>(await other.post('/clients', { name: 'ООО «Проба»' }), 201)
  const added = await other.post(`/clients/${client.id}/cabinets`, draft)
  const { credentials_sandbox, credentials_type } = good<StaffCabinet>(added, 201)
  assert.deepEqual([credentials_sandbox, credentials_type], [true, 'test'])
})

test('the kind of a token is shown, and a personal one is not for a warehouse', async () => {
  const client = await newClient()
  const path = `/clients/${client}/cabinets`
  for (const [claims, type, note] of [
    [{ acc: 1 }, 'base', undefined],
    [{ acc: 3, for: 'self' }, 'personal', /Персональный.*нельзя. Попросите у продавца Базовый/],
    [{ acc: 4, for: 'asid:1' }, 'service', undefined],
    [{}, null, undefined],
  ] as const) {
    const answer = await manager.post(path, draftOf('WB', wb.accountWith(claims).credentials))
    const cabinet = good<StaffCabinet>(answer, 201)
    assert.deepEqual([cabinet.credentials_type, cabinet.credentials_state], [type, 'good'])
    if (note === undefined) assert.equal(cabinet.credentials_note, undefined)
    else assert.match(cabinet.credentials_note ?? '', note)
  }
  const seller = await accountUser(service, { [client]: 'viewer' })
  const { cabinets } = good<{ cabinets: { problems: string[] }[] }>(await seller.get('/attention'))
  const personal = cabinets.filter(({ problems }) => problems.includes('credentials_personal'))
  assert.equal(personal.length, 1)
})

// Guarantee (marketplaces): A key that the marketplace clearly refuses is not stored.
test('a refused, expired, read-only or insufficient key is refused by name, and nothing is stored', async () => {
  const client = await newClient()
  const path = `/clients/${client}/cabinets`
  const refused: readonly [draft: ReturnType<typeof draftOf>, what: RegExp][] = [
    [draftOf('WB', { token: tokenWith({}) }), /token.*WB не принимает этот токен/],
    [
      draftOf('WB', { token: tokenWith({ exp: 1_700_000_000 }) }),
      /token.*действовал до 1[45]\.11\.2023/,
    ],
    [draftOf('WB', { token: tokenWith({ s: bits(1, 4, 30) }) }), /token.*только на чтение/],
    [
      draftOf('WB', { token: tokenWith({ s: bits(4) }) }),
      /не хватает категорий: «Контент»; выпустите Базовый/,
    ],
    [draftOf('WB', { token: tokenWith({ s: bits(1, 2) }) }), /не хватает категорий: «Маркетплейс»/],
    [draftOf('OZON', { client_id: '9999999', api_key: 'unknown' }), /api_key.*OZON не принимает/],
  ]
  for (const [draft, what] of refused) {
    const answer = await manager.post(path, draft)
    assert.deepEqual([answer.status, answer.code], [400, 'validation_error'], answer.text)
    assert.match(answer.message, what)
  }
  assert.equal(await cabinetsOf(client), 0)
  const account = wb.account()
  const { id } = good<StaffCabinet>(
    await manager.post(path, draftOf('WB', account.credentials)),
    201,
  )
  const patch = await manager.patch(`/cabinets/${id}`, { credentials: { token: tokenWith({}) } })
  assert.deepEqual([patch.status, patch.code], [400, 'validation_error'])
  const { credentials_state } = good<StaffCabinet>(await manager.get(`/cabinets/${id}`))
  assert.equal(credentials_state, 'good')
})

test('one right too few is named, at WB by its category and at OZON by its orders', async () => {
  const client = await newClient()
  const path = `/clients/${client}/cabinets`
  const denied = { status: 401, body: { title: 'unauthorized', detail: 'token scope not allowed' } }
  wb.failNext(1, denied, '/content/')
  const content = await manager.post(path, draftOf('WB', wb.account().credentials))
  assert.match(content.message, /не хватает категории «Контент»/)
  const missing = { code: 7, message: 'Api-Key is missing a required role for the method' }
  ozon.failNext(1, { status: 403, body: missing }, '/v4/posting/fbs/list')
  const orders = await manager.post(path, draftOf('OZON', ozon.account().credentials))
  assert.match(orders.message, /не хватает прав на заказы FBS/)
  assert.equal(await cabinetsOf(client), 0)
})

test('while the marketplace is away, hangs or limits calls, the key is stored unchecked, and the answer says so', async () => {
  const client = await newClient()
  const path = `/clients/${client}/cabinets`
  const failures = ['reset', 'hang', { status: 429 }, { status: 503 }] as const
  for (const how of failures) {
    wb.failNext(2, how)
    const begun = performance.now()
    const answer = await manager.post(path, draftOf('WB', wb.account().credentials))
    assert.ok(performance.now() - begun < 10_000)
    const cabinet = good<StaffCabinet>(answer, 201)
    assert.equal(cabinet.credentials_state, 'unchecked')
    assert.match(cabinet.credentials_note ?? '', /не проверены/)
    assert.equal(cabinet.credentials_rights, null)
    assert.ok((cabinet.credentials_expire_at ?? '') > cabinet.created_at)
    wb.heal()
    await service.db`update marketplace_buckets set full_at = 0, held_until = 0`.affected()
  }
})

// Guarantee (marketplaces): An account of a marketplace belongs to one client and one cabinet.
test('an account belongs to one client and one cabinet, also when two connect it at once', async () => {
  const [one, two] = [await newClient(), await newClient()]
  const connect = (client: string, account: FakeAccount, marketplace: 'WB' | 'OZON') =>
    manager.post(`/clients/${client}/cabinets`, draftOf(marketplace, account.credentials))
  for (const [marketplace, fake] of [
    ['WB', wb],
    ['OZON', ozon],
  ] as const) {
    const account = fake.account()
    const both = await Promise.all([
      connect(one, account, marketplace),
      connect(two, account, marketplace),
    ])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 400])
    const [winner, loser] = both[0]?.status === 201 ? [one, two] : [two, one]
    const other = await connect(loser, account, marketplace)
    assert.match(other.message, /уже подключён у другого клиента/)
    const again = await connect(winner, account, marketplace)
    assert.match(
      again.message,
      new RegExp(`уже подключён у этого клиента, в кабинете «${marketplace}»`),
    )
    const { id } = good<StaffCabinet>(both.find(({ status }) => status === 201) ?? again, 201)
    good(await manager.patch(`/cabinets/${id}`, { credentials: account.credentials }))
    good(await manager.patch(`/cabinets/${id}`, { active: false }))
    good(await connect(loser, account, marketplace), 201)
    const back = await manager.patch(`/cabinets/${id}`, { active: true })
    assert.deepEqual([back.status, back.code], [409, 'conflict'])
    assert.match(back.message, /нельзя включить, этот аккаунт уже подключён у другого клиента/)
  }
})
