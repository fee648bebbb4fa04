import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { type AccountUser, accountUser } from '../support/account.ts'
import { assertRefused, type Client, openClient } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { meanwhile } from '../support/waiting.ts'

/** A request that was made in the account is changed and withdrawn there, until a manager has confirmed it. */

const service = await startService()
const { baseUrl, db } = service
const manager = await staffClient(service, 'manager')

async function seller() {
  const made = await perform(db, systemClock, { kind: 'service' }, async (work) => {
    const id = await createClient(work, { mode: 'live', name: 'ООО «Заявка»' })
    await addCabinet(work, id, { marketplace: 'WB', name: 'Заявка WB' })
    const { key } = await issueApiKey(work, id, { name: '1С', receiptsEnabled: true })
    return { id, key }
  })
  await manager.patch(`/clients/${made.id}`, { account_receipts: true })
  const user = await accountUser(service, { [made.id]: 'receipts' })
  return { ...made, user, program: openClient(baseUrl, made.key) }
}

const line = (barcode: string, qty: number) => ({
  barcode,
  name: `Товар ${barcode}`,
  qty,
  honest_mark: false,
})

interface Made {
  readonly id: string
  readonly number: string
  readonly status: string
  readonly expected_qty: number
  readonly items: readonly { readonly barcode: string; readonly expected_qty: number }[]
}

async function announced(user: AccountUser, body: object = {}): Promise<Made> {
  const answer = await user.post('/receipts', { items: [line('З-1', 2), line('З-2', 3)], ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body as Made
}

const change = (user: AccountUser, id: string, body: object) =>
  user.call('PUT', `/receipts/${id}`, body)

async function outcomes(clientId: string): Promise<unknown[]> {
  const { body } = await manager.get(`/journal/receipts?client_id=${clientId}`)
  return (body as { items: { outcome: string }[] }).items.map(({ outcome }) => outcome).toReversed()
}

/** What the feed has shown since it was first read. */
async function eventsOf(program: Client): Promise<unknown[]> {
  const { body } = await program.get('/v1/events')
  return (body as { items: { type: string }[] }).items.map(({ type }) => type)
}

test('a new version takes the place of the old one whole, and the journal keeps both', async () => {
  const { id: client, user, program } = await seller()
  await program.get('/v1/events')
  const { id, number } = await announced(user, { external_ref: 'Д-1', comment: 'Утром' })
  const offered = await user.get(`/receipts/${id}/announcement`)
  assert.equal((offered.body as { changeable: boolean }).changeable, true)
  const version = { items: [line('З-3', 7)], planned_date: '2030-01-02' }
  const answer = await change(user, id, version)
  assert.equal(answer.status, 200, answer.text)
  const changed = answer.body as Made & { external_ref?: string; comment?: string }
  assert.deepEqual([changed.id, changed.number, changed.expected_qty], [id, number, 7])
  assert.deepEqual([changed.external_ref, changed.comment], [undefined, undefined])
  assert.deepEqual(
    changed.items.map((item) => [item.barcode, item.expected_qty]),
    [['З-3', 7]],
  )
  assert.equal((await change(user, id, version)).text, answer.text)
  assert.deepEqual(await outcomes(client), ['created', 'changed'])
  assert.deepEqual(await eventsOf(program), ['receipt.created'])
  const confirmed = await manager.post(`/receipts/${id}/confirm`)
  assert.deepEqual([confirmed.status, (confirmed.body as Made).expected_qty], [200, 7])
  assertRefused(await change(user, id, version), 'conflict', 'уже подтверждена')
  assertRefused(await user.post(`/receipts/${id}/withdraw`), 'conflict', 'уже подтверждена')
  const later = await user.get(`/receipts/${id}/announcement`)
  assert.equal((later.body as { changeable: boolean }).changeable, false)
})

test('a version that is refused changes nothing', async () => {
  const { id: client, user } = await seller()
  await announced(user, { external_ref: 'Д-1' })
  const { id } = await announced(user, { external_ref: 'Д-2' })
  const before = (await user.get(`/receipts/${id}`)).text
  const mixed = [line('З-1', 1), { ...line('З-2', 1), honest_mark: true }]
  const nameless = [{ barcode: 'З-9', qty: 1, honest_mark: false }]
  assertRefused(await change(user, id, { items: mixed }), 'mixed_marking')
  assertRefused(await change(user, id, { items: nameless }), 'validation_error', 'З-9')
  assertRefused(await change(user, id, { items: [] }), 'validation_error', 'items')
  const taken = await change(user, id, { items: [line('З-1', 1)], external_ref: 'Д-1' })
  assertRefused(taken, 'conflict', 'Д-1')
  assert.equal((await user.get(`/receipts/${id}`)).text, before)
  assert.deepEqual(await outcomes(client), ['created', 'created'])
})

test('withdrawing is what cancelling is, and once is enough', async () => {
  const { id: client, user, program } = await seller()
  await program.get('/v1/events')
  const { id } = await announced(user)
  const answer = await user.post(`/receipts/${id}/withdraw`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal((answer.body as Made).status, 'RECEIVED_WITH_DISCREPANCY')
  assert.equal((await user.post(`/receipts/${id}/withdraw`)).text, answer.text)
  assert.deepEqual(await eventsOf(program), ['receipt.created', 'receipt.completed'])
  const seen = (await manager.get(`/receipts/${id}`)).body as { cancel_comment: string }
  assert.match(seen.cancel_comment, /продавцом/)
  assertRefused(await manager.post(`/receipts/${id}/confirm`), 'conflict')
  assertRefused(await change(user, id, { items: [line('З-1', 1)] }), 'conflict')
  const { body } = await manager.get(`/journal/staff?client_id=${client}&object_id=${id}`)
  const titles = (body as { items: { title: string }[] }).items.map(({ title }) => title)
  assert.ok(titles.includes('Отозвана заявка на поставку'), titles.join())
})

test('what a program announced, another client has, or a viewer sees is not for changing', async () => {
  const [one, other] = [await seller(), await seller()]
  const items = [line('З-1', 1)]
  const { body } = await one.program.post('/v1/receipts', { items })
  const byKey = (body as Made).id
  assertRefused(await change(one.user, byKey, { items }), 'conflict', 'не в личном кабинете')
  assertRefused(
    await one.user.post(`/receipts/${byKey}/withdraw`),
    'conflict',
    'не в личном кабинете',
  )
  const { id } = await announced(one.user)
  assertRefused(await change(other.user, id, { items }), 'not_found')
  assertRefused(await other.user.post(`/receipts/${id}/withdraw`), 'not_found')
  assertRefused(await other.user.get(`/receipts/${id}/announcement`), 'not_found')
  assertRefused(await change(one.user, 'x', { items }), 'not_found')
  const viewer = await accountUser(service, { [one.id]: 'viewer' })
  assert.equal((await change(viewer, id, { items })).status, 403)
  assert.equal((await viewer.post(`/receipts/${id}/withdraw`)).status, 403)
})

// Guarantee (receipts): When a seller changes or withdraws a receipt request while a manager confirms it, one of the two is refused.
test('a change or withdrawal that meets a confirmation is refused after it, and leaves nothing', async () => {
  const { id: client, user } = await seller()
  for (const act of [
    (id: string) => change(user, id, { items: [line('З-9', 9)] }),
    (id: string) => user.post(`/receipts/${id}/withdraw`),
  ]) {
    const { id } = await announced(user)
    const { answer, waited } = await meanwhile(
      db,
      (tx) => tx`
        update receipts set status = 'EXPECTED', announced_status = 'EXPECTED', confirmed_at = now()
        where client_id = ${client} and id = ${id}`,
      () => act(id),
    )
    assert.ok(waited)
    assertRefused(answer, 'conflict', 'уже подтверждена')
    assert.equal(((await user.get(`/receipts/${id}`)).body as Made).expected_qty, 5)
  }
  assert.deepEqual(await outcomes(client), ['created', 'created'])
})

test('a manager confirms the version that was seen, and no other', async () => {
  const { id: client, user } = await seller()
  const seenOf = async (id: string) =>
    ((await manager.get(`/receipts/${id}`)).body as { version?: string }).version
  const confirm = (id: string, version: unknown) =>
    manager.post(`/receipts/${id}/confirm`, { version })
  const { id } = await announced(user)
  const first = await seenOf(id)
  const changed = await change(user, id, { items: [line('З-1', 2), line('З-2', 4)] })
  assert.equal(changed.status, 200, changed.text)
  assertRefused(await confirm(id, first), 'conflict', 'изменил заявку')
  assertRefused(await confirm(id, 5), 'validation_error', 'version')
  assert.equal(((await user.get(`/receipts/${id}`)).body as Made).status, 'PENDING_CONFIRMATION')
  const confirmed = await confirm(id, await seenOf(id))
  assert.deepEqual([confirmed.status, (confirmed.body as Made).expected_qty], [200, 6])
  assert.equal(await seenOf(id), undefined)

  const { id: second } = await announced(user)
  const seen = await seenOf(second)
  const { answer, waited } = await meanwhile(
    db,
    (tx) => tx`
      update receipts set comment = 'Завтра' where client_id = ${client} and id = ${second}`,
    () => confirm(second, seen),
  )
  assert.ok(waited)
  assertRefused(answer, 'conflict', 'изменил заявку')
})

test('a manager who confirms from a list confirms the versions that it shows', async () => {
  const { user, id: client } = await seller()
  const listed = async (): Promise<(Made & { version?: string })[]> =>
    ((await manager.get(`/receipts?client_id=${client}`)).body as { items: Made[] }).items
  const { id } = await announced(user)
  const { id: other } = await announced(user)
  const seen = await listed()
  assert.equal((await change(user, id, { items: [line('З-1', 2)] })).status, 200)
  const confirm = (each: { id: string; version?: string }) =>
    manager.post(`/receipts/${each.id}/confirm`, { version: each.version })
  const answers = new Map<string, number>()
  for (const each of seen) answers.set(each.id, (await confirm(each)).status)
  assert.deepEqual([answers.get(id), answers.get(other)], [409, 200])
  assert.deepEqual(
    (await listed()).map((each) => [each.id, each.version !== undefined]).toSorted(),
    [
      [id, true],
      [other, false],
    ].toSorted(),
  )
})

test('of a change and a confirmation of the version before at once, one is refused', async () => {
  const { user } = await seller()
  for (let round = 0; round < 8; round++) {
    const { id } = await announced(user)
    const { version } = (await manager.get(`/receipts/${id}`)).body as { version: string }
    const [changed, confirmed] = await Promise.all([
      change(user, id, { items: [line('З-9', 9)] }),
      manager.post(`/receipts/${id}/confirm`, { version }),
    ])
    assert.deepEqual([changed.status, confirmed.status].sort(), [200, 409])
    const { status, expected_qty } = (await user.get(`/receipts/${id}`)).body as Made
    const isConfirmed = confirmed.status === 200
    assert.equal(status, isConfirmed ? 'EXPECTED' : 'PENDING_CONFIRMATION')
    assert.equal(expected_qty, isConfirmed ? 5 : 9)
  }
})

test('of changes, a withdrawal and a confirmation at once each is done or refused, and the last state is of one', async () => {
  const { user } = await seller()
  for (let round = 0; round < 8; round++) {
    const { id } = await announced(user)
    const [changed, withdrawn, confirmed] = await Promise.all([
      change(user, id, { items: [line('З-9', 9)] }),
      user.post(`/receipts/${id}/withdraw`),
      manager.post(`/receipts/${id}/confirm`),
    ])
    assert.deepEqual([withdrawn.status, confirmed.status].toSorted(), [200, 409])
    assert.ok([200, 409].includes(changed.status), changed.text)
    const last = (await user.get(`/receipts/${id}`)).body as Made
    assert.equal(last.expected_qty, changed.status === 200 ? 9 : 5)
    const status = confirmed.status === 200 ? 'EXPECTED' : 'RECEIVED_WITH_DISCREPANCY'
    assert.equal(last.status, status)
  }
})

test('boxes get labels before the delivery leaves, and their code opens this receipt alone', async () => {
  const [one, other] = [await seller(), await seller()]
  const [made, alike] = [await announced(one.user), await announced(other.user)]
  assert.equal(made.number, alike.number)
  const labels = (user: AccountUser, id: string, boxes: string) =>
    fetch(`${baseUrl}/account/v1/receipts/${id}/box-labels?boxes=${boxes}`, {
      headers: { Cookie: user.cookie },
    })
  const answer = await labels(one.user, made.id, '12')
  assert.deepEqual([answer.status, answer.headers.get('Content-Type')], [200, 'application/pdf'])
  const pdf = await PDFDocument.load(await answer.arrayBuffer())
  assert.equal(pdf.getPageCount(), 12)
  const { body } = await manager.get(`/lookup?code=${made.id}`)
  const { matches } = body as { matches: { kind: string; id: string; client_id: string }[] }
  assert.deepEqual(
    matches.map(({ kind, id, client_id }) => [kind, id, client_id]),
    [['receipt', made.id, one.id]],
  )
  for (const boxes of ['0', '501', 'x']) {
    const refused = await one.user.get(`/receipts/${made.id}/box-labels?boxes=${boxes}`)
    assertRefused(refused, 'bad_request', 'boxes')
  }
  assertRefused(await one.user.get(`/receipts/${alike.id}/box-labels`), 'not_found')
  await one.user.post(`/receipts/${made.id}/withdraw`)
  const ended = await one.user.get(`/receipts/${made.id}/box-labels`)
  assertRefused(ended, 'conflict', 'завершена')
})
