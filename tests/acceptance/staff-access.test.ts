import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertRefused, newSandbox, openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { good } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { testProvider } from '../support/warehouse.ts'

/**
 * The least role of every operation of the staff API. Each operation is called without credentials,
 * with each role, and for an unknown object. The manager of the table sees money.
 */
const roles = ['worker', 'manager', 'administrator'] as const
type Role = (typeof roles)[number]

/** Of managers, only those whom an administrator lets see money. */
const ofMoney = [
  'listBillingServices',
  'addBillingService',
  'listBillingProviders',
  'putBillingProvider',
  'listWarehouseTariffs',
  'addWarehouseTariff',
  'tryTariff',
  'forecastClientMonth',
  'listClientTariffs',
  'addClientTariff',
  'listStorageTerms',
  'addStorageTerms',
  'listClientCharges',
  'sumClientCharges',
  'computeClientCharges',
  'addManualCharge',
  'cancelManualCharge',
  'listBillingPeriods',
  'listDueBillingPeriods',
  'getClosingState',
  'closeBillingPeriod',
  'listClientActs',
  'getClientAct',
  'getClientActFile',
  'exportClientActCharges',
]

const leastRole: Readonly<Record<Role, readonly string[]>> = {
  worker: [
    'getToday',
    'getTodayFlow',
    'getTodayCurve',
    'getCounters',
    'whoAmI',
    'listReceipts',
    'getReceipt',
    'startReceipt',
    'finishReceipt',
    'scanReceipt',
    'listReceiptScans',
    'undoReceiptScan',
    'openWalkInReceipt',
    'listReasons',
    'listWarehouses',
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
    'lookUpCode',
    'listAssemblies',
    'makeAssembly',
    'undoAssembly',
    'getPicture',
    'getPhoto',
    'putReturnScanPhoto',
    'listReceiptPhotos',
    'putReceiptPhoto',
    'listReturnPhotos',
    'putReturnPhoto',
    'listOrderPhotos',
    'putOrderPhoto',
    'listCountPhotos',
    'putCountPhoto',
    'listExceptionPhotos',
    'putExceptionPhoto',
    'listStockEntryPhotos',
    'putStockEntryPhoto',
    'listProductMeasures',
    'listStockLots',
    'getProductLots',
    'changeProductLot',
    'measureProduct',
    'listCounts',
    'getCount',
    'scanInCount',
    'undoCountScan',
    'finishCounting',
    'resumeCounting',
    'listLocations',
    'getLocation',
    'getLocationLabel',
    'putAtLocation',
    'takeFromLocation',
    'moveFromLocation',
    'emptyLocation',
    'placeBoxAtLocation',
    'placePalletAtLocation',
    'placeAtLocation',
    'listStaffOrders',
    'listExpectedReturns',
    'listReturnBatches',
    'openReturnBatch',
    'getReturnBatch',
    'finishReturnBatch',
    'scanReturn',
    'scanReturnOfDay',
    'undoReturnScan',
    'getDocument',
    'printLocationLabels',
    'printBoxLabels',
    'printPalletLabels',
    'printGoodsLabels',
    'listPrintStations',
    'getPrintStation',
    'takePrintJob',
    'listPrintJobs',
    'createPrintJob',
    'getPrintJob',
    'settlePrintJob',
    'getPrintJobContent',
    'getStaffOrder',
    'getOrderSticker',
    'getShipmentStickers',
    'listStaffShipments',
    'getStaffShipment',
    'openShipment',
    'shipChosenOrders',
    'splitOrder',
    'setOrderBoxes',
    'addOrdersToShipment',
    'removeOrderFromShipment',
    'closeShipment',
    'listShippingPoints',
    'listShippingDefaults',
    'chooseShippingMethod',
    'listShipmentBoxes',
    'listWaitingOrders',
    'planDayShipment',
    'getShipmentBoxSticker',
    'setShipmentBoxes',
    'removeShipmentBox',
    'getShipmentPass',
    'getShipmentPapers',
    'getShipmentContainerLabels',
    'getShipmentDiscrepancyAct',
    'listPickingTasks',
    'getPickingTask',
    'pickUnit',
    'undoPick',
    'claimPickingTask',
    'releasePickingTask',
    'checkUnit',
    'setMarks',
    'reportNotFound',
    'listMisses',
    'getMiss',
  ],
  manager: [
    'confirmReceipt',
    'cancelReceipt',
    'approveReceipt',
    'registerReceipt',
    'importReceipt',
    'checkReceiptFile',
    'getGoodsTemplate',
    'importMeasures',
    'getMeasuresTemplate',
    'importSets',
    'checkSetsFile',
    'getSetsTable',
    'switchIntake',
    'listUsers',
    'listExceptions',
    'getException',
    'resolveException',
    'lookElsewhere',
    'correctMissedStock',
    'removeMissedOrder',
    'tellSeller',
    'listDevices',
    'createDevice',
    'printDeviceLabel',
    'revokeDevice',
    'setPin',
    'printBadge',
    'blockBadge',
    'listClients',
    'findGoods',
    'createClient',
    'getClient',
    'changeClient',
    'listCabinets',
    'createCabinet',
    'getCabinet',
    'changeCabinet',
    'setShippingDefaults',
    'listCabinetsOfAll',
    'getCabinetObservation',
    'recordCabinetCalls',
    'stopRecordingCabinetCalls',
    'listCabinetCalls',
    'exportCabinetCalls',
    'deleteCabinetCalls',
    'listCabinetWarehouses',
    'syncCabinet',
    'listRemoteCommands',
    'listShipmentShortages',
    'listKeys',
    'issueKey',
    'changeKey',
    'revokeKey',
    'listKeyRequests',
    'listWaitingKeyRequests',
    'acceptKeyRequest',
    'declineKeyRequest',
    'listAttempts',
    'listClientUsers',
    'inviteClientUser',
    'changeClientUser',
    'removeClientUser',
    'makeClientPasswordLink',
    'revokeClientInvitation',
    'listProducts',
    'getProduct',
    'putProduct',
    'putProductPicture',
    'deleteProductPicture',
    'removeReceiptPhoto',
    'removeReturnPhoto',
    'removeOrderPhoto',
    'getOrderEvidence',
    'removeCountPhoto',
    'removeExceptionPhoto',
    'removeStockEntryPhoto',
    'addProductBarcode',
    'keepProductLots',
    'forgetProductLots',
    'removeProductBarcode',
    'planMerging',
    'mergeProducts',
    'putProductParts',
    'createReason',
    'openCount',
    'startCount',
    'reviewCount',
    'recountLines',
    'acceptCountLine',
    'closeCount',
    'cancelCount',
    'createLocation',
    'createLocations',
    'exportList',
    'createPrintStation',
    'changePrintStation',
    'changeLocation',
    'listClientStock',
    'listClientQuestions',
    'listMovements',
    'listMovementsOfAll',
    'listStaffNotices',
    'countStaffNotices',
    'readStaffNotices',
    'getStaffNoticeSettings',
    'setStaffNoticeSettings',
    'setStaffNoticeEmail',
    'confirmStaffNoticeEmail',
    'dropStaffNoticeEmail',
    'linkStaffTelegram',
    'dropStaffTelegram',
    'listListViews',
    'saveListView',
    'deleteListView',
    'getClientMetrics',
    'correctStock',
    'writeOff',
    'putInQuestion',
    'resolveQuestion',
    'changeOrder',
    'takeInOrders',
    'acceptShipment',
    'cancelShipment',
    'takeOverPickingTask',
    'setUserWarehouses',
    'listShifts',
    'listPeopleAtWork',
    'getFlow',
    'getFiguresNow',
    'listClientWebhooks',
    'listCalls',
    'listReceiptRequests',
    'listRefusedReceipts',
    'listStaffChanges',
    ...ofMoney,
  ],
  administrator: [
    'listNoticeLetters',
    'getNoticesService',
    'switchNoticesService',
    'createUser',
    'changeUser',
    'issueStaffToken',
    'listStaffTokens',
    'revokeStaffToken',
    'createWarehouse',
    'getWebhooksService',
    'switchWebhooksService',
    'getMarketplacesService',
    'switchMarketplacesService',
  ],
}
const open = ['enrolDevice', 'getDeviceHere', 'readBadge', 'signIn', 'signInByPin', 'signOut']

/** Operations that accept a call without a body. */
const bodyless = [
  'confirmReceipt',
  'finishCounting',
  'finishReceipt',
  'resumeCounting',
  'cancelReceipt',
  'acceptShipment',
  'issueStaffToken',
  'takeOverPickingTask',
]

/** Valid bodies of operations that need more than the required fields of their schema. */
const bodies: Readonly<Record<string, unknown>> = {
  putBillingProvider: testProvider,
  changeOrder: { marketplace_status: { supplier: 'new' } },
  scanReceipt: { scan_id: 's', barcode: 'B-1' },
  setOrderBoxes: { count: 2 },
  splitOrder: { packages: [[{ barcode: 'B-1', qty: 1 }], [{ barcode: 'B-1', qty: 1 }]] },
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

const service = await sharedService()
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

const [worker, manager, administrator] = await Promise.all(
  roles.map((role) => staffClient(service, role)),
)
assert.ok(worker && manager && administrator)
good(await administrator.patch(`/users/${manager.userId}`, { sees_money: true }))
const anonymous = openClient(service.baseUrl)
const members = {
  worker: openClient(service.baseUrl, worker.token, false),
  manager: openClient(service.baseUrl, manager.token, false),
  administrator: openClient(service.baseUrl, administrator.token, false),
}
const unknownId = '01a1fcc9-0000-7000-8000-000000000000'

/** A body with only the required fields of a schema. */
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
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
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

test('every operation of the document has a row in this table, and every row an operation', () => {
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

    test('refuses missing and unknown credentials', async () => {
      const junk = ['x', 'svc_staff_x', 'svc_live_x'].map((key) => openClient(service.baseUrl, key))
      for (const client of [anonymous, ...junk]) {
        assertRefused(await client.call(path, call), 'unauthorized')
      }
      const headers = { ...('headers' in call ? call.headers : {}), Cookie: 'sklad_session=x' }
      assertRefused(await anonymous.call(path, { ...call, headers }), 'unauthorized')
    })

    test('refuses lesser roles', async () => {
      for (const role of roles.slice(0, least)) {
        assertRefused(await members[role].call(path, call), 'forbidden', 'Недостаточно прав')
        // The role is checked before the body.
        const { method } = call
        assertRefused(await members[role].call(path, { method }), 'forbidden')
      }
    })

    if (operation.path.includes('{')) {
      test('answers not_found for an unknown id', async () => {
        for (const role of roles.slice(least)) {
          assertRefused(await members[role].call(path, call), 'not_found')
        }
        for (const id of ['x', '%00', encodeURIComponent('ы'), 'x'.repeat(2_000)]) {
          const other = operation.path.replace(/\{\w+\}/g, id)
          assertRefused(await members.administrator.call(other, call), 'not_found')
        }
      })
    } else if (operation.method === 'GET') {
      test('serves its least role', async () => {
        for (const role of roles.slice(least)) {
          assert.equal((await members[role].call(path, call)).status, 200)
        }
      })
    }

    if (operation.requestBody?.content['application/json'] !== undefined) {
      test('refuses a body that is not a JSON object', async () => {
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

test('a manager whom no administrator lets see money is refused by the operations of money alone', async () => {
  const { token } = await staffClient(service, 'manager')
  const caller = openClient(service.baseUrl, token, false)
  const refused: string[] = []
  for (const operation of operations.filter(({ id }) => !open.includes(id))) {
    const { path, call } = callOf(operation)
    const { code, message } = await caller.call(path, { method: call.method })
    if (code === 'forbidden' && message.startsWith('Деньги')) refused.push(operation.id)
  }
  assert.deepEqual(refused.toSorted(), ofMoney.toSorted())
})

test('unknown paths need credentials too', async () => {
  for (const path of ['/staff/v1/nothing', '/staff/v1/', '/staff/v1/clients/x/y']) {
    assertRefused(await anonymous.get(path), 'unauthorized')
    assertRefused(await members.worker.get(path), 'not_found')
  }
})

test('the refusal of a wrong method names the methods of the path, with credentials only', async () => {
  const [method, path] = ['PUT', '/staff/v1/receipts/1/confirm']
  assertRefused(await anonymous.call(path, { method }), 'unauthorized')
  const refused = await members.worker.call(path, { method })
  const message = 'Вызова PUT /staff/v1/receipts/{id}/confirm нет; есть POST'
  assertRefused(refused, 'not_found', message)
})

test("a seller's key is refused by the staff API, and a staff token by the public API", async () => {
  const seller = await newSandbox(service)
  assertRefused(await seller.get('/staff/v1/session'), 'unauthorized')
  assertRefused(await members.administrator.get('/v1/me'), 'unauthorized')
})
