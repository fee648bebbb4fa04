import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { killServer, runCommand, type ServiceProcess, startProcess } from '../support/process.ts'

/** A scan of a handheld: it may be sent again with the same number. */
interface Scan {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

interface Warehouse {
  readonly receipt: string
  readonly shipment: string
  readonly stocktaking: string
  readonly received: readonly Scan[]
  readonly counted: readonly Scan[]
  readonly picks: readonly Scan[]
}

const workersCount = 12
const ordersCount = 300
const receivedMax = 3_000

function caller(service: ServiceProcess, token: string) {
  return async (path: string, body?: unknown, method = 'POST') => {
    const answer = await fetch(`${service.baseUrl}/staff/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
}
type Call = ReturnType<typeof caller>

async function prepare(call: Call): Promise<Warehouse> {
  const made = async (path: string, body?: unknown) => {
    const answer = await call(path, body)
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const { id: client } = await made('/clients', { name: 'ООО «Сбой»' })
  const { id: cabinet } = await made(`/clients/${client}/cabinets`, {
    marketplace: 'WB',
    name: 'Кабинет',
  })
  const items = ['A', 'B'].map((barcode) => ({ barcode, name: barcode, qty: 100_000 }))
  const { id: receipt } = await made(`/clients/${client}/receipts`, { cabinet_id: cabinet, items })
  await made(`/receipts/${receipt}/start`)
  await made(`/receipts/${receipt}/scans`, { scan_id: 'stock', barcode: 'A', qty: ordersCount })
  const drafts = Array.from({ length: ordersCount }, (_, n) => ({
    cabinet_id: cabinet,
    external_id: `order ${n}`,
    barcode: 'A',
  }))
  const { items: orders } = await made(`/clients/${client}/orders`, drafts)
  const order_ids = (orders as { id: string }[]).map(({ id }) => id)
  const shipment = await made('/shipments', { cabinet_id: cabinet, external_id: 'S', order_ids })
  const { id: stocktaking } = await made('/counts', {
    client_id: client,
    scope: { barcodes: ['A'] },
  })
  await made(`/counts/${stocktaking}/start`)
  const task = `/picking-tasks/${shipment.picking_task_id}/picks`
  return {
    receipt: String(receipt),
    shipment: String(shipment.id),
    stocktaking: String(stocktaking),
    received: Array.from({ length: receivedMax }, (_, n) => ({
      path: `/receipts/${receipt}/scans`,
      body: { scan_id: `received ${n}`, barcode: 'B' },
    })),
    counted: Array.from({ length: ordersCount }, (_, n) => ({
      path: `/counts/${stocktaking}/scans`,
      body: { scan_id: `counted ${n}`, code: 'A', qty: 1 },
    })),
    picks: order_ids.map((order_id) => ({
      path: task,
      body: { scan_id: `pick ${order_id}`, order_id, barcode: 'A' },
    })),
  }
}

/** Workers send scans until the service is gone. Calls `onAnswer` with each acknowledged one. */
async function send(call: Call, scans: Scan[], onAnswer: (scan: Scan) => void): Promise<Scan[]> {
  const sent: Scan[] = []
  const work = async () => {
    for (let scan = scans.shift(); scan !== undefined; scan = scans.shift()) {
      sent.push(scan)
      const answer = await call(scan.path, scan.body).catch(() => undefined)
      if (answer === undefined) return
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      onAnswer(scan)
    }
  }
  await Promise.all(Array.from({ length: workersCount }, work))
  return sent
}

for (const everything of [false, true]) {
  const what = everything ? 'everything' : 'the service'
  test(`scans of receipts, counts and picks are neither lost nor counted twice when ${what} is killed under load`, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'scans-'))
    const service = await startProcess(dataDir)
    const { answer } = await runCommand(dataDir, [
      'user',
      'add',
      '--login',
      'boss',
      '--role',
      'manager',
    ])
    const token = String(answer.token)
    const warehouse = await prepare(caller(service, token))
    const acknowledged = new Set<Scan>()
    // All kinds in turn, so that all are under way when the kill comes.
    const scans = warehouse.received.flatMap((received, n) => [
      received,
      ...warehouse.picks.slice(n, n + 1),
      ...warehouse.counted.slice(n, n + 1),
    ])
    let ending: Promise<unknown> | undefined
    const sent = await send(caller(service, token), scans, (scan) => {
      acknowledged.add(scan)
      if (acknowledged.size < ordersCount) return
      ending ??= service.end('SIGKILL')
      if (everything && acknowledged.size === ordersCount) killServer(dataDir)
    })
    await ending
    assert.ok(acknowledged.size >= ordersCount && sent.length > acknowledged.size)

    const again = await startProcess(dataDir)
    const call = caller(again, token)
    // A handheld repeats what got no answer, and here even what got one.
    for (const scan of sent) {
      const { status, body } = await call(scan.path, scan.body)
      assert.equal(status, 200)
      if (acknowledged.has(scan)) assert.equal(body.repeated, true, JSON.stringify(scan.body))
    }
    const sentOf = (kind: readonly Scan[]) => sent.filter((scan) => kind.includes(scan)).length
    const receipt = await call(`/receipts/${warehouse.receipt}`, undefined, 'GET')
    const lines = receipt.body.items as { barcode: string; accepted_qty: number }[]
    assert.deepEqual(
      lines.map(({ barcode, accepted_qty }) => [barcode, accepted_qty]),
      [
        ['A', ordersCount],
        ['B', sentOf(warehouse.received)],
      ],
    )
    const tasks = await call(`/picking-tasks?shipment_id=${warehouse.shipment}`, undefined, 'GET')
    const [task] = tasks.body.items as { packed_count: number }[]
    assert.equal(task?.packed_count, sentOf(warehouse.picks))
    const stocktaking = await call(`/counts/${warehouse.stocktaking}`, undefined, 'GET')
    const [line] = stocktaking.body.lines as { counted: number }[]
    assert.equal(line?.counted, sentOf(warehouse.counted))
    const report = await runCommand(dataDir, ['audit'])
    assert.deepEqual(report.answer.findings, [])
    await again.end('SIGTERM')
  })
}
