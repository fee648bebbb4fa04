import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, assertRefused, newSandbox, openClient } from '../support/client.ts'
import { openReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { stockUp } from '../support/warehouse.ts'

const service = await startService(undefined, 'all')
const { db } = service
const administrator = await staffClient(service, 'administrator')
const manager = await staffClient(service, 'manager')

type Fields = Readonly<Record<string, unknown>>
interface Page {
  readonly items: readonly Fields[]
  readonly total: number
  readonly next_cursor: string | null
}
const pageOf = ({ body, text }: Answer): Page => {
  assert.ok((body as Partial<Page>).items, text)
  return body as Page
}

/** Repeats a request until its answer is as expected: the journal of calls is written a few times a second. */
async function until(path: string, good: (page: Page) => boolean): Promise<Page> {
  for (;;) {
    const page = pageOf(await administrator.get(path))
    if (good(page)) return page
    await db`select pg_sleep(0.02)`
  }
}

async function seller() {
  const { id } = (await manager.post('/clients', { name: 'ООО «Юг»' })).body as { id: string }
  const key = async (name: string) => {
    const { body } = await manager.post(`/clients/${id}/keys`, { name, receipts_enabled: true })
    return body as { id: string; key: string }
  }
  return { id, first: await key('Первый'), second: await key('Второй') }
}

async function allPages(path: string): Promise<Fields[]> {
  const items: Fields[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: Page = pageOf(await administrator.get(`${path}${next && `&cursor=${next}`}`))
    items.push(...page.items)
    next = page.next_cursor
  }
  return items
}

test('calls are filtered by client, key, status and time, newest first', async () => {
  const { id, first, second } = await seller()
  const [one, other] = [first, second].map(({ key }) => openClient(service.baseUrl, key))
  assert.ok(one && other)
  for (let n = 0; n < 3; n++) {
    await one.get('/v1/me')
    await other.get('/v1/orders/x')
  }
  const all = await until(`/journal/calls?client_id=${id}`, ({ total }) => total === 6)
  assert.deepEqual(Object.keys(all.items[0] ?? {}), [
    'id',
    'time',
    'method',
    'path',
    'ip',
    'status',
    'key_id',
    'client_id',
    'request_id',
    'error_code',
    'duration_ms',
    'trace_id',
    'key_name',
    'client_name',
  ])
  assert.deepEqual(
    [
      ...new Set(all.items.map(({ key_name, client_name }) => `${key_name}, ${client_name}`)),
    ].sort(),
    ['Второй, ООО «Юг»', 'Первый, ООО «Юг»'],
  )
  const times = all.items.map(({ time }) => String(time))
  assert.deepEqual(times, times.toSorted().reverse())
  const paged = await allPages(`/journal/calls?client_id=${id}&limit=2`)
  assert.deepEqual(paged, all.items)

  const count = async (filter: string) =>
    pageOf(await administrator.get(`/journal/calls?${filter}`)).items.length
  assert.equal(await count(`key_id=${second.id}`), 3)
  assert.equal(await count(`key_id=${second.id}&status=404`), 3)
  assert.equal(await count(`key_id=${second.id}&status=200`), 0)
  assert.equal(await count(`client_id=${id}&status=404`), 3)
  assert.equal(await count(`client_id=${id}&key_id=${first.id}`), 3)
  assert.equal(await count(`client_id=${first.id}&key_id=${first.id}`), 0)
  assert.equal(await count('client_id=x'), 0)
  assert.ok((await count('status=404')) >= 3)
  const [from, to] = [encodeURIComponent(times.at(-1) ?? ''), encodeURIComponent(times[0] ?? '')]
  assert.equal(await count(`client_id=${id}&created_from=${from}`), 6)
  assert.ok((await count(`client_id=${id}&created_to=${to}`)) < 6)
  assert.equal(await count(`client_id=${id}&created_to=2020-01-01`), 0)
})

test('calls without a known key are journalled without a client', async () => {
  const refused = await openClient(service.baseUrl, 'nonsense').get('/v1/me')
  const id = refused.headers.get('X-Request-Id')
  const page = await until('/journal/calls?status=401', ({ items }) =>
    items.some(({ request_id }) => request_id === id),
  )
  const entry = page.items.find(({ request_id }) => request_id === id)
  assert.deepEqual([entry?.key_id, entry?.client_id], [null, null])
})

test('a key that was sent in the path is masked in the journal of calls', async () => {
  const { id, first } = await seller()
  const paths = [`/v1/orders/${first.key}`, `/v1/orders/${first.key.replace('_', '%5F')}?x=1`]
  for (const path of paths) await openClient(service.baseUrl, first.key, false).get(path)
  const page = await until(`/journal/calls?client_id=${id}`, ({ total }) => total === 2)
  assert.deepEqual(
    page.items.map(({ path }) => path),
    Array(2).fill('/v1/orders/svc_live_***'),
  )
})

test('receipt requests show the key and the body, repeats too', async () => {
  const { id, first } = await seller()
  const body = {
    external_ref: 'PO-1',
    items: [{ barcode: 'B-1', name: 'Товар', qty: 3, honest_mark: false }],
  }
  const client = openClient(service.baseUrl, first.key)
  const [created, repeated] = [
    await client.post('/v1/receipts', body),
    await client.post('/v1/receipts', body),
  ]
  assert.deepEqual([created.status, repeated.status], [201, 200])
  const { items, total } = pageOf(await administrator.get(`/journal/receipts?client_id=${id}`))
  assert.equal(total, 2)
  assert.deepEqual(
    items.map(({ entry, outcome, request_id }) => [entry, outcome, request_id]),
    [
      [2, 'repeated', repeated.headers.get('X-Request-Id')],
      [1, 'created', created.headers.get('X-Request-Id')],
    ],
  )
  const [entry] = items
  assert.deepEqual(entry?.body, body)
  assert.deepEqual(
    [entry?.client_id, entry?.key_id, entry?.receipt_id],
    [id, first.id, (created.body as Fields).id],
  )
  const { number } = created.body as Fields
  assert.deepEqual(
    [entry?.client_name, entry?.key_name, entry?.receipt_number],
    ['ООО «Юг»', 'Первый', number],
  )
  assert.deepEqual(await allPages(`/journal/receipts?client_id=${id}&limit=1`), items)
  const everybody = await allPages('/journal/receipts?limit=1')
  assert.deepEqual(everybody.slice(0, 2), items)
  for (const filter of [`key_id=${id}`, 'receipt_id=x', 'created_to=2020-01-01']) {
    assert.equal(pageOf(await administrator.get(`/journal/receipts?${filter}`)).total, 0, filter)
  }
})

test('refused receipt requests show the code and what came', async () => {
  const { id, first } = await seller()
  const other = await seller()
  const client = openClient(service.baseUrl, first.key)
  const body = { external_ref: 'PO-1', items: [] }
  const refused = [
    await client.post('/v1/receipts', body),
    await client.post('/v1/receipts', { ...body, colour: 'red' }),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [400, 400],
  )
  await openClient(service.baseUrl, other.first.key).post('/v1/receipts', body)
  const path = `/journal/refused-receipts?client_id=${id}`
  const { items } = await until(path, ({ total }) => total === 2)
  assert.deepEqual(
    items.map(({ status, code, request_id }) => [status, code, request_id]),
    [
      [400, 'bad_request', refused[1]?.headers.get('X-Request-Id')],
      [400, 'validation_error', refused[0]?.headers.get('X-Request-Id')],
    ],
  )
  const sent = JSON.stringify(body)
  const [, entry] = items
  assert.deepEqual(
    [entry?.body_start, entry?.body_bytes, entry?.client_name, entry?.key_name],
    [sent, sent.length, 'ООО «Юг»', 'Первый'],
  )
  assert.deepEqual(await allPages(`${path}&limit=1`), items)
  assert.equal(pageOf(await administrator.get(`${path}&code=validation_error`)).total, 1)
})

test('changes are filtered by client, object and actor', async () => {
  const { id } = await seller()
  const count = async (filter: string) =>
    pageOf(await administrator.get(`/journal/staff?${filter}`)).total
  assert.equal(await count(`client_id=${id}`), 3)
  assert.equal(await count(`object_id=${id}`), 1)
  assert.equal(await count(`client_id=${id}&actor=staff:${manager.userId}`), 3)
  assert.equal(await count(`client_id=${id}&actor=command-line`), 0)
  assert.equal(await count('client_id=x'), 0)
  const paged = await allPages('/journal/staff?limit=2')
  const ids = paged.map((entry) => Number(entry.id))
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => b - a),
  )
})

test('changes name their object, and no id stands in their words', async () => {
  const { id } = await seller()
  const { body: cabinet } = await manager.post(`/clients/${id}/cabinets`, {
    marketplace: 'WB',
    name: 'Юг WB',
  })
  const { id: cabinetId } = cabinet as { id: string }
  await stockUp(db, id, { 'B-1': 1 })
  const drafts = [{ cabinet_id: cabinetId, external_id: 'N-1', barcode: 'B-1' }]
  const { body: taken } = await manager.post(`/clients/${id}/orders`, drafts)
  const [order] = (taken as { items: { id: string }[] }).items
  const { body: opened } = await manager.post('/shipments', {
    cabinet_id: cabinetId,
    external_id: 'S-1',
  })
  const { id: shipment } = opened as { id: string }
  await manager.post(`/shipments/${shipment}/orders`, { order_ids: [order?.id] })
  await manager.delete(`/shipments/${shipment}/orders/${order?.id}`)
  const { items } = pageOf(await administrator.get(`/journal/staff?object_id=${shipment}`))
  const [removed, added] = items
  assert.deepEqual(removed?.object, { kind: 'shipment', id: shipment, title: 'S-1' })
  assert.equal(removed?.client_name, 'ООО «Юг»')
  assert.match(String(removed?.words), /убран заказ: N-1/)
  assert.match(String(added?.words), /добавлены заказы: N-1/)
})

test('a count speaks of goods and people, in Russian and without numbers of machines', async () => {
  const { id } = await seller()
  const worker = await staffClient(service, 'worker')
  await administrator.patch(`/users/${worker.userId}`, { name: 'Анна Петрова' })
  const items = [{ barcode: '4600000000024', name: 'Кружка', qty: 3, honest_mark: false }]
  const made = await manager.post(`/clients/${id}/receipts`, { external_ref: 'ПТ-1', items })
  const { id: receipt } = made.body as { id: string }
  await worker.post(`/receipts/${receipt}/start`)
  const scans = `/receipts/${receipt}/scans`
  await worker.post(scans, { scan_id: 'abc-1', barcode: '4600000000024', qty: 2 })
  await worker.post(`/receipts/${receipt}/finish`, { shortage_reasons: {} })
  const late = { queued_at: '2026-11-20T12:00:00+03:00', queued_by: worker.login }
  await worker.post(scans, { scan_id: 'abc-2', barcode: '4600000000024', qty: 1, ...late })
  const page = pageOf(
    await administrator.get(`/journal/staff?client_id=${id}&actor=staff:${worker.userId}`),
  )
  const said = page.items.map(({ actor_name, title, goods, words }) => ({
    ...{ actor_name, title, words },
    ...(goods !== undefined && { goods }),
  }))
  const mug = { barcode: '4600000000024', name: 'Кружка' }
  assert.deepEqual(said.at(-2), {
    actor_name: 'Анна Петрова',
    title: 'Посчитано',
    goods: { ...mug, qty: 2 },
    words: ['принято единиц: 2', 'заявлено единиц: 3'],
  })
  assert.doesNotMatch(JSON.stringify(said.map(({ title, words }) => [title, words])), /[a-z]{2}/i)
})

test('journals refuse invalid filters', async () => {
  const bad = [
    ['calls', 'status=x'],
    ['calls', 'status=99'],
    ['calls', 'status='],
    ['calls', 'client_id=%00'],
    ['calls', 'created_from=x'],
    ['calls', 'created_from=2026-01-02&created_to=2026-01-01'],
    ['receipts', 'created_from=x'],
    ['staff', 'object_id=%00'],
    ['staff', 'limit=x'],
  ]
  for (const [journal, filter] of bad) {
    assertRefused(await administrator.get(`/journal/${journal}?${filter}`), 'bad_request')
  }
  for (const journal of ['calls', 'receipts', 'staff']) {
    assertRefused(await administrator.get(`/journal/${journal}?cursor=x`), 'bad_cursor')
  }
})

test('a request id finds the call with its error and its trace, and what the request changed', async () => {
  const { id, first } = await seller()
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  const client = openClient(service.baseUrl, first.key)
  const body = { items: [{ barcode: 'B-1', name: 'Товар', qty: 3, honest_mark: false }] }
  const created = await client.post('/v1/receipts', body)
  const refused = await client.get('/v1/orders/x', headers)
  const numberOf = ({ headers }: Answer) => String(headers.get('X-Request-Id'))
  const [call] = (
    await until(
      `/journal/calls?request_id=${numberOf(refused).toUpperCase()}%20`,
      ({ total }) => total === 1,
    )
  ).items
  assert.deepEqual(
    [call?.path, call?.status, call?.error_code, call?.trace_id],
    ['/v1/orders/x', 404, 'not_found', traceId],
  )
  assert.ok(Number(call?.duration_ms) >= 0)

  const renamed = await manager.patch(`/clients/${id}`, { name: 'ООО «Север»' })
  // As a ticket may have it.
  const pasted = `%20${numberOf(renamed).toUpperCase()}`
  const changes = pageOf(await manager.get(`/journal/staff?request_id=${pasted}`))
  assert.deepEqual(
    changes.items.map(({ object_id }) => object_id),
    [id],
  )
  const receipts = pageOf(await manager.get(`/journal/receipts?request_id=${numberOf(created)}`))
  assert.deepEqual(
    receipts.items.map(({ receipt_id }) => receipt_id),
    [(created.body as Fields).id],
  )
  const nobody = ['8c5d1c3e-7a52-4f0a-9a57-0d5d2a1f7b11', 'x', '%D0%AF']
  for (const other of nobody) {
    for (const journal of ['calls', 'staff', 'receipts', 'refused-receipts']) {
      const path = `/journal/${journal}?request_id=${other}`
      assert.deepEqual(pageOf(await administrator.get(path)).items, [], path)
    }
  }
})

// Guarantee (journal): Nobody, not even the table's owner, changes or deletes an entry of the journal of changes.
test('nobody can change or delete an entry of the journal of changes, not even the table owner', async () => {
  const [{ owner, me }] = await db<[{ owner: string; me: string }]>`
    select tableowner as owner, current_user as me from pg_tables where tablename = 'staff_journal'`
  assert.equal(me, owner)
  const before = await db`select * from staff_journal order by id`
  assert.ok(before.length > 0)
  await assert.rejects(db`update staff_journal set login = 'x'`, /append-only/)
  await assert.rejects(db`delete from staff_journal`, /append-only/)
  await assert.rejects(db`truncate staff_journal`, /append-only/)
  await assert.rejects(db`update call_journal set path = ''`, /append-only/)
  assert.deepEqual(await db`select * from staff_journal order by id`, before)
})

test('all attempts of a subscription are listed, newest delivery first', async () => {
  const sandbox = await newSandbox(service)
  const receiver = await openReceiver()
  const draft = { url: receiver.url, events: ['receipt.created'] }
  const made = await sandbox.post('/v1/webhooks', draft)
  assert.equal(made.status, 201, made.text)
  const { webhook } = made.body as { webhook: { id: string } }
  await sandbox.post(`/v1/webhooks/${webhook.id}/ping`)
  const path = `/webhooks/${webhook.id}/attempts`
  const { items } = await until(path, ({ total }) => total === 2)
  for (const item of items) {
    const { delivery_id, event_id, at, duration_ms, ...rest } = item
    assert.deepEqual(rest, { event_type: 'webhook.ping', attempt: 1, status_code: 200 })
    assert.ok(Number(duration_ms) >= 0 && delivery_id !== event_id && at !== null)
  }
  assert.deepEqual(await allPages(`${path}?limit=1`), items)
  assert.equal((await manager.get(path)).status, 200)
  for (const id of ['01a1fcc9-0000-7000-8000-000000000000', 'x', '%00']) {
    assertRefused(await manager.get(`/webhooks/${id}/attempts`), 'not_found')
  }

  // More attempts of one webhook delivery, as after failures of its receiver.
  const first = items.at(-1)
  await db`
    update ended_deliveries set attempts = 4, last_error = 'Нет ответа', earlier_attempts = (
      select jsonb_agg(jsonb_build_object('at', at, 'status_code', status_code, 'error', error, 'duration_ms', duration_ms))
      from webhook_attempts, generate_series(1, 3) where delivery_id = ${String(first?.delivery_id)})
    where id = ${String(first?.delivery_id)}`
  const more = await allPages(`${path}?limit=2`)
  assert.deepEqual(
    more.map(({ delivery_id, attempt }) => [delivery_id === first?.delivery_id, attempt]),
    [
      [false, 1],
      [true, 4],
      [true, 3],
      [true, 2],
      [true, 1],
    ],
  )
  assert.equal(more[1]?.error, 'Нет ответа')
})
