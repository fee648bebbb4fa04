import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import {
  type AccountClient,
  accountUser,
  openSandboxAccount,
  sellersPassword,
} from '../support/account.ts'
import { assertRefused } from '../support/client.ts'
import { eventually } from '../support/faults.ts'
import { startService } from '../support/service.ts'

/** Money, people and programs of a seller as files: the rows of the lists that the account shows, to whom it shows them. */

const service = await startService()
const { db } = service

type Item = Readonly<Record<string, unknown>>
const itemsOf = (answer: { readonly body: unknown }) => (answer.body as { items: Item[] }).items

async function rowsOf(
  view: AccountClient,
  list: string,
  query = '',
  of = '',
): Promise<Record<string, string>[]> {
  const { status, text, headers } = await view.get(`/exports/${list}${of}?${query}&format=csv`)
  assert.equal(status, 200, text)
  assert.match(headers.get('content-disposition') ?? '', new RegExp(`="${list}-[\\d-]+.csv"`))
  return parse(text, { bom: true, delimiter: ';', columns: true })
}

async function sandbox(): Promise<{ view: AccountClient; webhook: string }> {
  const { api, account: view } = await openSandboxAccount(service)
  const { url } = (await view.post('/sandbox/receivers', { answers: ['200'] })).body as {
    url: string
  }
  const made = await view.post('/webhooks', {
    url,
    events: ['order.status_changed', 'receipt.created'],
  })
  await api.get('/v1/stock')
  await api.get('/v1/orders/nothing')
  for (const trigger of ['order_cancelled', 'order_cancelled'])
    assert.equal((await view.post(`/sandbox/triggers/${trigger}`)).status, 200)
  return { view, webhook: (made.body as { webhook: { id: string } }).webhook.id }
}

const [own, other] = [await sandbox(), await sandbox()]

test('keys, calls, deliveries and events are saved as files with the rows of their lists', async () => {
  const { view, webhook } = own
  const keys = itemsOf(await view.get('/keys'))
  assert.deepEqual(
    (await rowsOf(view, 'keys')).map((row) => [row.Имя, row['Начало и конец']]),
    keys.map(({ name, preview }) => [name, preview]),
  )
  await eventually(
    'the journal of calls',
    async () => itemsOf(await view.get('/calls?status=404')).length > 0,
  )
  for (const filter of ['', 'status=404', `key_id=${keys[0]?.id}`]) {
    const calls = itemsOf(await view.get(`/calls?${filter}`))
    assert.deepEqual(
      (await rowsOf(view, 'calls', filter)).map((row) => row['Номер запроса']),
      calls.map(({ request_id: id }) => id),
      filter,
    )
  }
  for (const filter of ['', 'status=PENDING', 'status=FAILED']) {
    const deliveries = itemsOf(await view.get(`/webhooks/${webhook}/deliveries?${filter}`))
    assert.deepEqual(
      (await rowsOf(view, 'deliveries', filter, `/${webhook}`)).map((row) => row.Доставка),
      deliveries.map(({ id }) => id),
      filter,
    )
  }
  const events = itemsOf(await view.get('/events?types=order.status_changed'))
  assert.ok(events.length > 0)
  const saved = await rowsOf(view, 'events', 'types=order.status_changed')
  assert.deepEqual(
    saved.map((row) => [row.Событие, row.Тип]),
    events.map(({ id, type }) => [id, type]),
  )
  assert.ok(saved.every((row) => row.Номер && row.Статус))
})

test('deliveries are saved of a subscription of the own client alone', async () => {
  for (const id of [other.webhook, randomUUID(), 'x'])
    assertRefused(await own.view.get(`/exports/deliveries/${id}`), 'not_found')
})

test('webhooks, and what a receipt and a return hold, are saved with their rows, of the own client alone', async () => {
  const hooks = itemsOf(await own.view.get('/webhooks'))
  assert.deepEqual(
    (await rowsOf(own.view, 'webhooks')).map((row) => [row.Адрес, row.Состояние]),
    hooks.map(({ url }) => [url, 'работает']),
  )
  for (const [list, file, units] of [
    ['receipts', 'receipt-items', ['Заявлено', 'expected_qty']],
    ['returns', 'return-items', ['Единиц', 'qty']],
  ] as const) {
    const [first] = itemsOf(await own.view.get(`/${list}`))
    const whole = await own.view.get(`/${list}/${first?.id}`)
    const items = itemsOf(whole)
    assert.ok(items.length > 0, list)
    assert.deepEqual(
      (await rowsOf(own.view, file, '', `/${first?.id}`)).map((row) => [
        row.Штрихкод,
        row[units[0]],
      ]),
      items.map((item) => [item.barcode, String(item[units[1]])]),
    )
    const [foreign] = itemsOf(await other.view.get(`/${list}`))
    for (const id of [foreign?.id, randomUUID(), 'x'])
      assertRefused(await own.view.get(`/exports/${file}/${id}`), 'not_found')
  }
})

test('an owner saves charges, acts, months, users and whom one asked; others see neither money nor people', async () => {
  const id = await perform(db, systemClock, { kind: 'service' }, async (work) => {
    const client = await createClient(work, { mode: 'live', name: 'ООО «Север»' })
    await issueApiKey(work, client, { name: '1С', receiptsEnabled: true })
    return client
  })
  await db`
    insert into billing_periods (client_id, month, warehouse_code, computed_at, closed_at, closed_by)
    select id, '2026-10-01', warehouse_code, now(), now(), 'service' from clients where id = ${id}`
  await db`
    insert into acts (client_id, id, number, month, day, provider, client, vat_included, amount, vat, total, created_at,
      created_by)
    values (${id}, ${randomUUID()}, 7, '2026-10-01', '2026-10-31', '{}', '{}', false, 125050, 0, 125050, now(), 'service')`
  const owner = await accountUser(service, { [id]: 'owner' })
  const [act] = await rowsOf(owner, 'acts')
  assert.deepEqual([act?.Номер, act?.Месяц, act?.Дата], ['7', '2026-10', '2026-10-31'])
  assert.deepEqual(await rowsOf(owner, 'charges', 'period=2026-10-01'), [])
  assertRefused(
    await owner.get('/exports/charges?from=2026-10-02&to=2026-10-01'),
    'bad_request',
    'from',
  )
  const [month] = await rowsOf(owner, 'billing-periods')
  assert.deepEqual(
    [month?.Месяц, month?.Состояние, month?.['Начислено, руб.']],
    ['2026-10', 'закрыт', '1250,50'],
  )
  const viewer = await accountUser(service, { [id]: 'viewer' })
  const users = itemsOf(await owner.get('/users'))
  assert.deepEqual(
    (await rowsOf(owner, 'users')).map((row) => [row.Логин, row.Роль]),
    users.map(({ login, role }) => [login, role === 'owner' ? 'владелец' : 'просмотр']),
  )
  const invited = { note: 'Анна', role: 'receipts', password: sellersPassword }
  assert.equal((await owner.post('/invitations', invited)).status, 201)
  const [invitation] = await rowsOf(owner, 'invitations')
  assert.deepEqual([invitation?.Кому, invitation?.Состояние], ['Анна', 'ждёт'])
  const wanted = { name: 'Весы', purpose: 'Сверять остатки', receipts_enabled: false }
  assert.equal((await owner.post('/key-requests', wanted)).status, 201)
  const [request] = await rowsOf(owner, 'key-requests')
  assert.deepEqual([request?.Ключ, request?.Состояние], ['Весы', 'ждёт решения склада'])
  const colleague = await accountUser(service, { [id]: 'receipts' })
  for (const user of [viewer, colleague]) {
    const forOwners = ['charges', 'acts', 'billing-periods', 'users', 'invitations', 'key-requests']
    for (const list of forOwners) assertRefused(await user.get(`/exports/${list}`), 'forbidden')
    assert.equal((await rowsOf(user, 'keys')).length, 1)
  }
})
