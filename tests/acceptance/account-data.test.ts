import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { uploadPicture } from '../../src/warehouse/catalogue/pictures.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { addPhoto } from '../../src/warehouse/photos/photos.ts'
import {
  type AccountClient,
  accountClient,
  accountUser,
  cookiesOf,
  sellersPassword,
} from '../support/account.ts'
import {
  type Answer,
  assertRefused,
  type Client,
  newSandbox,
  openClient,
} from '../support/client.ts'
import { fakePhoto } from '../support/fake-photo.ts'
import { fakePicture } from '../support/marketplaces/fake-picture.ts'
import { emptySandbox, startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'

/** The account shows what the public API shows, to each user what the role and the client allow. */

const service = await startService()
const { baseUrl, db } = service
const manager = await staffClient(service, 'manager')
const anybody = accountClient(baseUrl)

interface Operation {
  readonly operationId: string
  readonly security: readonly unknown[]
}
const document = JSON.parse(
  readFileSync(new URL('../../openapi/account.json', import.meta.url), 'utf8'),
) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId: id, security }]) => ({
    id,
    method: method.toUpperCase(),
    path: path.replace('/account/v1', ''),
    isOpen: security.length === 0,
  })),
)

async function opened(key: Client): Promise<AccountClient> {
  const answer = await anybody.post('/session/key', { key: key.key })
  assert.equal(answer.status, 200, answer.text)
  return accountClient(baseUrl, cookiesOf(answer))
}

async function seller() {
  return perform(db, systemClock, { kind: 'service' }, async (work) => {
    const id = await createClient(work, { mode: 'live', name: 'ООО «Север»' })
    await addCabinet(work, id, { marketplace: 'WB', name: 'Север WB' })
    const key = await issueApiKey(work, id, { name: '1С', receiptsEnabled: true })
    return { id, key }
  })
}

const [one, other] = [await newSandbox(service), await newSandbox(service)]
const view = await opened(one)
const nobody = '01a1fcc9-0c44-7024-87c2-000000000000'
const items = [{ barcode: 'Б-1', name: 'Плед', qty: 2, honest_mark: false }]
type Named = { readonly id: string; readonly barcode: string }
const itemsOf = <Item = Named>(answer: Answer) => (answer.body as { items: Item[] }).items

// Guarantee (account): The account shows what the API shows.
test('a test key opens its sandbox, and shows the figures of the API to the last byte', async () => {
  const { period } = (await view.get('/metrics')).body as { period: { from: string; to: string } }
  const metrics = `/metrics?${new URLSearchParams(period)}`
  const lists = ['/stock', '/orders', '/receipts', '/shipments', '/returns', '/webhooks']
  for (const path of [...lists, metrics]) {
    const [shown, asked] = [await view.get(path), await one.get(`/v1${path}`)]
    assert.deepEqual([shown.status, shown.text], [200, asked.text], path)
  }
  for (const list of ['orders', 'receipts', 'shipments', 'returns']) {
    const [{ id } = { id: '' }] = itemsOf(await view.get(`/${list}`))
    assert.equal((await view.get(`/${list}/${id}`)).text, (await one.get(`/v1/${list}/${id}`)).text)
  }
  const page = (await one.get('/v1/orders?limit=3')).body as { next_cursor: string }
  const next = `/orders?limit=3&cursor=${page.next_cursor}`
  assert.equal((await view.get(next)).text, (await one.get(`/v1${next}`)).text)
  const own = (await view.get('/session')).body as {
    kind: string
    login: null
    cabinets: unknown[]
  }
  assert.deepEqual([own.kind, own.login, own.cabinets.length], ['test_key', null, 2])
})

test('only a known test key opens a sandbox', async () => {
  const { key } = await seller()
  assertRefused(await anybody.post('/session/key', { key: key.key }), 'sandbox_only', 'рабочий')
  assertRefused(await anybody.post('/session/key', { key: 'svc_test_x' }), 'unauthorized')
  for (const path of ['/users', '/invitations']) {
    const body = { role: 'viewer', note: 'x', password: 'x' }
    if (path === '/invitations')
      assertRefused(await view.post(path, body), 'forbidden', 'песочница')
    else assert.deepEqual(itemsOf(await view.get(path)), [])
  }
})

/** An act of a closed month. */
async function addAct(clientId: string): Promise<string> {
  const id = randomUUID()
  await db`
    insert into billing_periods (client_id, month, warehouse_code, computed_at, closed_at, closed_by)
    select id, '2026-10-01', warehouse_code, now(), now(), 'service' from clients where id = ${clientId}`
  await db`
    insert into acts (client_id, id, number, month, day, provider, client, vat_included, amount, vat, total, created_at,
      created_by)
    values (${clientId}, ${id}, 1, '2026-10-01', '2026-10-31', '{}', '{}', false, 0, 0, 0, now(), 'service')`
  return id
}

const actPaths = (id: string) => ({
  '/acts/{id}': id,
  '/acts/{id}/file': id,
  '/acts/{id}/charges': id,
})

/** Objects of the other sandbox and of another seller, and one of them for each path with parameters. */
async function foreignObjects() {
  const first = async (path: string) => itemsOf(await other.get(path))[0]
  const receiver = await other.post('/v1/sandbox/receivers', { answers: ['200'] })
  const { id: receiverId, url } = receiver.body as { id: string; url: string }
  const made = await other.post('/v1/webhooks', { url, events: ['order.status_changed'] })
  const { webhook } = made.body as { webhook: Named }
  const delivery = await first(`/v1/webhooks/${webhook.id}/deliveries`)
  const clientId = (await seller()).id
  const stranger = await accountUser(service, { [clientId]: 'owner' })
  const [session] = itemsOf(await stranger.get('/sessions'))
  const [key] = itemsOf(await stranger.get('/keys'))
  const wanted = { name: '1С', purpose: 'Остатки', receipts_enabled: false }
  const asked = (await stranger.post('/key-requests', wanted)).body as Named
  const draft = { role: 'viewer', note: 'Пётр', password: sellersPassword }
  const invited = await stranger.post('/invitations', draft)
  assert.equal(invited.status, 201, invited.text)
  const [invitation] = itemsOf(await stranger.get('/invitations'))
  const order = (await first('/v1/orders'))?.id
  const barcode = (await first('/v1/stock'))?.barcode
  const receipt = (await first('/v1/receipts'))?.id
  const { client } = (await other.get('/v1/me')).body as { client: Named }
  const picture = fakePicture('account')
  await perform(db, systemClock, { kind: 'service' }, (work) =>
    uploadPicture(
      work,
      { clientId: client.id, barcode: barcode ?? '' },
      { type: 'image/png', bytes: picture },
    ),
  )
  const bytes = fakePhoto('account')
  const taken = { id: newId(), scanId: undefined, takenAt: undefined, bytes }
  const subject = { clientId: client.id, kind: 'order', objectId: order ?? '' } as const
  const { photo } = await perform(db, systemClock, { kind: 'service' }, (work) =>
    addPhoto(work, subject, taken),
  )
  const named: Readonly<Record<string, string | undefined>> = {
    '/sessions/{id}': session?.id,
    '/users/{id}': stranger.userId,
    '/users/{id}/remove': stranger.userId,
    '/users/{id}/password-link': stranger.userId,
    '/invitations/{id}/revoke': invitation?.id,
    '/keys/{id}/revoke': key?.id,
    '/key-requests/{id}/withdraw': asked?.id,
    '/key-requests/{id}/reveal': asked?.id,
    '/stock/{barcode}': barcode,
    '/stock/{barcode}/in-question': barcode,
    '/stock/{barcode}/cover': barcode,
    '/stock/{barcode}/receipts': barcode,
    '/stock/{barcode}/parts': barcode,
    '/pictures/{hash}': createHash('sha256').update(picture).digest('hex'),
    '/photos/{photo}': photo.id,
    '/orders/{id}/photos': order,
    '/orders/{id}/evidence': order,
    '/receipts/{id}/photos': receipt,
    '/returns/{id}/photos': (await first('/v1/returns'))?.id,
    '/orders/{id}': order,
    '/orders/{id}/details': order,
    '/receipts/{id}': receipt,
    '/receipts/{id}/act': receipt,
    '/receipts/{id}/box-labels': receipt,
    '/receipts/{id}/cost': receipt,
    '/receipts/{id}/announcement': receipt,
    '/receipts/{id}/withdraw': receipt,
    '/shipments/{id}': (await first('/v1/shipments'))?.id,
    '/returns/{id}': (await first('/v1/returns'))?.id,
    ...actPaths(await addAct(clientId)),
    '/sandbox/receivers/{id}': receiverId,
    '/webhooks/{id}': webhook.id,
    '/webhooks/{id}/ping': webhook.id,
    '/webhooks/{id}/resend': webhook.id,
    '/webhooks/{id}/deliveries': webhook.id,
    '/exports/deliveries/{id}': webhook.id,
    '/exports/receipt-items/{id}': receipt,
    '/exports/return-items/{id}': (await first('/v1/returns'))?.id,
    '/webhooks/{id}/deliveries/{delivery_id}': webhook.id,
    '/webhooks/{id}/deliveries/{delivery_id}/attempts': webhook.id,
    '/webhooks/{id}/deliveries/{delivery_id}/resend': webhook.id,
  }
  const filled = (path: string) => {
    const name = named[path]
    assert.ok(name, `the table has no object for ${path}`)
    return path
      .replace('{delivery_id}', delivery?.id ?? '')
      .replace(/\{\w+\}/, encodeURIComponent(name))
  }
  return { first, webhook, delivery, stranger, clientId, invitation, key, named, filled }
}

suite('of another client', () => {
  // Guarantee (account): Without a session the account shows and changes nothing.
  test('no path shows or changes anything', async () => {
    const { webhook, stranger, invitation, filled } = await foreignObjects()
    const { id: ownId } = await seller()
    await manager.patch(`/clients/${ownId}`, { account_receipts: true })
    const own = await accountUser(service, { [ownId]: 'owner' })
    const bodies: Readonly<Record<string, unknown>> = {
      '/receipts/{id}': { items },
      '/users/{id}': { role: 'viewer', password: sellersPassword },
      '/users/{id}/remove': { password: sellersPassword },
      '/users/{id}/password-link': { password: sellersPassword, drops_codes: false },
      '/invitations/{id}/revoke': { password: sellersPassword },
      '/keys/{id}/revoke': { password: sellersPassword },
      '/key-requests/{id}/reveal': { password: sellersPassword },
      '/webhooks/{id}/resend': { since: '2026-01-01T00:00:00+03:00' },
    }
    for (const { id: operation, method, path } of operations) {
      if (!path.includes('{') || operation === 'playSandboxTrigger') continue
      // A session of a test key has no password to give again, and sandboxes have the same barcodes.
      const body = method === 'GET' ? undefined : bodies[path]
      const isOwnAlone = body !== undefined || path.startsWith('/stock')
      const asked = isOwnAlone ? [own] : [own, view]
      for (const session of asked) {
        const answer = await session.call(method, filled(path), body)
        const code = path.startsWith('/sandbox') && session === own ? 'sandbox_only' : 'not_found'
        assert.ok(
          answer.code === code || answer.code === 'not_found',
          `${operation}: ${answer.text}`,
        )
      }
    }
    assert.equal((await stranger.get('/session')).status, 200)
    assert.deepEqual(itemsOf(await stranger.get('/invitations')), [invitation])
    assert.equal((await other.get(`/v1/webhooks/${webhook.id}`)).status, 200)
  })

  test('no body, filter or place in a feed leads to anything', async () => {
    const { first, key, clientId, delivery } = await foreignObjects()
    const cabinet = ((await other.get('/v1/me')).body as { cabinets: Named[] }).cabinets[0]?.id
    assert.ok(cabinet)
    const announced = await view.post('/receipts', { cabinet_id: cabinet, items })
    assertRefused(announced, 'validation_error', 'cabinet_id')
    const fromFile = await view.call(
      'POST',
      `/receipts/import?cabinet_id=${cabinet}&honest_mark=false`,
      'barcode;name;qty\nI-1;Плед;1\n',
      { 'Content-Type': 'text/csv' },
    )
    assertRefused(fromFile, 'validation_error', 'cabinet_id')
    const shipment = (await first('/v1/shipments'))?.id
    assert.deepEqual(itemsOf(await view.get(`/orders?shipment_id=${shipment}`)), [])
    const feed = (await other.get('/v1/events')).body as { next_after: string }
    assertRefused(await view.get(`/events?after=${feed.next_after}`), 'bad_cursor')
    const receiver = await view.post('/sandbox/receivers', { answers: ['200'] })
    const { url } = receiver.body as { url: string }
    const made = await view.post('/webhooks', { url, events: ['order.status_changed'] })
    const { webhook } = made.body as { webhook: Named }
    const there = `/webhooks/${webhook.id}/deliveries/${delivery?.id}`
    assertRefused(await view.get(there), 'not_found')
    assertRefused(await view.get(`${there}/attempts`), 'not_found')
    assertRefused(await view.post(`${there}/resend`), 'not_found')
    const own = await accountUser(service, { [(await seller()).id]: 'owner' })
    assert.deepEqual(itemsOf(await own.get(`/calls?key_id=${key?.id}`)), [])
    const switched = await own.call('PUT', '/session/client', { client_id: clientId })
    assertRefused(switched, 'not_found')
  })

  test('nothing that is asked without a name tells of it', async () => {
    const { named, stranger, clientId } = await foreignObjects()
    const { client } = (await other.get('/v1/me')).body as { client: Named }
    // Sandboxes have the same goods.
    const secrets = [...new Set(Object.values(named)), stranger.login, clientId, client.id].filter(
      (secret) => secret !== named['/stock/{barcode}'],
    )
    assert.ok(secrets.length > 12)
    const own = await accountUser(service, { [(await seller()).id]: 'owner' })
    // Each session has a limit of its own.
    const fresh = await opened(one)
    for (const { method, path, isOpen } of operations) {
      if (method !== 'GET' || path.includes('{') || isOpen) continue
      for (const session of [own, fresh]) {
        const answer = await session.get(asked(path))
        // A sandbox by key has a bell and no users who choose.
        const isOfPeople = session === fresh && path === '/notices/settings'
        assert.equal(answer.status, isOfPeople ? 403 : 200, `${path}: ${answer.text}`)
        const leaked = secrets.filter(
          (secret) => secret !== undefined && answer.text.includes(secret),
        )
        assert.deepEqual(leaked, [], path)
      }
    }
  })

  test('the sandbox stays as it is, whatever is played in an own one', async () => {
    const seen = async () => {
      const lists = ['stock', 'orders', 'receipts', 'shipments', 'returns', 'webhooks']
      const answers = await Promise.all(lists.map((list) => other.get(`/v1/${list}`)))
      return answers.map(({ text }) => text)
    }
    await other.get('/v1/orders')
    const before = await seen()
    assert.equal((await view.post('/sandbox/triggers/order_cancelled')).status, 200)
    assert.equal((await view.post('/sandbox/advance', { hours: 2 })).status, 200)
    assert.equal((await view.post('/sandbox/reset')).status, 200)
    assert.deepEqual(await seen(), before)
  })

  test('no list has anything, and no cursor leads to it', async () => {
    const own = await accountUser(service, { [(await seller()).id]: 'owner' })
    for (const list of ['/stock', '/orders', '/receipts', '/shipments', '/returns', '/webhooks']) {
      assert.deepEqual(itemsOf(await own.get(list)), [], list)
    }
    const { next_cursor: cursor } = (await other.get('/v1/orders?limit=1')).body as {
      next_cursor: string
    }
    assertRefused(await own.get(`/orders?limit=1&cursor=${cursor}`), 'bad_cursor')
    assert.equal(itemsOf(await own.get('/keys')).length, 1)
    assert.deepEqual(itemsOf(await own.get('/calls')), [])
  })
})

/** The least role of every operation that changes something; a viewer may read everything but users. */
const leastRoles: Readonly<Record<string, 'viewer' | 'receipts' | 'owner'>> = {
  createReceipt: 'receipts',
  importAccountReceipt: 'receipts',
  changeAccountReceipt: 'receipts',
  withdrawAccountReceipt: 'receipts',
  createWebhook: 'owner',
  deleteWebhook: 'owner',
  pingWebhook: 'owner',
  resendDelivery: 'owner',
  resendMissedEvents: 'owner',
  resetSandbox: 'owner',
  playSandboxTrigger: 'owner',
  advanceSandbox: 'owner',
  createSandboxReceiver: 'owner',
  createAccountInvitation: 'owner',
  revokeAccountInvitation: 'owner',
  changeAccountUser: 'owner',
  removeAccountUser: 'owner',
  makeAccountPasswordLink: 'owner',
  revokeAccountKey: 'owner',
  askForAccountKey: 'owner',
  withdrawAccountKeyRequest: 'owner',
  revealAccountKey: 'owner',
  switchAccountClient: 'viewer',
  endAccountSession: 'viewer',
  endAccountSessions: 'viewer',
  changeAccountName: 'viewer',
  readAccountNotices: 'viewer',
  setAccountNoticeSettings: 'viewer',
  setAccountNoticeEmail: 'viewer',
  confirmAccountNoticeEmail: 'viewer',
  dropAccountNoticeEmail: 'viewer',
  linkAccountTelegram: 'viewer',
  dropAccountTelegram: 'viewer',
  changeAccountPassword: 'viewer',
  offerOneTimeCodes: 'viewer',
  confirmOneTimeCodes: 'viewer',
  dropOneTimeCodes: 'viewer',
}
const ownersReads = [
  ...[
    'listAccountUsers',
    'listAccountInvitations',
    'listAccountKeyRequests',
    'listCharges',
    'sumCharges',
    'listAccountPeriods',
    'forecastAccountMonth',
    'priceAccountReceipt',
  ],
  ...['listActs', 'getAct', 'getActFile', 'exportAccountActCharges'],
  ...['exportAccountCharges', 'exportAccountActs', 'exportAccountPeriods'],
  ...['exportAccountUsers', 'exportAccountInvitations', 'exportAccountKeyRequests'],
]

/** A path of the API with the parameter without which it has no answer. */
function asked(path: string): string {
  return path === '/stock-history' ? `${path}?at=${new Date().toISOString()}` : path
}

test('every operation that changes something has its least role in the table', () => {
  const changing = operations.filter(({ method, isOpen }) => method !== 'GET' && !isOpen)
  assert.deepEqual(changing.map(({ id }) => id).sort(), Object.keys(leastRoles).sort())
})

test('lesser roles and strangers are refused before anything is read', async () => {
  const { id } = await seller()
  const viewer = await accountUser(service, { [id]: 'viewer' })
  const receipts = await accountUser(service, { [id]: 'receipts' })
  const unknown = accountClient(baseUrl, `sklad_account=${'x'.repeat(43)}`)
  for (const { id: operation, method, path, isOpen } of operations) {
    if (isOpen) continue
    const filled = path.replace(/\{\w+\}/g, nobody)
    for (const stranger of [anybody, unknown]) {
      assertRefused(await stranger.call(method, filled), 'unauthorized')
    }
    const least = leastRoles[operation] ?? (ownersReads.includes(operation) ? 'owner' : 'viewer')
    if (least !== 'viewer') assertRefused(await viewer.call(method, filled), 'forbidden', 'роль')
    if (least === 'owner') assertRefused(await receipts.call(method, filled), 'forbidden', 'роль')
    if (method === 'GET' && least === 'viewer' && !path.includes('{')) {
      assert.equal((await viewer.call(method, asked(filled))).status, 200, operation)
    }
  }
})

test('a viewer and a user for receipts read every object of their client', async () => {
  const { filled } = await foreignObjects()
  const { client } = (await other.get('/v1/me')).body as { client: Named }
  const reads = operations.filter(
    ({ id, method, path }) => method === 'GET' && path.includes('{') && !ownersReads.includes(id),
  )
  assert.ok(reads.length >= 12)
  for (const role of ['viewer', 'receipts'] as const) {
    const user = await accountUser(service, { [client.id]: role })
    for (const { path } of reads) {
      const answer = await user.get(filled(path))
      assert.equal(answer.status, 200, `${role} ${path}: ${answer.text}`)
    }
  }
})

suite('a receipt', () => {
  test('is announced where a manager allows it, and the journals name the user', async () => {
    const { id } = await seller()
    const user = await accountUser(service, { [id]: 'receipts' })
    assertRefused(await user.post('/receipts', { items }), 'write_disabled', 'менеджер')
    const allowed = await manager.patch(`/clients/${id}`, { account_receipts: true })
    assert.equal((allowed.body as { account_receipts: boolean }).account_receipts, true)
    const made = await user.post('/receipts', { items, external_ref: 'N-1' })
    assert.equal(made.status, 201, made.text)
    const receipt = made.body as { id: string; source: string; status: string }
    assert.deepEqual([receipt.source, receipt.status], ['api', 'PENDING_CONFIRMATION'])
    assert.equal((await user.post('/receipts', { items, external_ref: 'N-1' })).status, 200)
    const requests = await manager.get(`/journal/receipts?client_id=${id}`)
    const [entry] = (requests.body as { items: { user_id: string; key_id: null }[] }).items
    assert.deepEqual([entry?.user_id, entry?.key_id], [user.userId, null])
    const changes = await manager.get(`/journal/staff?client_id=${id}&object_id=${receipt.id}`)
    const [change] = (
      changes.body as { items: { actor_name: string; action: string; title: string }[] }
    ).items
    assert.deepEqual([change?.actor_name, change?.action], [user.login, 'createReceipt'])
    assert.equal(change?.title, 'Заявлена поставка')
  })

  test('comes from a file, whose errors name the row and leave nothing', async () => {
    const { id } = await seller()
    await manager.patch(`/clients/${id}`, { account_receipts: true })
    const user = await accountUser(service, { [id]: 'receipts' })
    const csv = { 'Content-Type': 'text/csv' }
    const send = (text: string, query = '') =>
      user.call('POST', `/receipts/import${query}`, text, csv)
    const good = 'barcode;name;qty;honest_mark\nI-1;Плед;5;нет\nI-2;Кружка;3;нет\n'
    assertRefused(await send(good.replace(';3;', ';три;')), 'validation_error', 'строка 3')
    const silent = 'barcode;name;qty\nI-1;Плед;5\n'
    assertRefused(await send(silent), 'validation_error', 'строка 2')
    assert.deepEqual(itemsOf(await user.get('/receipts')), [])
    const made = await send(good, '?external_ref=F-1&planned_date=2030-01-02')
    assert.equal(made.status, 201, made.text)
    const { external_ref, items } = made.body as { external_ref: string; items: unknown[] }
    assert.deepEqual([external_ref, items.length], ['F-1', 2])
    assert.equal((await send(silent, '?honest_mark=false')).status, 201)
  })
})

test('an owner sees the keys and their calls, and revokes one with the password', async () => {
  const { id, key } = await seller()
  const owner = await accountUser(service, { [id]: 'owner' })
  const program = openClient(baseUrl, key.key)
  assert.equal((await program.get('/v1/stock')).status, 200)
  const [shown] = itemsOf(await owner.get('/keys'))
  assert.equal(shown?.id, key.id)
  assert.ok(!JSON.stringify(shown).includes(key.key))
  const path = `/keys/${key.id}/revoke`
  assertRefused(await owner.post(path, { password: 'x' }), 'validation_error', 'password')
  assert.equal((await program.get('/v1/stock')).status, 200)
  assert.equal((await owner.post(path, { password: sellersPassword })).status, 200)
  assertRefused(await program.get('/v1/stock'), 'key_revoked')
})

test('a revoked test key ends the sessions that it opened', async () => {
  const session = await opened(await emptySandbox(service))
  await db`
    update api_keys set revoked_at = now() from sandboxes s where s.client_id = api_keys.client_id
      and api_keys.id = (select key_id from seller_sessions order by created_at desc limit 1)`
  assertRefused(await session.get('/session'), 'unauthorized')
})

test('a test key plays its sandbox in the account: a webhook to a hosted receiver, a trigger', async () => {
  const session = await opened(await newSandbox(service))
  const receiver = await session.post('/sandbox/receivers', { answers: ['200'] })
  const { url } = receiver.body as { url: string }
  const made = await session.post('/webhooks', { url, events: ['order.status_changed'] })
  assert.equal(made.status, 201, made.text)
  assert.equal((await session.post('/sandbox/triggers/order_cancelled')).status, 200)
  const events = itemsOf<{ type: string }>(await session.get('/events'))
  assert.ok(events.some(({ type }) => type === 'order.status_changed'))
  assert.equal((await session.post('/sandbox/reset')).status, 200)
  assert.deepEqual(itemsOf(await session.get('/webhooks')), [])
})

test('the stock is saved as a book or as CSV, with the filters and figures of the list and no formula', async () => {
  const asked = ['', '?selection=in_question', `?${new URLSearchParams({ search: 'плед' })}`]
  for (const query of asked) {
    const goods = (await view.get(`/stock${query}`)).body as { items: (Named & StockFigures)[] }
    const { text, headers } = await view.get(`/exports/stock${query}${query ? '&' : '?'}format=csv`)
    assert.match(headers.get('content-disposition') ?? '', /filename="stock-[\d-]+\.csv"/)
    const rows = text.trim().split('\r\n').slice(1)
    assert.deepEqual(
      rows.map((row) => [row.split(';')[0], ...row.split(';').slice(-9, -6)]),
      goods.items.map(({ barcode, quantity, available, in_question }) =>
        [barcode, quantity, available, in_question].map(String),
      ),
    )
  }
  const book = await view.get('/exports/stock')
  assert.match(book.text, /^PK/)
  const { id, key } = await seller()
  const program = openClient(baseUrl, key.key)
  const named = [{ barcode: '=1+1', name: '=HYPERLINK("x")', qty: 1, honest_mark: false }]
  const announced = await program.post('/v1/receipts', { items: named })
  assert.equal(announced.status, 201, announced.text)
  const receipt = (announced.body as Named).id
  for (const verb of ['confirm', 'start']) await manager.post(`/receipts/${receipt}/${verb}`)
  await manager.post(`/receipts/${receipt}/scans`, { scan_id: 'a', barcode: '=1+1', qty: 1 })
  const viewer = await accountUser(service, { [id]: 'viewer' })
  const { text } = await viewer.get('/exports/stock?format=csv')
  assert.match(text, /\r\n'=1\+1;;"'=HYPERLINK\(""x""\)";1;/)
})

test('orders, receipts, shipments and returns are saved as files, with the filters and the order of their lists', async () => {
  const asked = [
    ...[
      ['orders', 'external_id', ''],
      ['orders', 'external_id', 'status=NEW'],
    ],
    ...[
      ['receipts', 'number', ''],
      ['shipments', 'external_id', 'marketplace=WB'],
    ],
    ['returns', 'number', 'status=FINISHED'],
  ] as const
  for (const [list = '', field = '', filter = ''] of asked) {
    const page = await view.get(`/${list}?${filter}&limit=200`)
    const shown = itemsOf<Record<string, string>>(page)
    const { text, headers } = await view.get(`/exports/${list}?${filter}&format=csv`)
    assert.match(headers.get('content-disposition') ?? '', new RegExp(`="${list}-`))
    const rows = text.trim().split('\r\n').slice(1)
    const numbers = rows.map((row) => row.split(';')[0]?.replaceAll(/^'|"/g, ''))
    assert.deepEqual(
      numbers.slice(0, 200),
      shown.map((item) => item[field]),
      `${list} ${filter}`,
    )
  }
  assert.match((await view.get('/exports/orders')).text, /^PK/)
  const turned = 'created_from=2026-12-02&created_to=2026-12-01'
  assert.equal((await view.get(`/exports/orders?${turned}`)).status, 400)
})

interface StockFigures {
  readonly quantity: number
  readonly available: number
  readonly in_question: number
}

test('the act of a receipt names each difference, on the paper that the warehouse prints', async () => {
  const short = (await view.get('/receipts?status=RECEIVED_WITH_DISCREPANCY')).body as {
    items: (Named & { number: string })[]
  }
  const [listed] = short.items
  assert.ok(listed)
  const receipt = (await view.get(`/receipts/${listed.id}`)).body as {
    items: (Named & { expected_qty: number; accepted_qty: number; shortage_reason?: string })[]
  }
  const page = await view.get(`/receipts/${listed.id}/act?format=html`)
  assert.match(page.text, new RegExp(`Акт о расхождениях, приёмка ${listed.number}`))
  assert.match(page.text, /Тёплый дом/)
  for (const item of receipt.items) {
    const differs = item.expected_qty !== item.accepted_qty
    assert.equal(page.text.includes(item.barcode), differs, item.barcode)
    if (item.shortage_reason) assert.ok(page.text.includes(item.shortage_reason))
  }
  const paper = await view.get(`/receipts/${listed.id}/act`)
  assert.match(paper.text, /^%PDF/)
  assertRefused(await view.get(`/receipts/${listed.id}/act?format=doc`), 'bad_request', 'format')
})
