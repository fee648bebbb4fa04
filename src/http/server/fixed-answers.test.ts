import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import pino from 'pino'
import { serveFixedAnswers } from './fixed-answers.ts'
import { buildServer } from './server.ts'

const text = 'Остатки, приёмки, отгрузки. '.repeat(200)

async function asked(headers: Readonly<Record<string, string>>, url = '/text') {
  const server = buildServer({ log: pino({ level: 'silent' }), trustProxy: false })
  await server.register(async (part) => {
    serveFixedAnswers(part)
    part.get('/text', () => text)
  })
  server.get('/other', () => text)
  const answer = await server.inject({ url, headers })
  await server.close()
  return answer
}

test('a text leaves in the best encoding that the caller takes', async () => {
  const rows = [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0, GZIP;q=0.5', 'gzip', gunzipSync],
    ['deflate', undefined, (bytes: Buffer) => bytes],
    ['', undefined, (bytes: Buffer) => bytes],
  ] as const
  for (const [accepted, encoding, decoded] of rows) {
    const answer = await asked({ 'accept-encoding': accepted })
    assert.equal(answer.headers['content-encoding'], encoding, accepted)
    assert.equal(answer.headers.vary, 'Accept-Encoding')
    assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length)
    assert.equal(decoded(answer.rawPayload).toString(), text)
  }
})

test('each encoding has a tag of its own, and the same tag is answered with 304', async () => {
  const [plain, packed] = [await asked({}), await asked({ 'accept-encoding': 'br' })]
  assert.notEqual(plain.headers.etag, packed.headers.etag)
  const again = await asked({
    'accept-encoding': 'br',
    'if-none-match': String(packed.headers.etag),
  })
  assert.equal(again.statusCode, 304)
  assert.equal(again.rawPayload.length, 0)
  const other = await asked({ 'if-none-match': String(packed.headers.etag) })
  assert.equal(other.statusCode, 200)
})

test('a proxy may weaken the tag and add its encoding, and the caller send several', async () => {
  const tag = String((await asked({})).headers.etag)
  for (const held of [`W/${tag}`, `"x", ${tag}`, tag.replace(/"$/, '-gzip"'), '*']) {
    assert.equal((await asked({ 'if-none-match': held })).statusCode, 304, held)
  }
})

test('errors and routes outside the context leave as they are', async () => {
  for (const url of ['/other', '/nothing']) {
    const answer = await asked({ 'accept-encoding': 'br' }, url)
    assert.equal(answer.headers['content-encoding'], undefined)
  }
})
