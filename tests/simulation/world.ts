import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { startApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { changeUser } from '../../src/identity/staff/users.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { perform, type Work } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { type Random, seededRandom } from '../../src/platform/kernel/random.ts'
import { loadSecrets } from '../../src/platform/process/secrets.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { addLocations } from '../../src/warehouse/storage/locations.ts'
import { type Answer, type Call, openClient } from '../support/client.ts'
import { ean13 } from '../support/marking-codes.ts'
import { staffClient } from '../support/staff.ts'
import { addSubscription } from '../support/subscription.ts'
import { noon } from '../support/warehouse.ts'
import { type Client, type Goods, type Marketplace, type MarkingCode, newGoods } from './model.ts'
import { queueing } from './queueing.ts'

/** The service, its model and the source of chance. */
export interface World {
  readonly db: Database
  readonly clock: ManualClock
  readonly clients: readonly Client[]
  readonly markingCodes: Map<string, MarkingCode>
  /** Whether one action runs at a time, so that the model knows every answer beforehand. */
  alone: boolean
  /** Shipments whose marks are at the marketplace now. */
  readonly proving: Set<string>
  /** The last steps. */
  readonly trace: string[]
  /** How often each action got each answer. */
  readonly tally: Map<string, number>
  readonly workerId: string
  manager(path: string, call?: Call): Promise<Answer>
  worker(path: string, call?: Call): Promise<Answer>
  seller(client: Client, path: string, call?: Call): Promise<Answer>
  /** Throws if the service logged an error. */
  close(): Promise<void>
}

/** What an action gets. */
export interface Actor {
  readonly world: World
  readonly random: Random
  /** Makes a unique name. */
  newName(kind: string): string
}

const unlimited = '1000000'

export async function openWorld(db: Database, seed: string): Promise<World> {
  const clock = new ManualClock(noon)
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    SECRET_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_BURST: unlimited,
    RATE_LIMIT_PER_MINUTE: unlimited,
  })
  const failures: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => failures.push(line) })
  const secrets = await loadSecrets(config)
  const app = await startApp({ config, role: 'api', db, clock, secrets, log })
  const baseUrl = `http://127.0.0.1:${app.port}`
  const markingCodes = new Map<string, MarkingCode>()
  let closing: Promise<unknown> | undefined
  const random = seededRandom(`${seed} clients`)
  const clients = await makeClients(db, clock, random, markingCodes)
  const manager = await staffClient({ baseUrl, db }, 'manager')
  const worker = await staffClient({ baseUrl, db }, 'worker')
  const former = await staffClient({ baseUrl, db }, 'worker')
  await perform(db, clock, { kind: 'service' }, (work) =>
    changeUser(work, former.userId, { active: false }),
  )
  const staff = (token: string) => {
    const client = openClient(baseUrl, token, false)
    return (path: string, call?: Call) => client.call(`/staff/v1${path}`, call)
  }
  const world: World = {
    db,
    clock,
    clients,
    markingCodes,
    alone: true,
    proving: new Set(),
    trace: [],
    tally: new Map(),
    workerId: worker.userId,
    manager: staff(manager.token),
    worker: queueing({
      random: seededRandom(`${seed} queues`),
      worker: staff(worker.token),
      manager: staff(manager.token),
      former: former.login,
      alone: () => world.alone,
    }),
    seller: (client, path, call) => openClient(baseUrl, client.key, false).call(`/v1${path}`, call),
    async close() {
      closing ??= app.close()
      await closing
      assert.equal(failures.join(''), '', 'the service logged errors')
    },
  }
  return world
}

/** The first client has one cabinet, the others three, one of them mirrored; all share the marked goods. */
async function makeClients(
  db: Database,
  clock: ManualClock,
  random: Random,
  markingCodes: Map<string, MarkingCode>,
): Promise<Client[]> {
  const clients: Client[] = []
  for (let index = 0; index < 3; index++) {
    const marketplaces: Marketplace[] = index === 0 ? ['WB'] : ['OZON', 'WB', 'OZON']
    const client = await perform(db, clock, { kind: 'service' }, async (work) => {
      const id = await createClient(work, { mode: 'live', name: `Продавец ${index}` })
      const cabinets = []
      for (const [place, marketplace] of marketplaces.entries()) {
        const cabinet = await addCabinet(work, id, { marketplace, name: marketplace })
        cabinets.push({ id: cabinet, marketplace, mirrored: place === 2, historySince: undefined })
      }
      const { key } = await issueApiKey(work, id, { name: 'Учёт', receiptsEnabled: true })
      return { id, key, cabinets }
    })
    const places = await perform(db, clock, { kind: 'service' }, (work) =>
      locationsOf(work, client.id),
    )
    if (random.next() < 0.9) await addSubscription(db, client.id)
    clients.push({
      ...client,
      index,
      goods: new Map(firstGoods(index).map((goods) => [goods.barcode, goods])),
      merged: new Map(),
      set: {
        barcode: `PLAIN-${index}-5`,
        possible: [`PLAIN-${index}-1`, `PLAIN-${index}-2`],
        parts: new Map(),
        said: [],
        assemblies: new Map(),
      },
      receipts: new Map(),
      orders: new Map(),
      shipments: new Map(),
      returns: new Map(),
      counted: [],
      labelled: [],
      boxes: new Map(),
      pallets: [],
      places: new Map(places.map((id) => [id, { id, contents: new Map(), scans: new Set() }])),
      entries: new Set(),
      events: [],
      questions: [],
      approvedTogether: false,
      leftTogether: [],
      mergedTogether: false,
      markingCodes,
    })
  }
  return clients
}

/** The locations of the client's warehouse: all clients share them. */
async function locationsOf(work: Work, clientId: string): Promise<string[]> {
  const [{ warehouse = '' } = {}] = await work.tx<{ warehouse?: string }[]>`
    select warehouse_code as warehouse from clients where id = ${clientId}`
  const drafts = ['A-1', 'A-2', 'B-1'].map((code, order) => ({ code, zone: '', order }))
  await addLocations(work, warehouse, drafts)
  const known = await work.tx<{ id: string }[]>`
    select id from locations where warehouse_code = ${warehouse} order by code`
  return known.map(({ id }) => id)
}

/** Goods of a client by their number: all clients have the same marked ones. */
export function goodsNumbered(client: number, marked: boolean, n: number): Goods {
  const barcode = marked ? ean13(`4600000000${String(n).padStart(2, '0')}`) : `PLAIN-${client}-${n}`
  return newGoods(barcode, marked)
}

function firstGoods(client: number): Goods[] {
  return [
    ...[1, 2, 3].map((n) => goodsNumbered(client, true, n)),
    ...[1, 2, 3, 4, 5].map((n) => goodsNumbered(client, false, n)),
  ]
}

export interface Step {
  readonly what: string
  readonly call: () => Promise<Answer>
  /** The expected status. */
  readonly expect: () => number
  /** Enters a successful answer into the model. */
  readonly apply: (body: unknown) => void
}

const statuses = [200, 201, 204, 400, 404, 409, 502]
const traceMax = 60

/** Runs a step, compares its answer with the model, and enters it into the model. */
export async function act(world: World, step: Step): Promise<Answer> {
  const expected = world.alone ? step.expect() : undefined
  const answer = await step.call()
  note(world, step.what, [answer])
  if (expected === undefined) {
    assert.ok(statuses.includes(answer.status), `${step.what}: ${answer.text}`)
  } else {
    assert.equal(answer.status, expected, `${step.what}: ${answer.text.slice(0, 500)}`)
  }
  if (answer.status < 300) step.apply(answer.body)
  return answer
}

/** Records a step. */
export function note(world: World, what: string, answers: readonly Answer[]): void {
  world.trace.push(`${what} -> ${answers.map(({ status, message }) => `${status} ${message}`)}`)
  if (world.trace.length > traceMax) world.trace.shift()
  for (const { status } of answers) {
    const name = `${what.split(' ')[0]} ${status}`
    world.tally.set(name, (world.tally.get(name) ?? 0) + 1)
  }
}

export const post = (body?: unknown): Call =>
  body === undefined ? { method: 'POST' } : { method: 'POST', body }

/** A random item; undefined for an empty list. */
export function some<T>(random: Random, items: Iterable<T>): T | undefined {
  const all = [...items]
  return all.length === 0 ? undefined : random.pick(all)
}

/** Mostly a random item that fits, sometimes any. */
export function mostly<T>(
  random: Random,
  items: Iterable<T>,
  fits: (item: T) => boolean,
): T | undefined {
  const all = [...items]
  const fitting = all.filter(fits)
  return some(random, fitting.length > 0 && random.next() < 0.93 ? fitting : all)
}

export function sample<T>(random: Random, items: Iterable<T>, max: number): T[] {
  return random.shuffle([...items]).slice(0, random.int(1, max))
}
