import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { accountUser } from '../support/account.ts'
import { type Answer, openClient } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'

/** The APIs of our own pages list the wrong fields of a call; the public one answers as the specification says. */

const service = await startService()
const manager = await staffClient(service, 'manager')
const { clientId, key } = await perform(
  service.db,
  systemClock,
  { kind: 'service' },
  async (work) => {
    const clientId = await createClient(work, { mode: 'live', name: 'ООО «Север»' })
    await addCabinet(work, clientId, { marketplace: 'WB', name: 'Север WB' })
    return {
      clientId,
      ...(await issueApiKey(work, clientId, { name: '1С', receiptsEnabled: true })),
    }
  },
)
const program = openClient(service.baseUrl, key)
await manager.patch(`/clients/${clientId}`, { account_receipts: true })
const owner = await accountUser(service, { [clientId]: 'owner' })

type WrongFields = readonly { readonly path: string; readonly message: string }[]

function fieldsOf({ body }: Answer): WrongFields | undefined {
  return (body as { error: { fields?: WrongFields } }).error.fields
}

const wrongDraft = { items: [{ barcode: 'W-1', name: 'Плед', qty: 'пять', honest_mark: false }, 7] }

test('an answer of the staff API says of each wrong field what its rule is', async () => {
  const refused = await manager.post('/clients', { name: '', inn: '7707083894' })
  assert.deepEqual(fieldsOf(refused), [
    { path: 'name', message: 'строка от 1 до 500 символов' },
    { path: 'inn', message: 'контрольные цифры не сходятся: сверьте номер с документом' },
  ])
  assert.match(refused.message, /^Поле name: .*; передана пустая строка\. Поле inn: /)
  const counted = await manager.post('/counts', {
    client_id: clientId,
    scope: { barcodes: ['NONE'], boxes: ['046000000000000001'] },
  })
  assert.deepEqual(
    fieldsOf(counted)
      ?.map(({ path }) => path)
      .sort(),
    ['scope.barcodes[0]', 'scope.boxes[0]'],
  )
})

test('a wrong parameter and a wrong period stand in the answer, too', async () => {
  const wrong = async (query: string) => fieldsOf(await owner.get(query))
  assert.deepEqual(await wrong('/orders?limit=x'), [
    { path: 'limit', message: 'ожидается целое число, например 100' },
  ])
  const period = 'created_from=2026-12-01&created_to=2026-11-01'
  assert.deepEqual(await wrong(`/orders?${period}`), [
    { path: 'created_from', message: 'не может быть позже конца периода' },
  ])
  assert.deepEqual(await wrong('/metrics?from=2020-01-01&to=2026-11-01'), [
    { path: 'from', message: 'период не длиннее 366 дней' },
  ])
  assert.equal((await owner.get('/orders/none')).code, 'not_found')
  assert.equal(await wrong('/orders/none'), undefined)
})

test('a table of goods names its wrong cells, and rows that lack something', async () => {
  const send = (text: string) =>
    owner.call('POST', '/receipts/import', text, { 'Content-Type': 'text/csv' })
  const cells = await send('barcode;name;qty\nW-1;Плед;пять\n')
  assert.deepEqual(fieldsOf(cells), [
    { path: 'file.2.C', message: 'ожидается целое число от 1 до 100000, указано „пять“' },
  ])
  assert.match(cells.message, /строка 2, столбец „qty“ \(C\): ожидается/)
  const unmarked = await send('barcode;name;qty\nW-1;Плед;5\n')
  const message = 'укажите «да» или «нет»: подлежит ли товар маркировке'
  assert.deepEqual(fieldsOf(unmarked), [{ path: 'file.2', message }])
  assert.equal(unmarked.message, `Поле honest_mark, строка 2: ${message}`)
  const nameless = fieldsOf(await send('barcode;qty;honest_mark\nW-1;5;нет\n'))
  assert.deepEqual(
    nameless?.map(({ path }) => path),
    ['file.2'],
  )
})

test('an answer lists no more fields than a page can show', async () => {
  const items = Array.from({ length: 200 }, () => ({}))
  const refused = await owner.post('/receipts', { items })
  assert.equal(refused.code, 'validation_error')
  assert.equal(fieldsOf(refused)?.length, 50)
})

test('the public API has the same errors without the list, and the account has it for the same calls', async () => {
  for (const [path, body] of [
    ['/receipts', wrongDraft],
    ['/webhooks', { url: 'ftp://x', events: [] }],
  ] as const) {
    const shown = await owner.post(path, body)
    const answered = await program.post(`/v1${path}`, body)
    const { fields, ...rest } = (shown.body as { error: Record<string, unknown> }).error
    assert.ok(Array.isArray(fields) && fields.length > 1, shown.text)
    const { error } = answered.body as { error: object }
    assert.deepEqual(Object.keys(error), ['code', 'message', 'request_id'])
    assert.deepEqual({ ...error, request_id: rest.request_id }, rest)
  }
  const answered = await program.get('/v1/orders?limit=x')
  assert.deepEqual(Object.keys((answered.body as { error: object }).error), [
    'code',
    'message',
    'request_id',
  ])
})

test('the documents of both APIs describe the list, and that of the public API has none', () => {
  const errorOf = (name: string) => {
    const text = readFileSync(new URL(`../../openapi/${name}.json`, import.meta.url), 'utf8')
    const { Error: schema } = JSON.parse(text).components.schemas
    return Object.keys(schema.properties.error.properties)
  }
  const withFields = ['code', 'message', 'fields', 'request_id']
  assert.deepEqual(errorOf('staff'), withFields)
  assert.deepEqual(errorOf('account'), withFields)
  assert.deepEqual(errorOf('public'), ['code', 'message', 'request_id'])
})
