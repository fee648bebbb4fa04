import { setTimeout as sleep } from 'node:timers/promises'
import { issueApiKey } from '../src/identity/keys/api-keys.ts'
import type { Database } from '../src/platform/db/connection.ts'
import { perform, type Work } from '../src/platform/db/work.ts'
import { systemClock } from '../src/platform/kernel/clock.ts'
import { addCabinet } from '../src/warehouse/clients/cabinets.ts'
import { createClient } from '../src/warehouse/clients/clients.ts'
import { announce } from '../src/warehouse/events/outbox.ts'
import { correctStock } from '../src/warehouse/stock/adjustments.ts'
import { registerProducts } from '../src/warehouse/stock/new-products.ts'
import { readArguments } from './arguments.ts'
import type { Flooded, FloodJob } from './flood.ts'
import { quantile } from './measure.ts'
import { addManager, openPlace, timeAudit } from './place.ts'
import { startFlood, startService } from './processes.ts'
import { publish, runLine, show, table } from './report.ts'
import { goods } from './staff/scene.ts'

/**
 * What a client gets while others flood the service: how long a read and a receipt request take, beside each flood and
 * alone. They are sent at a fixed pace: if the service stands still for a second, all calls of that second show it.
 */

const usage = `node bench/neighbours.ts [options]

  --seconds N   duration of a flood (20)
  --polls N     held polls (5000)
  --out DIR     directory of the results (bench/results)
  --no-out      print the results only
  --smoke       every flood once, small and short; print only
`

const given = readArguments(process.argv.slice(2), usage, ['seconds', 'polls'] as const)
const seconds = given.number('seconds', { usual: 20, smoke: 2, least: 1 })
const polls = given.number('polls', { usual: 5_000, smoke: 100, least: 25 })
const sandboxesMax = given.smoke ? 3 : 20
const sheets = given.smoke ? 2 : 40

/** Clients that are measured; each asks less often than its bucket allows. */
const measuredClients = 60
const readEveryMs = 40
const requestEveryMs = 200
const keysOfPollingClient = 5
const pollsOfKey = 5
const labelsOfSheet = 500
/** A flood is at its full before the measurement begins. */
const settleMs = 3_000

interface Seller {
  readonly clientId: string
  readonly keys: readonly string[]
}

interface Figures {
  readonly beside: string
  readonly read: readonly number[]
  readonly request: readonly number[]
  /** Answers to the measured client that were no success. */
  readonly failed: number
  readonly flooded: Flooded
}

await using place = await openPlace()
const { dataDir, db } = place
await using open = new AsyncDisposableStack()
const measured = await makeSellers(db, measuredClients, 1)
const pollers = Math.ceil(polls / (keysOfPollingClient * pollsOfKey))
const polling = await makeSellers(db, pollers, keysOfPollingClient)
const token = await addManager(db)
const limits = { RATE_LIMIT_PER_MINUTE: '60', RATE_LIMIT_BURST: '20' }
const service = await startService(dataDir, undefined, limits)
open.defer(service.stop)
const flooder = startFlood()
open.defer(flooder.stop)
const results: Figures[] = []
const keys = await makeSandboxes(service.url, sandboxesMax)
const flood = { url: service.url, seconds: seconds + settleMs / 1_000 }
await measure(service.url, measured)
for (const count of [0, 1, sandboxesMax]) {
  const flooding = { ...flood, kind: 'sandboxes', keys: keys.slice(0, count) } as const
  await measureBeside(`${count} flooding sandbox keys`, flooding)
}
const pollKeys = polling.flatMap((seller) => seller.keys)
const holding = { ...flood, kind: 'polls', keys: pollKeys, pollsOfKey } as const
await measureBeside(`${polls} held polls`, holding, () => announceToEach(db, polling))
const body = sheetOf(measured[0]?.clientId ?? '')
const printing = { ...flood, kind: 'labels', token, sheets, body } as const
await measureBeside(`${sheets} sheets of ${labelsOfSheet} labels`, printing)
const { findings } = await timeAudit(db)
publish(given.resultsDir, 'neighbours', describe(results, findings))

async function measureBeside(
  beside: string,
  job: FloodJob,
  during?: () => Promise<void>,
): Promise<void> {
  const flood = flooder.run(job)
  // Awaited below, and then it fails the run.
  flood.catch(() => {})
  await sleep(settleMs)
  const [figures] = await Promise.all([measure(service.url, measured), during?.()])
  results.push({ beside, ...figures, flooded: await flood })
  console.error(`${beside}: ${JSON.stringify(results.at(-1)?.flooded)}`)
}

async function makeSellers(db: Database, count: number, keys: number): Promise<Seller[]> {
  const sellers: Seller[] = []
  while (sellers.length < count) {
    sellers.push(
      await perform(db, systemClock, { kind: 'service' }, (work) => addSeller(work, keys)),
    )
  }
  return sellers
}

async function addSeller(work: Work, keyCount: number): Promise<Seller> {
  const clientId = await createClient(work, { mode: 'live', name: 'Продавец' })
  await addCabinet(work, clientId, { marketplace: 'WB', name: 'Кабинет' })
  const items = goods.map((barcode) => ({ barcode, name: `Товар ${barcode}`, honestMark: false }))
  await registerProducts(work, clientId, items)
  for (const barcode of goods.slice(0, 10)) {
    await correctStock(work, clientId, { barcode, delta: 10, reason: 'FOUND' })
  }
  const keys: string[] = []
  while (keys.length < keyCount) {
    keys.push((await issueApiKey(work, clientId, { name: '1С', receiptsEnabled: true })).key)
  }
  return { clientId, keys }
}

async function makeSandboxes(url: string, count: number): Promise<string[]> {
  const keys: string[] = []
  while (keys.length < count) {
    const answer = await fetch(`${url}/v1/sandbox/keys`, { method: 'POST' })
    keys.push(((await answer.json()) as { key: string }).key)
  }
  return keys
}

/** Sends reads and receipt requests at their pace, and waits for all answers. */
async function measure(url: string, sellers: readonly Seller[]) {
  let failed = 0
  const keys = sellers.flatMap((seller) => seller.keys)
  const timed = async (durations: number[], key: string, path: string, body?: string) => {
    const began = performance.now()
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
    const call = body === undefined ? { headers } : { headers, method: 'POST', body }
    const answer = await fetch(`${url}${path}`, call).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok !== true) failed += 1
    durations.push(performance.now() - began)
  }
  const pace = async (everyMs: number, send: (key: string, n: number) => Promise<void>) => {
    const calls: Promise<void>[] = []
    const began = performance.now()
    for (let n = 0; n * everyMs < seconds * 1_000; n += 1) {
      await sleep(Math.max(0, began + n * everyMs - performance.now()))
      calls.push(send(keys[n % keys.length] ?? '', n))
    }
    await Promise.all(calls)
  }
  const read: number[] = []
  const request: number[] = []
  await Promise.all([
    pace(readEveryMs, (key) => timed(read, key, '/v1/stock?limit=100')),
    pace(requestEveryMs, (key, n) => timed(request, key, '/v1/receipts', draftOf(n))),
  ])
  return { read, request, failed }
}

function draftOf(n: number): string {
  return JSON.stringify({
    external_ref: `${Date.now()}-${n}`,
    items: goods.slice(0, 5).map((barcode) => ({ barcode, qty: 10, honest_mark: false })),
  })
}

function sheetOf(clientId: string): string {
  return JSON.stringify({
    client_id: clientId,
    items: goods.map((barcode) => ({ barcode, copies: labelsOfSheet / goods.length })),
  })
}

/** One event for each client in turn, as long as the measurement takes. */
async function announceToEach(db: Database, sellers: readonly Seller[]): Promise<void> {
  const end = performance.now() + seconds * 1_000
  for (let n = 0; performance.now() < end; n += 1) {
    const clientId = sellers[n % sellers.length]?.clientId ?? ''
    await perform(db, systemClock, { kind: 'service' }, (work) =>
      announce(work, clientId, 'receipt.created', async () => [{ object: { n } }]),
    )
    await sleep(readEveryMs)
  }
}

function describe(results: readonly Figures[], findings: number): string {
  const figures = (durations: readonly number[]) => {
    const sorted = durations.toSorted((a, b) => a - b)
    return [0.5, 0.99, 1].map((share) => show(quantile(sorted, share)))
  }
  const rows = results.map(({ beside, read, request, failed, flooded }) => [
    beside,
    ...figures(read),
    ...figures(request),
    String(failed),
    Object.entries(flooded.statuses)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
    show(flooded.slowestMs / 1_000),
  ])
  const columns = ['p50', 'p99', 'most']
  return [
    `# Neighbours, ${new Date().toISOString().slice(0, 10)}\n`,
    `${runLine()}\n`,
    `${seconds} s beside each flood, at the limits of a key by default (60 a minute, 20 at once); reads and receipt requests of`,
    `${measuredClients} live clients, ${1000 / readEveryMs} and ${1000 / requestEveryMs} a second. Milliseconds; the answers of the flood and the slowest of them, in seconds.\n`,
    table(
      [
        'beside',
        ...columns.map((column) => `read ${column}`),
        ...columns.map((column) => `request ${column}`),
        'failed',
        'answers of the flood',
        'slowest',
      ],
      rows,
    ),
    `\nAudit: ${findings} findings.`,
  ].join('\n')
}
