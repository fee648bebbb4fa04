import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertRefused, newSandbox, openClient, statusOfCode } from '../support/client.ts'
import { addLiveClient, startService } from '../support/service.ts'

/** The request header X-Sandbox-Error: every operation with every error that it documents. */

interface Operation {
  readonly operationId: string
  readonly security: readonly unknown[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly examples?: object }>> }>
  >
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const service = await startService()
const live = await addLiveClient(service)
const anonymous = openClient(service.baseUrl)
const sandbox = await newSandbox(service)
const document = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    id: operation.operationId,
    path: path.replace(/\{\w+\}/g, 'x'),
    method: method.toUpperCase(),
    isOpen: operation.security.length === 0,
    codes: Object.values(operation.responses).flatMap(({ content }) =>
      Object.keys(content?.['application/json']?.examples ?? {}),
    ),
  })),
)
type Described = (typeof operations)[number]

/** Calls the operation; not with the client of other tests, which takes no internal error. */
function ask({ path, method, isOpen }: Described, code: string): Promise<Response> {
  const headers = {
    'X-Sandbox-Error': code,
    ...(isOpen ? {} : { Authorization: `Bearer ${sandbox.key}` }),
  }
  return fetch(`${service.baseUrl}${path}`, { method, headers })
}

interface Envelope {
  readonly error: { readonly code: string; readonly message: string; readonly request_id: string }
}

const figures = () =>
  service.db`
    select (select count(*)::int from receipts) as receipts, (select count(*)::int from clients) as clients,
      (select count(*)::int from webhook_subscriptions) as subscriptions,
      (select max(copied_at) from sandboxes) as copied`

const before = await figures()

for (const operation of operations) {
  suite(`${operation.method} ${operation.path}`, () => {
    assert.ok(operation.codes.includes('internal'))
    for (const code of operation.codes) {
      test(`answers ${code} when it is asked to`, async () => {
        const answer = await ask(operation, code)
        const { error } = (await answer.json()) as Envelope
        assert.equal(error.code, code)
        assert.match(error.message, /\p{Script=Cyrillic}/u)
        assert.equal(answer.status, statusOfCode[code])
        assert.equal(error.request_id, answer.headers.get('X-Request-Id'))
        assert.equal(answer.headers.has('Retry-After'), answer.status === 429)
        assert.equal(answer.headers.has('X-RateLimit-Limit'), answer.status !== 401)
      })
    }

    test('answers bad_request for an error that it does not document, and names the others', async () => {
      const others = Object.keys(statusOfCode).filter((code) => !operation.codes.includes(code))
      for (const code of [...others, 'x', '', 'toString', 'internal, internal']) {
        const answer = await ask(operation, code)
        const { error } = (await answer.json()) as Envelope
        assert.deepEqual([answer.status, error.code], [400, 'bad_request'], code)
        assert.match(error.message, /X-Sandbox-Error.* internal/)
      }
    })
  })
}

test('a call that is asked for an error does nothing', async () => {
  assert.deepEqual([...(await figures())], [...before])
})

test('a requested rate_limited looks like a real one', async () => {
  const answer = await fetch(`${service.baseUrl}/v1/me`, {
    headers: { Authorization: `Bearer ${sandbox.key}`, 'X-Sandbox-Error': 'rate_limited' },
  })
  assert.equal(answer.headers.get('X-RateLimit-Remaining'), '0')
  assert.equal(answer.headers.get('Retry-After'), '1')
})

test('a live key is answered as without the header, and a wrong key with its own error', async () => {
  const headers = { 'X-Sandbox-Error': 'rate_limited' }
  for (const each of [live.reading, live.writing]) {
    const client = openClient(service.baseUrl, each)
    assert.equal((await client.get('/v1/me', headers)).status, 200)
  }
  assertRefused(await anonymous.get('/v1/me', headers), 'unauthorized')
  assertRefused(
    await openClient(service.baseUrl, live.revoked).get('/v1/me', headers),
    'key_revoked',
  )
})

test('an unknown path stays unknown', async () => {
  assertRefused(await sandbox.get('/v1/x', { 'X-Sandbox-Error': 'rate_limited' }), 'not_found')
})
