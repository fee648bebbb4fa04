import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import type { ScanResult } from '../../src/warehouse/receipts/scans.ts'
import type { StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import { addBox } from '../../src/warehouse/storage/boxes.ts'
import { assertRefused, openClient } from '../support/client.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { sharedService } from '../support/service.ts'
import { type StaffClient, staffCalls, staffClient } from '../support/staff.ts'

const service = await sharedService()
const { db, baseUrl } = service
const [worker, manager] = [
  await staffClient(service, 'worker'),
  await staffClient(service, 'manager'),
]
const stranger = staffCalls(baseUrl)
const shoe = ean13('460123456780')
const boot = ean13('460123456781')

async function makeSeller(cabinets = 1) {
  return perform(db, systemClock, { kind: 'service' }, async (work) => {
    const id = await createClient(work, { mode: 'live', name: 'ООО «Север»' })
    const ids: string[] = []
    for (let n = 0; n < cabinets; n++) {
      ids.push(await addCabinet(work, id, { marketplace: 'WB', name: `Кабинет ${n}` }))
    }
    const { key } = await issueApiKey(work, id, { name: 'Учёт', receiptsEnabled: true })
    return { id, cabinets: ids, api: openClient(baseUrl, key) }
  })
}

interface Item {
  readonly barcode: string
  readonly name?: string
  readonly qty: number
  readonly honest_mark?: boolean
}

const plain: readonly Item[] = [
  { barcode: 'A-1', name: 'Плед', qty: 5 },
  { barcode: 'A-2', name: 'Кружка', qty: 3 },
]

async function registered(client: string, items = plain): Promise<string> {
  const answer = await manager.post(`/clients/${client}/receipts`, { items })
  assert.equal(answer.status, 201, answer.text)
  return (answer.body as StaffReceipt).id
}

async function receiving(client: string, items = plain): Promise<string> {
  const id = await registered(client, items)
  assert.equal((await worker.post(`/receipts/${id}/start`)).status, 200)
  return id
}

async function scan(id: string, body: object, by: StaffClient = worker): Promise<ScanResult> {
  const answer = await by.post(`/receipts/${id}/scans`, { scan_id: randomUUID(), ...body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as ScanResult
}

const refusedScan = (id: string, body: object) =>
  worker.post(`/receipts/${id}/scans`, { scan_id: randomUUID(), ...body })

async function read(id: string): Promise<StaffReceipt> {
  return (await manager.get(`/receipts/${id}`)).body as StaffReceipt
}

async function journalOf(id: string) {
  return db<{ action: string; login: string }[]>`
    select action, login from staff_journal where object_id = ${id} order by id`
}

test('a receipt that a manager registers is counted and completed, and the seller sees it', async () => {
  const { id: client, cabinets, api } = await makeSeller()
  const made = await manager.post(`/clients/${client}/receipts`, {
    items: plain,
    external_ref: 'Д-17',
    comment: 'Через рампу',
    planned_date: '2026-11-25',
  })
  assert.equal(made.status, 201)
  const receipt = made.body as StaffReceipt
  assert.equal(receipt.status, 'EXPECTED')
  assert.equal(receipt.source, 'manual')
  assert.equal(receipt.client_id, client)
  assert.equal(receipt.client_name, 'ООО «Север»')
  assert.equal(receipt.cabinet_id, cabinets[0])
  assert.equal(receipt.external_ref, 'Д-17')
  assert.equal(receipt.planned_date, '2026-11-25T00:00:00.000+03:00')
  assert.equal(receipt.confirmed_at, null)
  assert.deepEqual(
    receipt.items?.map((item) => [item.barcode, item.honest_mark, item.card_honest_mark]),
    [
      ['A-1', undefined, false],
      ['A-2', undefined, false],
    ],
  )
  const shown = (await api.get(`/v1/receipts/${receipt.id}`)).body as StaffReceipt
  assert.equal(shown.comment, 'Через рампу')
  assert.equal('external_ref' in shown, false, 'only of receipts from the API')
  assert.equal('client_id' in shown, false)

  const { id } = receipt
  assertRefused(await refusedScan(id, { barcode: 'A-1' }), 'conflict', '«Ожидается на складе»')
  const started = await worker.post(`/receipts/${id}/start`)
  assert.equal((started.body as StaffReceipt).status, 'RECEIVING')
  assertRefused(await worker.post(`/receipts/${id}/start`), 'conflict', '«Идёт приёмка»')

  const first = await scan(id, { scan_id: 's-1', barcode: 'A-1', qty: 4 })
  assert.deepEqual(
    [first.name, first.qty, first.expected_qty, first.accepted_qty, first.in_question_qty],
    ['Плед', 4, 5, 4, 0],
  )
  assert.deepEqual([first.repeated, first.undone], [false, false])
  const again = await scan(id, { scan_id: 's-1', barcode: 'A-1', qty: 4 })
  assert.deepEqual(again, { ...first, repeated: true })
  assert.equal((await scan(id, { barcode: 'A-2', qty: 4 })).in_question_qty, 1)

  const finish = (body?: unknown) => worker.post(`/receipts/${id}/finish`, body)
  assertRefused(await finish({}), 'validation_error', 'A-1')
  assertRefused(await finish(), 'validation_error', 'A-1')
  const reason = (barcode: string, code = 'DAMAGED') => ({ barcode, reason: code })
  for (const [shortages, names] of [
    [[reason('A-1', 'NO_SUCH')], 'shortages[0].reason'],
    [[reason('A-1'), reason('A-1')], 'shortages[1].barcode'],
    [[reason('A-1'), reason('A-2')], 'shortages[1].barcode'],
    [[reason('A-9'), reason('A-1')], 'shortages[0].barcode'],
    [[{ barcode: 'A-1' }], 'shortages[0].reason'],
    ['all', 'shortages'],
  ] as const) {
    assertRefused(await finish({ shortages }), 'validation_error', names)
  }
  assert.equal((await read(id)).status, 'RECEIVING', 'nothing is half done')
  const finished = await finish({ shortages: [reason('A-1')] })
  assert.equal(finished.status, 200)
  const done = finished.body as StaffReceipt
  assert.deepEqual(
    [done.status, done.accepted_qty, done.discrepancy_qty],
    ['RECEIVED_WITH_DISCREPANCY', 8, 0],
  )
  const listed = (await worker.get(`/receipts?client_id=${client}`)).body as {
    items: StaffReceipt[]
  }
  const differences = [done, ...listed.items].map((each) => [each.short_qty, each.surplus_qty])
  assert.deepEqual(differences, [
    [1, 1],
    [1, 1],
  ])
  assert.deepEqual(
    done.items?.map((item) => [item.discrepancy_qty, item.shortage_reason]),
    [
      [1, 'Товар повреждён'],
      [0, undefined],
    ],
  )
  assertRefused(await finish({ shortages: [reason('A-1')] }), 'conflict', 'Принята с расхождением')
  assertRefused(await refusedScan(id, { barcode: 'A-1' }), 'conflict', 'Принята с расхождением')
  const late = await scan(id, { scan_id: 's-1', barcode: 'A-1', qty: 4 })
  assert.equal(late.repeated, true, 'a repeat is answered also after the end')
  assertRefused(
    await worker.post(`/receipts/${id}/scans/s-1/undo`),
    'conflict',
    'Принята с расхождением',
  )
  const { funnel } = (await api.get('/v1/metrics')).body as { funnel: { in_storage: number } }
  assert.equal(funnel.in_storage, 8)
  assert.deepEqual(
    (await journalOf(id)).map((entry) => [entry.action, entry.login]),
    [
      ['registerReceipt', manager.login],
      ['startReceipt', worker.login],
      ['scanReceipt', worker.login],
      ['scanReceipt', worker.login],
      ['finishReceipt', worker.login],
    ],
  )
})

test('workers do not see requests that wait for confirmation', async () => {
  const { id: client, api } = await makeSeller()
  const asked = await api.post('/v1/receipts', {
    external_ref: 'УПД-1',
    items: [{ barcode: 'A-1', name: 'Плед', qty: 5, honest_mark: true }],
  })
  const { id } = asked.body as { id: string }
  const list = `/receipts?client_id=${client}`
  for (const path of [list, `${list}&status=PENDING_CONFIRMATION`]) {
    assert.deepEqual((await worker.get(path)).body, { items: [], total: 0, next_cursor: null })
    assert.equal(((await manager.get(path)).body as { total: number }).total, 1)
  }
  for (const answer of [
    await worker.get(`/receipts/${id}`),
    await worker.get(`/receipts/${id}/scans`),
    await worker.post(`/receipts/${id}/start`),
    await worker.post(`/receipts/${id}/finish`, {}),
    await worker.post(`/receipts/${id}/scans/a/undo`),
    await refusedScan(id, { barcode: 'A-1' }),
  ]) {
    assertRefused(answer, 'not_found', 'Приёмка не найдена')
  }
  assertRefused(await worker.post(`/receipts/${id}/confirm`), 'forbidden')
  assertRefused(await manager.post(`/receipts/${id}/start`), 'conflict', 'Ожидает подтверждения')
  assert.equal((await read(id)).items?.[0]?.card_honest_mark, null)

  const both = await Promise.all([1, 2].map(() => manager.post(`/receipts/${id}/confirm`)))
  assert.deepEqual(both.map((answer) => answer.status).sort(), [200, 409])
  const confirmed = (await worker.get(`/receipts/${id}`)).body as StaffReceipt
  assert.equal(confirmed.status, 'EXPECTED')
  assert.notEqual(confirmed.confirmed_at, null)
  assert.equal(confirmed.external_ref, 'УПД-1')
  assert.equal(((await worker.get(list)).body as { total: number }).total, 1)
  const entries = await db<{ before: StaffReceipt; after: StaffReceipt }[]>`
    select before, after from staff_journal where object_id = ${id}`
  assert.deepEqual(
    entries.map(({ before, after }) => [before.status, after.status]),
    [['PENDING_CONFIRMATION', 'EXPECTED']],
  )
})

test('marked goods are counted only by their marking codes', async () => {
  const { id: client } = await makeSeller()
  const id = await receiving(client, [
    { barcode: shoe, name: 'Туфли', qty: 2, honest_mark: true },
    { barcode: '2000000000017', name: 'Сапоги', qty: 2, honest_mark: true },
  ])
  const code = markingCode(shoe, 1)
  for (const [body, names] of [
    [{ barcode: shoe }, /marking_code.*отсканируйте код маркировки/],
    [{ marking_code: code, qty: 2 }, 'qty'],
    [{ marking_code: markingCode(boot, 1) }, /marking_code.*нет в этой приёмке/],
    [{ marking_code: markingCode(boot, 1), barcode: shoe }, /marking_code.*другого товара/],
    [{ marking_code: code.replace('u', 'г') }, /русская, переключите её/],
    [{ marking_code: shoe }, /Это штрихкод товара/],
    [{ marking_code: code.slice(0, 23) }, 'marking_code'],
    [{ marking_code: code, barcode: 'A-1' }, 'barcode'],
    [{}, 'barcode'],
  ] as const) {
    assertRefused(await refusedScan(id, body), 'validation_error', names)
  }
  const taken = await scan(id, { marking_code: `]d2${code}` })
  assert.deepEqual([taken.barcode, taken.qty, taken.marking_code], [shoe, 1, code])
  assertRefused(await refusedScan(id, { marking_code: code }), 'conflict', /уже принята/)
  const own = await scan(id, { marking_code: markingCode(boot, 2), barcode: '2000000000017' })
  assert.equal(own.name, 'Сапоги', 'a barcode of ours says nothing about the GTIN')

  const other = await makeSeller()
  const theirs = await receiving(other.id, [
    { barcode: shoe, name: 'Туфли', qty: 2, honest_mark: true },
  ])
  const refused = await refusedScan(theirs, { marking_code: code })
  assertRefused(refused, 'conflict', /уже принята/)
  assert.ok(!refused.text.includes(client) && !refused.text.includes('Север'))
  const plainly = await receiving(other.id)
  assertRefused(
    await refusedScan(plainly, { marking_code: markingCode(shoe, 5), barcode: 'A-1' }),
    'validation_error',
    /не маркируется/,
  )
  assert.equal((await read(theirs)).accepted_qty, 0)
})

test('the product decides whether a line is marked when the line does not say', async () => {
  const { id: client } = await makeSeller()
  await registered(client, [{ barcode: shoe, name: 'Туфли', qty: 1, honest_mark: true }])
  const id = await receiving(client, [{ barcode: shoe, qty: 1 }])
  const [line] = (await read(id)).items ?? []
  assert.deepEqual(
    [line?.name, line?.honest_mark, line?.card_honest_mark],
    ['Туфли', undefined, true],
  )
  assertRefused(await refusedScan(id, { barcode: shoe }), 'validation_error', 'marking_code')
  assert.equal((await scan(id, { marking_code: markingCode(shoe, 77) })).accepted_qty, 1)
  const contrary = await receiving(client, [{ barcode: shoe, qty: 1, honest_mark: false }])
  assert.equal((await scan(contrary, { barcode: shoe })).accepted_qty, 1, 'the line goes before')
})

test('a registered receipt takes white space off goods, and empty texts are absent', async () => {
  const { id: client } = await makeSeller()
  const made = await manager.post(`/clients/${client}/receipts`, {
    items: [{ barcode: ' A-1 ', name: '\tПлед ', article: '', qty: 1, honest_mark: null }],
    external_ref: '',
    comment: '',
    planned_date: '',
    cabinet_id: '',
  })
  assert.equal(made.status, 201, made.text)
  const { external_ref, comment, planned_date, items } = made.body as StaffReceipt
  assert.deepEqual([external_ref, comment, planned_date], [undefined, undefined, null])
  assert.deepEqual(
    items?.map((item) => [item.barcode, item.name, item.article]),
    [['A-1', 'Плед', undefined]],
  )
  const twice = {
    items: [
      { barcode: 'A-1', name: 'А', qty: 1 },
      { barcode: 'A-1 ', name: 'А', qty: 1 },
    ],
  }
  assertRefused(
    await manager.post(`/clients/${client}/receipts`, twice),
    'validation_error',
    'items[1].barcode',
  )
})

test('an undo removes the units from the line and the box and frees the marking code', async () => {
  const { id: client, api } = await makeSeller()
  const box = await perform(db, systemClock, { kind: 'service' }, (work) => addBox(work, client))
  const id = await receiving(client)
  const put = await scan(id, { scan_id: 'коробка 1', barcode: 'A-1', qty: 7, box_id: box })
  assert.deepEqual([put.box_id, put.in_question_qty], [box, 2])
  const stock = async () =>
    (await api.get('/v1/stock/A-1')).body as {
      quantity: number
      in_question: number
      boxes: number
    }
  assert.deepEqual(
    [(await stock()).quantity, (await stock()).in_question, (await stock()).boxes],
    [7, 2, 1],
  )
  const undo = () => worker.post(`/receipts/${id}/scans/${encodeURIComponent('коробка 1')}/undo`)
  const undone = (await undo()).body as ScanResult
  assert.deepEqual([undone.undone, undone.repeated, undone.accepted_qty], [true, false, 0])
  assert.equal(undone.undone_by, `staff:${worker.userId}`)
  assert.deepEqual(
    [(await stock()).quantity, (await stock()).in_question, (await stock()).boxes],
    [0, 0, 0],
  )
  const twice = await undo()
  assert.equal(twice.status, 200)
  assert.deepEqual(twice.body, { ...undone, repeated: true })
  const taken = await scan(id, { scan_id: 'коробка 1', barcode: 'A-1', qty: 7, box_id: box })
  assert.deepEqual([taken.undone, taken.repeated], [true, true], 'its id stays taken')
  for (const other of ['x', '%00', '%ED%A0%80', 'x'.repeat(5000)]) {
    const answer = await worker.post(`/receipts/${id}/scans/${other}/undo`)
    assert.ok(['not_found', 'bad_request'].includes(answer.code ?? ''), answer.text)
  }
  const made = await worker.post('/boxes', { client_id: client })
  const numbered = made.body as { id: string; sscc: string }
  const { sscc } = numbered
  for (const box_id of [sscc, `00${sscc}`]) {
    const counted = await scan(id, { scan_id: `в ${box_id}`, barcode: 'A-1', box_id })
    assert.equal(counted.box_id, numbered.id, 'the SSCC names the box')
    await worker.post(`/receipts/${id}/scans/${encodeURIComponent(`в ${box_id}`)}/undo`)
  }
  const theirs = await perform(db, systemClock, { kind: 'service' }, async (work) =>
    addBox(work, await createClient(work, { mode: 'live', name: 'Чужой' })),
  )
  for (const box_id of [theirs, 'x', randomUUID()]) {
    assertRefused(await refusedScan(id, { barcode: 'A-1', box_id }), 'validation_error', 'box_id')
  }
  assert.equal((await read(id)).accepted_qty, 0)
  assert.equal((await journalOf(id)).filter((entry) => /undo/i.test(entry.action)).length, 3)
})

test('scans are listed newest first, in pages, undone ones too', async () => {
  const { id: client } = await makeSeller()
  const id = await receiving(client)
  const made: string[] = []
  for (let n = 0; n < 7; n++) made.push((await scan(id, { barcode: 'A-1' })).scan_id)
  await worker.post(`/receipts/${id}/scans/${made[3]}/undo`)
  const listed: ScanResult[] = []
  let cursor = ''
  do {
    const page = await worker.get(`/receipts/${id}/scans?limit=3${cursor}`)
    const { items, total, next_cursor } = page.body as {
      items: ScanResult[]
      total: number
      next_cursor: string | null
    }
    assert.equal(total, 7)
    listed.push(...items)
    cursor = next_cursor === null ? '' : `&cursor=${encodeURIComponent(next_cursor)}`
  } while (cursor !== '')
  const times = listed.map((each) => each.scanned_at)
  assert.deepEqual(times, times.toSorted().toReversed())
  assert.deepEqual(listed.map((each) => each.scan_id).sort(), made.sort())
  assert.equal(listed.filter((each) => each.undone).length, 1)
  const other = await receiving(client)
  const foreign = await worker.get(`/receipts/${id}/scans?limit=1`)
  const { next_cursor: next } = foreign.body as { next_cursor: string }
  assertRefused(
    await worker.get(`/receipts/${other}/scans?cursor=${encodeURIComponent(next)}`),
    'bad_cursor',
  )
})

test('receipts of all live clients are listed newest first, with filters', async () => {
  const one = await makeSeller()
  const two = await makeSeller()
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push(await registered(n % 2 === 0 ? one.id : two.id))
  const all: StaffReceipt[] = []
  let cursor = ''
  do {
    const { body } = await worker.get(`/receipts?limit=2${cursor}`)
    const page = body as { items: StaffReceipt[]; next_cursor: string | null }
    all.push(...page.items)
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`
  } while (cursor !== '')
  assert.deepEqual(
    all.slice(0, 5).map((each) => each.id),
    ids.toReversed(),
  )
  assert.ok(all.every((each) => each.items === undefined && each.client_name !== ''))
  const modes = await db`
    select from clients where mode = 'test' and id = any(${all.map((each) => each.client_id)})`
  assert.equal(modes.length, 0, 'sandboxes are not the warehouse')
  const of = async (query: string) =>
    (await worker.get(`/receipts?${query}`)).body as { items: StaffReceipt[]; total: number }
  assert.equal((await of(`client_id=${two.id}`)).total, 2)
  assert.equal((await of(`client_id=${two.id}&status=RECEIVING`)).total, 0)
  const bound = encodeURIComponent(all[2]?.created_at ?? '')
  assert.equal((await of(`client_id=${one.id}&created_from=${bound}`)).total, 2)
  assert.equal((await of(`client_id=${one.id}&created_to=${bound}`)).total, 1)
  assert.equal((await of('client_id=nobody')).total, 0)
  const { number } = await read(ids[0] ?? '')
  const numbered = await of(`number=${encodeURIComponent(number)}&client_id=${one.id}`)
  assert.deepEqual([numbered.items.map(({ id }) => id), numbered.total], [[ids[0]], 1])
  assert.equal((await of(`number=${encodeURIComponent(number.slice(1))}`)).total, 0)
  const ref = `УПД ${randomUUID()}`
  await manager.post(`/clients/${two.id}/receipts`, { items: plain, external_ref: ref })
  assert.equal((await of(`external_ref=${encodeURIComponent(ref)}`)).total, 1)
  assertRefused(await worker.get('/receipts?status=all'), 'bad_request', 'status')
  assertRefused(
    await worker.get('/receipts?created_from=2026-11-02&created_to=2026-11-01'),
    'bad_request',
    'created_from',
  )
})

test("a manager's receipt must keep the rules of a seller's request", async () => {
  const { id: client, cabinets } = await makeSeller(2)
  const other = await makeSeller()
  const item = { barcode: 'N-1', name: 'Ваза', qty: 1 }
  const send = (body: unknown, to = client) => manager.post(`/clients/${to}/receipts`, body)
  for (const [body, code, names] of [
    [{ items: [{ ...item, name: undefined }] }, 'validation_error', 'items[0].name'],
    [{ items: [item, item] }, 'validation_error', 'items[1].barcode'],
    [{ items: [{ ...item, qty: 0 }] }, 'validation_error', 'items[0].qty'],
    [{ items: [{ ...item, qty: 1e300 }] }, 'validation_error', 'items[0].qty'],
    [{ items: [{ ...item, name: 'a\u0000' }] }, 'validation_error', 'items[0].name'],
    [{ items: [{ ...item, name: '\ud800' }] }, 'validation_error', 'items[0].name'],
    [{ items: [] }, 'validation_error', 'items'],
    [{ items: [item], cabinet_id: other.cabinets[0] }, 'validation_error', 'cabinet_id'],
    [{ items: [item], cabinet_id: 'x' }, 'validation_error', 'cabinet_id'],
    [{ items: [item], planned_date: '2026-02-30' }, 'validation_error', 'planned_date'],
    [{ items: [item], external_ref: 'я'.repeat(65) }, 'validation_error', 'external_ref'],
    [{ items: [item], status: 'RECEIVED' }, 'bad_request', 'status'],
    [[], 'bad_request', 'объект'],
    [
      {
        items: [
          { ...item, honest_mark: true },
          { barcode: 'N-2', name: 'Б', qty: 1 },
        ],
      },
      'mixed_marking',
      'N-2',
    ],
  ] as const) {
    assertRefused(await send(body), code, names)
  }
  assertRefused(await send({ items: [item] }, randomUUID()), 'not_found', 'Клиент')
  assertRefused(await send({ items: [item] }, 'x'), 'not_found', 'Клиент')
  assertRefused(await worker.post(`/clients/${client}/receipts`, { items: [item] }), 'forbidden')
  assertRefused(
    await stranger.post(`/clients/${client}/receipts`, { items: [item] }),
    'unauthorized',
  )
  const { total } = (await manager.get(`/receipts?client_id=${client}`)).body as { total: number }
  assert.equal(total, 0)
  const made = await send({ items: [item], cabinet_id: cabinets[1] })
  assert.equal((made.body as StaffReceipt).cabinet_id, cabinets[1])
  assert.equal(((await send({ items: [item] })).body as StaffReceipt).cabinet_id, null)
})

test('every spelling of a barcode by a scanner is recognised, and nulls are ignored', async () => {
  const { id: client } = await makeSeller()
  const [ean, upc] = [ean13('460123456799'), '036000291452']
  const items = [ean, upc, 'A-1'].map((barcode) => ({ barcode, name: 'Чай', qty: 9 }))
  const id = await receiving(client, items)
  for (const [scanned, barcode] of [
    [`]E0${ean}\r\n`, ean],
    [`0${ean}`, ean],
    [`0${upc}`, upc],
    [`00${upc}`, upc],
    [`${upc}\t`, upc],
    [' A-1 ', 'A-1'],
  ]) {
    const nulls = { marking_code: null, box_id: null, qty: null }
    assert.equal((await scan(id, { barcode: scanned, ...nulls })).barcode, barcode)
  }
  assertRefused(await refusedScan(id, { barcode: ']E0A-2' }), 'validation_error', 'нет в этой')
  assertRefused(await refusedScan(id, { barcode: null }), 'validation_error', 'barcode')
})

test('an invalid scan is refused', async () => {
  const { id: client } = await makeSeller()
  const id = await receiving(client)
  for (const [body, code, names] of [
    [{ barcode: 'A-9' }, 'validation_error', 'barcode'],
    [{ barcode: 'A-1', qty: 0 }, 'validation_error', 'qty'],
    [{ barcode: 'A-1', qty: 1e18 }, 'validation_error', 'qty'],
    [{ barcode: 'A-1', qty: '1' }, 'validation_error', 'qty'],
    [{ barcode: 'a\u0000' }, 'validation_error', 'barcode'],
    [{ barcode: 'A-1', marking_code: '\udfff' }, 'validation_error', 'marking_code'],
    [{ barcode: 'A-1', scan_id: '' }, 'validation_error', 'scan_id'],
    [{ barcode: 'A-1', box_id: 7 }, 'validation_error', 'box_id'],
    [{ barcode: 'A-1', order_id: 'x' }, 'bad_request', 'order_id'],
  ] as const) {
    assertRefused(await refusedScan(id, body), code, names)
  }
  for (const nobody of [randomUUID(), 'x', '%00']) {
    assertRefused(await refusedScan(nobody, { barcode: 'A-1' }), 'not_found')
    assertRefused(await worker.get(`/receipts/${nobody}`), 'not_found')
  }
  assertRefused(await stranger.post(`/receipts/${id}/scans`, {}), 'unauthorized')
  assert.equal((await read(id)).accepted_qty, 0)
})
