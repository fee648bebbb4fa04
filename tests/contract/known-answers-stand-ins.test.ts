// The stand-ins answer as WB and OZON do: what they answer has the fields, types and refusals of the known answers to
// the same call.
import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import {
  type KnownAnswer,
  type KnownCall,
  type KnownRequest,
  knownCalls,
} from '../support/marketplaces/known-answers/format.ts'
import { differencesFrom, shapeOf } from '../support/marketplaces/known-answers/shape.ts'
import type { Staged, Turn, TurnsByCall } from '../support/marketplaces/known-answers/turns.ts'
import { ozonStageNow, ozonTurns } from '../support/marketplaces/known-answers/turns-ozon.ts'
import {
  wildberriesStageNow,
  wildberriesTurns,
} from '../support/marketplaces/known-answers/turns-wildberries.ts'
import { startFakeOzon } from '../support/marketplaces/ozon.ts'
import { startFakeWildberries } from '../support/marketplaces/wildberries.ts'

/** Known calls that a stand-in does not answer yet, by what they are about. */
const lacking: Readonly<Record<'wb' | 'ozon', Readonly<Record<string, readonly string[]>>>> = {
  wb: {},
  ozon: {},
}

/** Known refusals that a stand-in does not make yet. */
const neverRefused: Readonly<Record<'wb' | 'ozon', readonly string[]>> = {
  wb: [],
  ozon: [],
}

suite('the stand-in of WB', () => {
  let fake: Awaited<ReturnType<typeof startFakeWildberries>>
  before(async () => {
    fake = await startFakeWildberries({ now: () => wildberriesStageNow })
  })
  after(() => fake.close())
  beforeEach(() => fake.heal())
  check('wb', wildberriesTurns, () => {
    const account = fake.account()
    const headers = { authorization: account.credentials.token }
    return { stage: (ask: Ask) => ({ fake, account, ask }), baseUrl: fake.baseUrl, headers }
  })
})

suite('the stand-in of OZON', () => {
  let fake: Awaited<ReturnType<typeof startFakeOzon>>
  before(async () => {
    fake = await startFakeOzon({ now: () => ozonStageNow })
  })
  after(() => fake.close())
  beforeEach(() => fake.heal())
  check('ozon', ozonTurns, () => {
    const account = fake.account()
    const { client_id, api_key } = account.credentials
    const headers = { 'client-id': client_id, 'api-key': api_key }
    return { stage: (ask: Ask) => ({ fake, account, ask }), baseUrl: fake.baseUrl, headers }
  })
})

type Ask = Staged<unknown, 'WB'>['ask']

interface Opened<Stage> {
  readonly stage: (ask: Ask) => Stage
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
}

function check<Stage>(
  marketplace: 'wb' | 'ozon',
  turns: TurnsByCall<Stage>,
  open: () => Opened<Stage>,
): void {
  const calls = knownCalls(marketplace)
  const absent = Object.values(lacking[marketplace]).flat()
  for (const known of calls) {
    const { call, cases } = known
    if (absent.includes(call)) {
      test(`${call} is not there yet`, async () => assertAbsent(open(), call))
      continue
    }
    const turn = turns[call]
    if (call !== 'any') {
      test(`${call} answers as is known`, async () => {
        assert.ok(turn, 'no turn asks the stand-in for this call')
        assertSuccess(known, await take(open(), call, turn.works))
      })
    }
    for (const one of cases.filter(({ answer }) => answer.status >= 400)) {
      if (neverRefused[marketplace].includes(`${call}: ${one.name}`)) continue
      test(`${call} is refused as is known: ${one.name}`, async () => {
        const refusal = turn?.refusals?.[one.name]
        assert.ok(refusal, 'no turn asks the stand-in for this refusal')
        assertRefusal(known, one.answer, await take(open(), call, refusal))
      })
    }
  }
}

interface Taken {
  readonly status: number
  readonly headers: Headers
  readonly contentType: string
  /** Parsed if it is JSON. */
  readonly body: unknown
}

async function take<Stage>(
  { stage, baseUrl, headers }: Opened<Stage>,
  call: string,
  turn: Turn<Stage>,
): Promise<Taken> {
  const [method = '', path = ''] = call === 'any' ? [methodOf(headers)] : call.split(' ')
  const ask: Ask = async (to, body) =>
    (await send(baseUrl, headers, 'POST', { path: to, body })).body
  return send(baseUrl, headers, method, {
    path,
    ...(await turn(stage(ask))),
  })
}

const methodOf = (headers: object) => ('client-id' in headers ? 'POST' : 'GET')

async function send(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  method: string,
  { path = '', query = {}, body }: KnownRequest,
): Promise<Taken> {
  const url = new URL(path, baseUrl)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const contentType = response.headers.get('content-type') ?? ''
  const isJson = /\bjson\b/.test(contentType) && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    contentType,
    body: isJson ? JSON.parse(text) : text === '' ? null : text,
  }
}

function assertSuccess({ cases }: KnownCall, taken: Taken): void {
  const successes = cases.filter(({ answer }) => answer.status < 400).map(({ answer }) => answer)
  assert.ok(
    successes.some(({ status }) => status === taken.status),
    `${taken.status} ${JSON.stringify(taken.body)}`,
  )
  const files = successes.flatMap(({ headers }) => headers?.['content-type'] ?? [])
  if (files.length > 0) assert.ok(files.includes(taken.contentType), taken.contentType)
  const shape = shapeOf(successes.map(({ body }) => body))
  assert.deepEqual(differencesFrom(shape, taken.body), [])
}

/** The same status, headers, fields, code and words. */
function assertRefusal({ cases }: KnownCall, answer: KnownAnswer, taken: Taken): void {
  const expected = { ...(answer.body as Readonly<Record<string, unknown>>) }
  const body = { ...(taken.body as Readonly<Record<string, unknown>>) }
  assert.equal(taken.status, answer.status, JSON.stringify(body))
  const alike = cases.filter(
    (one) => one.answer.status === answer.status && nameOf(one.answer.body) === nameOf(expected),
  )
  assert.deepEqual(differencesFrom(shapeOf(alike.map((one) => one.answer.body)), body), [])
  assert.equal(nameOf(body), nameOf(expected))
  assert.equal(body.message, expected.message)
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    assert.ok(taken.headers.has(name), `header ${name} is missing`)
    if (name === 'content-type') assert.equal(taken.contentType, value)
  }
}

/** The number or name of an error; a code that is neither is the id of a trace. */
function nameOf(body: unknown): unknown {
  const { code, title } = { ...(body as { code?: unknown; title?: unknown }) }
  return title ?? code
}

async function assertAbsent(
  { baseUrl, headers }: Omit<Opened<unknown>, 'stage'>,
  call: string,
): Promise<void> {
  const [method = '', path = ''] = call.split(' ')
  const asked = (to: string) => send(baseUrl, headers, method, { path: to, ...bodyFor(method) })
  const known = await asked(path.replaceAll('{id}', '1'))
  const unknown = await asked('/no/such/call')
  const message = `${call} is answered by now: take it from the list and write its turn`
  assert.deepEqual([known.status, known.body], [unknown.status, unknown.body], message)
}

const bodyFor = (method: string) => (method === 'GET' ? {} : { body: {} })
