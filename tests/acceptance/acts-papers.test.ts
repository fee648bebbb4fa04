import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openArchive } from '../../src/documents/imports/xlsx/archive.ts'
import type { Notice } from '../../src/exchange/notices/bell.ts'
import { openNoticeSender } from '../../src/exchange/notices/sender.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { type AccountUser, accountUser } from '../support/account.ts'
import { assertRefused } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'

const clock = new ManualClock(Date.parse('2026-11-20T12:00:00+03:00'))
const service = await startService(undefined, undefined, undefined, clock)
const admin = await staffClient(service, 'administrator')
const floor = await openFloor(service, { A: 1 })
const { warehouse_code: code } = good<{ warehouse_code: string }>(
  await admin.get(`/clients/${floor.client}`),
)
const at = (path: string) => `/clients/${floor.client}${path}`
const flat = (price: string) => [{ up_to: null, price }]

good(
  await admin.put(`/warehouses/${code}/billing-providers`, {
    ...{ first_day: '2026-01-01', name: 'ООО «Склад»', inn: '7707083893', kpp: '770701001' },
    ...{ address: 'Москва, Складская, 1', signatory: 'Директор Иванов И. И.' },
    ...{ vat_rate: 22, vat_included: false },
  }),
)
for (const own of [
  { code: 'OWN_BOX', name: 'Сборка короба', unit: 'короб' },
  { code: 'OWN_PHOTO', name: 'Фото; карточка', unit: 'шт.' },
]) {
  good(await admin.post(`/warehouses/${code}/billing-services`, own), 201)
}
const prices = [
  { service: 'OWN_BOX', steps: [{ up_to: 1, price: '40' }, ...flat('35.50')] },
  { service: 'OWN_PHOTO', steps: flat('15') },
]
const tariff = { first_day: '2026-11-01', prices, free_days: 0 }
good(await admin.post(`/warehouses/${code}/tariffs`, tariff), 201)
for (const service of ['OWN_BOX', 'OWN_PHOTO']) {
  const charge = { service, quantity: '2', comment: '=Для карточки' }
  good(await admin.post(at('/manual-charges'), charge), 201)
}
clock.advance(13 * 24 * 3_600_000)
const closed = await admin.post(at('/billing-periods/2026-11-01/close'))
const act = good<{ id: string; total: string }>(closed, 201)
const seller = await accountUser({ ...service, clock }, { [floor.client]: 'owner' })

const textOf = (answer: { readonly text: string }) => answer.text.replaceAll('\u00a0', ' ')
const ofStaff = (path: string) => admin.get(at(`/acts/${act.id}${path}`))
const ofSeller = (path: string) => seller.get(`/acts/${act.id}${path}`)

test('the owner of a client is notified of the act, and nobody else', async () => {
  const viewer = await accountUser({ ...service, clock }, { [floor.client]: 'viewer' })
  const log = { error: ({ err }: { err: unknown }) => assert.fail(String(err)), warn: () => {} }
  await openNoticeSender({ db: service.db, clock, channels: {}, log }).runOnce()
  const acts = async (user: AccountUser) =>
    (await user.get('/notices').then(({ body }) => body as { items: Notice[] })).items
      .filter(({ kind }) => kind === 'act_issued')
      .map(({ title, path }) => [title, path])
  const notice = ['Склад выставил акт за 11.2026', '/account/money?month=2026-11-01']
  assert.deepEqual(await acts(seller), [notice])
  assert.deepEqual(await acts(viewer), [])
})

test('an act is a primary document: sides, services with measures, VAT, sum in words, signatures', async () => {
  const page = textOf(await ofStaff('/file?format=html'))
  for (const part of [
    'Акт оказанных услуг № 1 от 30.11.2026',
    '01.11.2026 – 30.11.2026',
    'ООО «Склад», ИНН 7707083893, КПП 770701001, Москва, Складская, 1',
    'Сборка короба</td><td>короб</td><td class="number">2</td><td class="number"></td>',
    '<td class="number">15,00</td><td class="number">30,00</td>',
    'Сумма: 105,50 руб.',
    'НДС 22 % сверх суммы: 23,21 руб.',
    'Всего к оплате: 128,71 руб.',
    'Сто двадцать восемь рублей 71 копейка.',
    'Исполнитель: Директор Иванов И. И.',
    'Заказчик (должность',
  ]) {
    assert.ok(page.includes(part), part)
  }
  assert.equal(textOf(await ofSeller('/file?format=html')), page)
  for (const answer of [await ofStaff('/file'), await ofSeller('/file?format=pdf')]) {
    assert.equal(answer.headers.get('content-type'), 'application/pdf')
    assert.ok(answer.text.startsWith('%PDF'))
  }
})

test('an act for 1C has a row a service, and its rows add up to the act', async () => {
  const answer = await ofStaff('/file?format=1c')
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
  const { inn } = good<{ inn: string | null }>(await admin.get(`/clients/${floor.client}`))
  const tail = `1;30.11.2026;${inn ?? ''}`
  const lines = answer.text.replace('\ufeff', '').split('\r\n')
  assert.deepEqual(lines.slice(1), [
    `OWN_BOX;Сборка короба;короб;2;;75,50;22%;16,61;92,11;${tail}`,
    `OWN_PHOTO;"Фото; карточка";шт.;2;15,00;30,00;22%;6,60;36,60;${tail}`,
    '',
  ])
  assert.match(lines[0] ?? '', /^Код;Наименование;Единица;Количество;Цена;Сумма;Ставка НДС;/)
  assert.equal((await ofSeller('/file?format=1c')).text, answer.text)
})

test('the statement of an act lists each of its charges, as a book and as CSV', async () => {
  const csv = (await ofSeller('/charges?format=csv')).text
  const [, ...lines] = csv.split('\r\n').map((line) => line.split(';'))
  assert.deepEqual(
    lines.slice(0, -1).map((cells) => [...cells.slice(0, 2), ...cells.slice(-4)]),
    [
      ['20.11.2026', 'OWN_PHOTO', "'=Для карточки", '2', '15,00', '30,00'],
      ['20.11.2026', 'OWN_BOX', "'=Для карточки", '1', '35,50', '35,50'],
      ['20.11.2026', 'OWN_BOX', "'=Для карточки", '1', '40,00', '40,00'],
    ],
  )
  assert.equal((await ofStaff('/charges?format=csv')).text, csv)
  const headers = { Authorization: `Bearer ${admin.token}` }
  const book = await fetch(`${service.baseUrl}/staff/v1${at(`/acts/${act.id}/charges`)}`, {
    headers,
  })
  assert.match(book.headers.get('content-disposition') ?? '', /act-1-charges-.*\.xlsx/)
  const archive = await openArchive(Buffer.from(await book.arrayBuffer()))
  const parts: Buffer[] = []
  for await (const part of archive.part('xl/worksheets/sheet1.xml')) parts.push(part)
  assert.match(Buffer.concat(parts).toString(), /<v>35.5<.*<v>40</)
})

test('an act stays as it is when its client moves to a warehouse with services of the same codes', async () => {
  const before = await Promise.all([ofStaff('/file?format=1c'), ofStaff('/charges?format=csv')])
  good(await admin.post('/warehouses', { code: 'ACTS-2', name: 'Второй' }), 201)
  const same = { code: 'OWN_PHOTO', name: 'Другое фото', unit: 'кадр' }
  good(await admin.post('/warehouses/ACTS-2/billing-services', same), 201)
  await service.db`update clients set warehouse_code = 'ACTS-2' where id = ${floor.client}`
  const after = await Promise.all([ofStaff('/file?format=1c'), ofStaff('/charges?format=csv')])
  assert.deepEqual(
    after.map(({ text }) => text),
    before.map(({ text }) => text),
  )
})

test('papers of an act are for those who see money and for its client alone', async () => {
  const other = await openFloor(service, {})
  const stranger = await accountUser({ ...service, clock }, { [other.client]: 'owner' })
  for (const path of ['/file', '/charges']) {
    assertRefused(await floor.manager.get(at(`/acts/${act.id}${path}`)), 'forbidden')
    assertRefused(await stranger.get(`/acts/${act.id}${path}`), 'not_found')
    assertRefused(await admin.get(`/clients/${other.client}/acts/${act.id}${path}`), 'not_found')
    assertRefused(await ofSeller(`${path}?format=doc`), 'bad_request', 'format')
  }
})
