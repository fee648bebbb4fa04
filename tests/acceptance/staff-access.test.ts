import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertRefused, openClient } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'

/**
 * Who may do what: every operation of the staff API has its least role here, and is asked without
 * credentials, with each role, and about an object that is not there.
 */
const roles = ['worker', 'manager', 'administrator'] as const
type Role = (typeof roles)[number]

const leastRole: Readonly<Record<Role, readonly string[]>> = {
  worker: [
    'whoAmI',
    'listReceipts',
    'getReceipt',
    'startReceipt',
    'finishReceipt',
    'scanReceipt',
    'listReceiptScans',
    'undoReceiptScan',
    'listReasons',
    'listBoxes',
    'createBox',
    'getBox',
    'placeBox',
    'putIntoBox',
    'takeFromBox',
    'moveBetweenBoxes',
    'getBoxLabel',
    'listPallets',
    'createPallet',
    'getPallet',
    'getPalletLabel',
    'listStaffOrders',
    'getStaffOrder',
    'getOrderSticker',
    'listStaffShipments',
    'getStaffShipment',
    'openShipment',
    'addOrdersToShipment',
    'removeOrderFromShipment',
    'closeShipment',
    'getShipmentPass',
    'listPickingTasks',
    'getPickingTask',
    'pickUnit',
    'reportNotFound',
  ],
  manager: [
    'confirmReceipt',
    'registerReceipt',
    'importReceipt',
    'switchIntake',
    'listClients',
    'createClient',
    'getClient',
    'changeClient',
    'listCabinets',
    'createCabinet',
    'getCabinet',
    'changeCabinet',
    'listCabinetsOfAll',
    'syncCabinet',
    'listCabinetTasks',
    'listShipmentShortages',
    'listKeys',
    'issueKey',
    'changeKey',
    'revokeKey',
    'listAttempts',
    'listProducts',
    'getProduct',
    'putProduct',
    'createReason',
    'listClientStock',
    'listMovements',
    'getClientMetrics',
    'correctStock',
    'writeOff',
    'putInQuestion',
    'resolveQuestion',
    'changeOrder',
    'takeInOrders',
    'acceptShipment',
  ],
  administrator: [
    'listUsers',
    'createUser',
    'changeUser',
    'issueStaffToken',
    'revokeStaffToken',
    'listWarehouses',
    'createWarehouse',
    'getWebhooksService',
    'switchWebhooksService',
    'listCalls',
    'listReceiptRequests',
    'listStaffChanges',
  ],
}
const open = ['signIn', 'signOut']

/** These take a call without a body, too. */
const bodyless = ['finishReceipt', 'acceptShipment', 'issueStaffToken']

/** Bodies that are good, where the least that the schema asks for is not enough. */
const bodies: Readonly<Record<string, unknown>> = {
  changeOrder: { marketplace_status: { supplier: 'new' } },
  scanReceipt: { scan_id: 's', barcode: 'B-1' },
  pickUnit: { scan_id: 's', order_id: '01a1fcc9-0000-7000-8000-000000000000', barcode: 'B-1' },
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly minItems?: number
  readonly minLength?: number
}
interface Operation {
  readonly operationId: string
  readonly security: readonly unknown[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> }
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const service = await startService()
const document = (await (await fetch(`${service.baseUrl}/staff/openapi.json`)).json()) as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    id: operation.operationId,
    path,
    method: method.toUpperCase(),
  })),
)
type Described = (typeof operations)[number]

const anonymous = openClient(service.baseUrl)
const members = {
  worker: openClient(service.baseUrl, (await staffClient(service, 'worker')).token, false),
  manager: openClient(service.baseUrl, (await staffClient(service, 'manager')).token, false),
  administrator: openClient(
    service.baseUrl,
    (await staffClient(service, 'administrator')).token,
    false,
  ),
}
const unknownId = '01a1fcc9-0000-7000-8000-000000000000'

/** A body that has the least of what a schema asks for. */
function leastOf(schema: Schema): unknown {
  const { $ref, anyOf, examples, items, properties = {}, required = [] } = schema
  const name = $ref?.split('/').at(-1)
  if (name !== undefined) return leastOf(document.components.schemas[name] ?? {})
  if (examples !== undefined) return examples[0]
  if (schema.enum !== undefined) return schema.enum[0]
  if (anyOf !== undefined) return leastOf(anyOf[0] ?? {})
  const type = [schema.type].flat()[0]
  if (type === 'object') {
    return Object.fromEntries(required.map((field) => [field, leastOf(properties[field] ?? {})]))
  }
  if (type === 'array') return (schema.minItems ?? 0) > 0 ? [leastOf(items ?? {})] : []
  if (type === 'integer') return Math.max(1, schema.minimum ?? 1)
  if (type === 'boolean') return true
  return 'x'.repeat(Math.max(1, schema.minLength ?? 1))
}

function callOf({ id, method, path, requestBody }: Described) {
  const types = requestBody?.content ?? {}
  const [type = ''] = Object.keys(types)
  const filled = path.replace(/\{\w+\}/g, unknownId)
  if (type === '') return { path: filled, call: { method } }
  const json = type === 'application/json'
  const body = bodies[id] ?? (json ? leastOf(types[type]?.schema ?? {}) : 'barcode,qty\nB-1,1\n')
  return { path: filled, call: { method, body, headers: { 'Content-Type': type } } }
}

test('every operation has a row, and every row an operation', () => {
  const rows = [...open, ...Object.values(leastRole).flat()]
  assert.deepEqual(rows.toSorted(), operations.map(({ id }) => id).toSorted())
  const described = operations.filter(({ security }) => security.length === 0)
  assert.deepEqual(described.map(({ id }) => id).toSorted(), open)
})

for (const operation of operations) {
  const least = roles.findIndex((role) => leastRole[role].includes(operation.id))
  if (least < 0) continue
  suite(`${operation.method} ${operation.path}`, () => {
    const { path, call } = callOf(operation)

    test('needs credentials that are known', async () => {
      const junk = ['x', 'svc_staff_x', 'svc_live_x'].map((key) => openClient(service.baseUrl, key))
      for (const client of [anonymous, ...junk]) {
        assertRefused(await client.call(path, call), 'unauthorized')
      }
      const headers = { ...('headers' in call ? call.headers : {}), Cookie: 'sklad_session=x' }
      assertRefused(await anonymous.call(path, { ...call, headers }), 'unauthorized')
    })

    test('needs its role', async () => {
      for (const role of roles.slice(0, least)) {
        assertRefused(await members[role].call(path, call), 'forbidden', 'Недостаточно прав')
        // Before anything of the call is looked at.
        const { method } = call
        assertRefused(await members[role].call(path, { method }), 'forbidden')
      }
    })

    if (operation.path.includes('{')) {
      test('finds nothing under an id that is nobody’s', async () => {
        for (const role of roles.slice(least)) {
          assertRefused(await members[role].call(path, call), 'not_found')
        }
        for (const id of ['x', '%00', encodeURIComponent('ы'), 'x'.repeat(2_000)]) {
          const other = operation.path.replace(/\{\w+\}/g, id)
          assertRefused(await members.administrator.call(other, call), 'not_found')
        }
      })
    } else if (operation.method === 'GET') {
      test('answers its role', async () => {
        for (const role of roles.slice(least)) {
          assert.equal((await members[role].call(path, call)).status, 200)
        }
      })
    }

    if (operation.requestBody?.content['application/json'] !== undefined) {
      test('wants a JSON object', async () => {
        const role = members.administrator
        const { method } = operation
        if (!bodyless.includes(operation.id)) {
          assertRefused(await role.call(path, { method, body: '' }), 'bad_request')
        }
        for (const body of ['{', 'null', '1', '"x"', '{"a":1,"a":2}', '{"__proto__":{}}']) {
          assertRefused(await role.call(path, { method, body }), 'bad_request')
        }
        const headers = { 'Content-Type': 'text/plain' }
        assertRefused(await role.call(path, { method, body: '{}', headers }), 'bad_request')
      })
    }
  })
}

test('what is not there is behind the gate, too', async () => {
  for (const path of ['/staff/v1/nothing', '/staff/v1/', '/staff/v1/clients/x/y']) {
    assertRefused(await anonymous.get(path), 'unauthorized')
    assertRefused(await members.worker.get(path), 'not_found')
  }
})

test('a key of a seller opens nothing here, and a token of staff nothing there', async () => {
  const { body } = await anonymous.post('/v1/sandbox/keys')
  const seller = openClient(service.baseUrl, (body as { key: string }).key)
  assertRefused(await seller.get('/staff/v1/session'), 'unauthorized')
  assertRefused(await members.administrator.get('/v1/me'), 'unauthorized')
})
