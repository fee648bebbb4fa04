import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountUser } from '../support/account.ts'
import { assertRefused, openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { good, nobody, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'

/**
 * Who sees money, by every call that shows or changes it. Which these are, the documents of the APIs say: by their tag,
 * or by a price in what they answer.
 */

const service = await sharedService()
const [admin, floor] = await Promise.all([
  staffClient(service, 'administrator'),
  openFloor(service, { A: 1 }),
])
const { client, manager, worker } = floor

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly requestBody?: unknown
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >
}
interface Schema {
  readonly $ref?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const moneyFields = new Set(['price', 'prices', 'vat', 'vat_rate', 'monthly_minimum', 'charged'])

async function moneyCalls(api: 'staff' | 'account') {
  const answer = await fetch(`${service.baseUrl}/${api}/openapi.json`)
  const { paths, components } = (await answer.json()) as Document
  const showsMoney = (schema: Schema, seen: readonly string[] = []): boolean => {
    const { $ref: ref, items, anyOf = [], properties = {} } = schema
    if (ref !== undefined) {
      const name = ref.split('/').at(-1) ?? ''
      return !seen.includes(name) && showsMoney(components.schemas[name] ?? {}, [...seen, name])
    }
    return (
      Object.keys(properties).some((field) => moneyFields.has(field)) ||
      [...Object.values(properties), ...anyOf, ...(items ? [items] : [])].some((part) =>
        showsMoney(part, seen),
      )
    )
  }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags, responses }]) => {
        const answers = Object.values(responses).flatMap(({ content = {} }) =>
          Object.values(content),
        )
        return tags.includes('Деньги') || answers.some(({ schema }) => schema && showsMoney(schema))
      })
      .map(([method, { operationId, requestBody }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path: path.replace('{id}', client).replace(/\{\w+\}/g, nobody),
        ...(requestBody === undefined ? {} : { body: {} }),
      })),
  )
}

const staffCalls = await moneyCalls('staff')

test('every call about money refuses workers, and managers whom nobody lets; the others get further', async () => {
  assert.ok(staffCalls.length > 20)
  const allowed = await staffClient(service, 'manager')
  // What a worker was given before becomes nothing: workers never see money.
  for (const { userId } of [allowed, worker]) {
    await service.db`update staff_users set sees_money = true where id = ${userId}`
  }
  for (const { id, method, path, ...body } of staffCalls) {
    const ask = async ({ token }: { readonly token: string }) =>
      openClient(service.baseUrl, token, false).call(path, { method, ...body })
    assertRefused(await ask(worker), 'forbidden')
    assertRefused(await ask(manager), 'forbidden', 'разрешил администратор')
    assert.notEqual((await ask(allowed)).status, 403, id)
  }
})

test('the journal shows what was done with money to those who see it', async () => {
  const tariff = { first_day: '2026-11-01', prices: [] }
  good(await admin.post(`/clients/${client}/tariffs`, tariff), 201)
  good(await manager.put(`/clients/${client}/products/B`, { name: 'B', honest_mark: false }), 201)
  const actions = async ({ get }: typeof admin) => {
    const { items, total } = good<{ items: { action: string }[]; total: number }>(
      await get(`/journal/staff?client_id=${client}&limit=1000`),
    )
    assert.equal(total, items.length)
    return items.map(({ action }) => action)
  }
  assert.ok((await actions(admin)).includes('addClientTariff'))
  const shown = await actions(manager)
  assert.ok(shown.includes('putProduct'))
  const money = new Set(staffCalls.map(({ id }) => id))
  assert.deepEqual(
    shown.filter((action) => money.has(action)),
    [],
  )
  good(await admin.patch(`/users/${manager.userId}`, { sees_money: true }))
  assert.ok((await actions(manager)).includes('addClientTariff'))
})

test("of a seller's users only owners reach the calls about money", async () => {
  const calls = await moneyCalls('account')
  assert.ok(calls.length >= 9)
  const [owner, receipts, viewer] = [
    await accountUser(service, { [client]: 'owner' }),
    await accountUser(service, { [client]: 'receipts' }),
    await accountUser(service, { [client]: 'viewer' }),
  ]
  for (const { id, method, path } of calls) {
    assert.equal(method, 'GET')
    const asked = path.replace('/account/v1', '')
    for (const user of [receipts, viewer]) assertRefused(await user.get(asked), 'forbidden')
    assert.notEqual((await owner.get(asked)).status, 403, id)
  }
})
