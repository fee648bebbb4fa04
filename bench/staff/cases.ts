import type { Server, Worker } from '../processes.ts'
import { type ProcessorTime, withProcessorTime } from '../processor-time.ts'
import type { BareBody } from './bare.ts'
import type { Call, CallJob, CallOutcome } from './caller.ts'
import { goods, type Scene, scansOf, scansOfMarks } from './scene.ts'

export interface Stage {
  readonly service: Server
  readonly bare: Server
  readonly caller: Worker<CallJob, CallOutcome>
  readonly scene: Scene
  readonly databasePid: number
}

export interface Measurement {
  readonly service: CallOutcome & ProcessorTime
  readonly bare: CallOutcome & ProcessorTime
}

/** Receives each measurement. */
export type Note = (name: string, measurement: Measurement) => void

interface ScanCase {
  readonly name: string
  readonly calls: readonly Call[]
  /** Rows of the baseline that calls contend for, as they contend for balances. */
  readonly rows: number
}

const scanWorkers = 20
const pickWorkers = 10

/** Calls of the baseline: `calls` requests that change `rows` rows each. */
function entries(calls: number, rows: number): Call[] {
  return Array.from({ length: calls }, (_, n) => {
    const body: BareBody = { first: n * rows, rows }
    return { path: '/entries', body: JSON.stringify(body) }
  })
}

export function scanCases({ clients }: Scene): ScanCase[] {
  const [first] = clients
  const [receipt] = first?.receipts ?? []
  if (first === undefined || receipt === undefined) throw new Error('the scene has no receipt')
  return [
    {
      name: 'scans, one receipt, one barcode',
      calls: scansOf([receipt], goods.slice(0, 1)),
      rows: 1,
    },
    {
      name: 'scans, one receipt, 50 barcodes',
      calls: scansOf([receipt], goods),
      rows: goods.length,
    },
    {
      name: 'scans, one receipt, 50 marked goods',
      calls: scansOfMarks(first.markedReceipt),
      rows: goods.length,
    },
    {
      name: 'scans, 20 receipts of 10 clients',
      calls: scansOf(
        clients.flatMap(({ receipts }) => receipts),
        goods,
      ),
      rows: clients.length * goods.length,
    },
  ]
}

export async function measureScans(
  stage: Stage,
  { name, calls, rows }: ScanCase,
  seconds: number,
  note: Note,
): Promise<void> {
  const limits = { workers: scanWorkers, seconds }
  const bare = await callBare(stage, { calls: entries(rows, 1), ...limits })
  const service = await callService(stage, { calls, ...limits })
  note(name, { service, bare })
}

export const shipmentCases = {
  intake: 'intake of orders',
  repeat: 'the same orders again',
  statuses: 'new statuses of orders',
  join: 'orders join a shipment',
  picks: 'picks, one shipment',
  checks: 'packing checks, one shipment',
  closing: 'closing a shipment',
  returns: 'returns of a shipment, unit by unit',
} as const

/** Plays one shipment from the intake of its orders to its closing. `round` makes its numbers unique. */
export async function measureShipment(
  stage: Stage,
  round: string,
  orders: number,
  note: Note,
): Promise<void> {
  const [client] = stage.scene.clients
  if (client === undefined) throw new Error('the scene has no client')
  const numbers = Array.from({ length: orders }, (_, n) => `${round}-${n}`)
  const draftsWith = (fields: object) =>
    numbers.map((external_id, n) => ({
      cabinet_id: client.cabinetId,
      external_id,
      barcode: goods[n % goods.length] ?? '',
      ...fields,
    }))
  const at = (path: string, body?: object): Call => ({
    path: `/staff/v1${path}`,
    body: body === undefined ? '' : JSON.stringify(body),
  })
  const one = async (name: string, call: Call) => {
    const bare = await callBare(stage, { calls: entries(1, orders), workers: 1 })
    note(name, { service: await callService(stage, { calls: [call], workers: 1 }), bare })
  }
  const scanned = async (name: string, calls: readonly Call[]) => {
    const bare = await callBare(stage, { calls: entries(orders, 1), workers: scanWorkers })
    note(name, { service: await callService(stage, { calls, workers: scanWorkers }), bare })
  }
  const intake = `/clients/${client.id}/orders`
  const first = { marketplace_status: { supplier: 'new', buyer: 'waiting' } }
  const newer = { marketplace_status: { supplier: 'confirm', buyer: 'waiting' } }
  await one(shipmentCases.intake, at(intake, draftsWith(first)))
  await one(shipmentCases.repeat, at(intake, draftsWith(first)))
  await one(shipmentCases.statuses, at(intake, draftsWith(newer)))
  const { items } = await ask<{ items: { id: string; barcode: string }[] }>(
    stage,
    at(intake, draftsWith({})),
  )
  const shipment = await ask<{ id: string; picking_task_id: string }>(
    stage,
    at('/shipments', { cabinet_id: client.cabinetId, external_id: `bench-${round}` }),
  )
  const ids = items.map(({ id }) => id)
  await one(shipmentCases.join, at(`/shipments/${shipment.id}/orders`, { order_ids: ids }))
  const tasks = `/picking-tasks/${await taskOf(stage, shipment.id)}`
  const picks = items.map(({ id, barcode }) =>
    at(`${tasks}/picks`, { scan_id: '{ref}', order_id: id, barcode }),
  )
  const bare = await callBare(stage, { calls: entries(orders, 1), workers: pickWorkers })
  note(shipmentCases.picks, {
    service: await callService(stage, { calls: picks, workers: pickWorkers }),
    bare,
  })
  const checks = items.map(({ id, barcode }) =>
    at(`/shipments/${shipment.id}/checks`, { scan_id: '{ref}', order_id: id, code: barcode }),
  )
  await scanned(shipmentCases.checks, checks)
  await one(shipmentCases.closing, at(`/shipments/${shipment.id}/close`))
  const scans = numbers.map((code) =>
    at('/returns/scans', { scan_id: '{ref}', code, condition: 'sellable', client_id: client.id }),
  )
  await scanned(shipmentCases.returns, scans)
}

export const countCase = 'scans of a count, 50 barcodes'
export const putAwayCase = 'put away, 50 barcodes, 20 shelves'
export const todayCase = 'today'

/** Workers count all goods of a client. The count is cancelled afterwards. */
export async function measureCount(stage: Stage, seconds: number, note: Note): Promise<void> {
  const [client] = stage.scene.clients
  if (client === undefined) throw new Error('the scene has no client')
  const post = (path: string, body?: object): Call => ({
    path: `/staff/v1/counts${path}`,
    body: body === undefined ? '' : JSON.stringify(body),
  })
  const { id } = await ask<{ id: string }>(stage, post('', { client_id: client.id, scope: {} }))
  await ask(stage, post(`/${id}/start`))
  const calls = goods.map((code) => post(`/${id}/scans`, { scan_id: '{ref}', code, qty: 1 }))
  const limits = { workers: scanWorkers, seconds }
  const bare = await callBare(stage, { calls: entries(goods.length, 1), ...limits })
  note(countCase, { service: await callService(stage, { calls, ...limits }), bare })
  await ask(stage, post(`/${id}/cancel`))
}

/** Workers put units of all goods of a client away, each at a shelf of 20. `round` makes their codes unique. */
export async function measurePutAway(
  stage: Stage,
  round: string,
  seconds: number,
  note: Note,
): Promise<void> {
  const [client] = stage.scene.clients
  if (client === undefined) throw new Error('the scene has no client')
  const post = (path: string, body: object): Call => ({
    path: `/staff/v1/locations${path}`,
    body: JSON.stringify(body),
  })
  const own = { method: 'GET', path: `/staff/v1/clients/${client.id}`, body: '' } as const
  const { warehouse_code } = await ask<{ warehouse_code: string }>(stage, own)
  const shelves = Array.from({ length: scanWorkers }, (_, n) => `${round}-${n}`)
  for (const code of shelves) {
    await ask(stage, post('', { warehouse_code, code }))
  }
  const calls = goods.map((barcode, n) => {
    const put = { scan_id: '{ref}', client_id: client.id, barcode, qty: 1 }
    return post(`/${shelves[n % shelves.length]}/put`, put)
  })
  const limits = { workers: scanWorkers, seconds }
  const bare = await callBare(stage, { calls: entries(goods.length, 1), ...limits })
  note(putAwayCase, { service: await callService(stage, { calls, ...limits }), bare })
}

/** Workers look at what waits. */
export async function measureToday(stage: Stage, seconds: number, note: Note): Promise<void> {
  const calls: Call[] = [{ method: 'GET', path: '/staff/v1/today', body: '' }]
  const limits = { workers: pickWorkers, seconds }
  const bare = await callBare(stage, { calls: entries(1, 1), ...limits })
  note(todayCase, { service: await callService(stage, { calls, ...limits }), bare })
}

async function taskOf({ service, scene }: Stage, shipmentId: string): Promise<string> {
  const answer = await fetch(`${service.url}/staff/v1/picking-tasks?shipment_id=${shipmentId}`, {
    headers: { authorization: `Bearer ${scene.token}` },
  })
  const { items } = (await answer.json()) as { items: { id: string }[] }
  if (items[0] === undefined) throw new Error('the shipment has no task')
  return items[0].id
}

type Calls = Pick<CallJob, 'calls' | 'workers' | 'seconds'>

function callBare(stage: Stage, calls: Calls): Promise<Measurement['bare']> {
  return callServer(stage, stage.bare, { headers: {}, ...calls })
}

function callService(stage: Stage, calls: Calls): Promise<Measurement['service']> {
  const headers = { authorization: `Bearer ${stage.scene.token}` }
  return callServer(stage, stage.service, { headers, ...calls })
}

async function callServer(
  { caller, databasePid }: Stage,
  { url, pid }: Server,
  calls: Calls & Pick<CallJob, 'headers'>,
): Promise<CallOutcome & ProcessorTime> {
  const outcome = await withProcessorTime({ server: pid, database: databasePid }, () =>
    caller.run({ url, ...calls }),
  )
  if (outcome.refusal === undefined) return outcome
  const statuses = JSON.stringify(outcome.statuses)
  throw new Error(`${url}${calls.calls[0]?.path}: ${statuses}, ${outcome.refusal}`)
}

async function ask<T>(
  { service, scene }: Stage,
  { path, body, method = 'POST' }: Call,
): Promise<T> {
  const answer = await fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${scene.token}`, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}
