import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { publicApi, referencePage } from '../../scripts/documents.ts'
import { deliveryHeaders, newSecret, signatureOf } from '../../src/exchange/webhooks/signature.ts'
import { guide } from '../../src/http/public/guide/guide.ts'
import { freePort } from '../support/free-port.ts'

/** Runs the receivers of docs/samples unchanged and sends them what the service sends. */

interface Sample {
  readonly file: string
  /** Succeeds if the machine has the language. */
  readonly probe: readonly [string, ...string[]]
  /** Starts the receiver. */
  readonly command: (path: string, port: number) => readonly [string, ...string[]]
  /** Processes the inbox, if the receiver does not do so by itself. */
  readonly work?: (path: string) => readonly [string, ...string[]]
}

const samples: readonly Sample[] = [
  {
    file: 'receiver.ts',
    probe: [process.execPath, '--version'],
    command: (path) => [process.execPath, path],
  },
  { file: 'receiver.py', probe: ['python3', '--version'], command: (path) => ['python3', path] },
  {
    file: 'receiver.php',
    probe: ['php', '-r', 'exit(extension_loaded("pdo_sqlite") ? 0 : 1);'],
    command: (path, port) => ['php', '-S', `127.0.0.1:${port}`, path],
    work: (path) => ['php', path],
  },
]

for (const sample of samples) {
  const [program, ...args] = sample.probe
  const missing = spawnSync(program, args).status === 0 ? false : `${program} is not installed`
  test(`${sample.file} accepts a signed event once and refuses all others`, {
    skip: missing,
  }, async (t) => {
    const [old, secret] = [newSecret(), newSecret()]
    const receiver = await start(t, sample, `${old},${secret}`)
    const body = eventBody('receipt.completed')

    assert.equal(await receiver.post(body, { secret }), 204)
    assert.equal(await receiver.post(body, { secret }), 204, 'a repeat')
    assert.equal(await receiver.post(eventBody('order.status_changed'), { secret: old }), 204)
    await receiver.handles(['receipt.completed', 'order.status_changed'])

    assert.equal(await receiver.post(body, { secret: newSecret() }), 401, 'another secret')
    await receiver.complains(/receipt\.completed, ответ 401: подпись не сошлась.*WEBHOOK_SECRET/)
    assert.equal(await receiver.post(body, { secret, age: 400 }), 401, 'too old')
    await receiver.complains(/receipt\.completed, ответ 401: время.* с, проверьте часы/)
    assert.equal(await receiver.post(body, { secret, age: -400 }), 401, 'from the future')
    assert.equal(await receiver.post(body, { secret, sent: `${body} ` }), 401, 'other bytes')
    const named = (name: string, value: string) =>
      receiver.post(body, { secret, headers: { [name]: value } })
    assert.equal(await named('X-SVC-Signature', ''), 401)
    assert.equal(await named('X-SVC-Signature', `sha256=${'0'.repeat(64)}`), 401)
    assert.equal(await named('X-SVC-Timestamp', 'soon'), 401)
    assert.equal(await named('X-SVC-Timestamp', '1e9'), 401)

    const ping = eventBody('webhook.ping')
    assert.equal(await receiver.post(ping, { secret: newSecret() }), 204, 'a new subscription')
    assert.equal(await receiver.post(eventBody('receipt.created'), { secret }), 204)
    await receiver.handles(['receipt.completed', 'order.status_changed', 'receipt.created'])
  })

  test(`${sample.file} accepts nothing but a ping without a secret`, {
    skip: missing,
  }, async (t) => {
    const receiver = await start(t, sample, '')
    assert.equal(await receiver.post(eventBody('webhook.ping'), { secret: newSecret() }), 204)
    const body = eventBody('receipt.created')
    const timestamp = Math.floor(Date.now() / 1000).toFixed(0)
    const headers = { 'X-SVC-Signature': signatureOf('', timestamp, Buffer.from(body)) }
    assert.equal(await receiver.post(body, { secret: newSecret(), headers }), 401)
    await receiver.complains(/webhook\.ping, ответ 204: секрета нет.*WEBHOOK_SECRET=<secret>/)
    await receiver.complains(/receipt\.created, ответ 401: секрета нет.*WEBHOOK_SECRET=<secret>/)
    await receiver.handles([])
  })

  // PHP's own server listens for the third one.
  if (sample.work !== undefined) continue
  test(`a second ${sample.file} says in one line that the port is taken`, {
    skip: missing,
  }, async (t) => {
    const first = await start(t, sample, '')
    const [second, ...more] = sample.command(first.path, first.port)
    const env = { PATH: process.env.PATH, PORT: String(first.port), INBOX: first.inbox }
    const { status, stderr } = spawnSync(second, more, { env, encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(
      stderr,
      /^Порт \d+:? занят, возможно, приёмник уже запущен: задайте другой PORT\n$/,
    )
  })
}

test('the guide leads to the tested samples, and shows a valid signature', async () => {
  const base = 'https://api.example.ru'
  const text = guide(base)
  for (const { file } of samples) {
    assert.ok(text.includes(`(${base}/docs/samples/${file})`), file)
    const served = await referencePage(publicApi, base, `samples/${file}`)
    const source = readFileSync(new URL(`../../docs/samples/${file}`, import.meta.url), 'utf8')
    assert.equal(served.body, source)
  }
  const [, secret = '', timestamp = '', body = '', signature] =
    /Секрет `(whsec_[A-Za-z0-9]{44})`, время `(\d+)`[\s\S]*?```json\n(.*)\n```[\s\S]*?```text\n(.*)\n```/.exec(
      text,
    ) ?? []
  assert.equal(signatureOf(secret, timestamp, Buffer.from(body)), signature)
})

function eventBody(type: string): string {
  const occurredAt = '2026-11-20T15:00:00.000+03:00'
  return JSON.stringify({ id: randomUUID(), type, occurred_at: occurredAt, data: { name: 'Плед' } })
}

interface Posting {
  readonly secret: string
  /** Seconds since the attempt was signed. */
  readonly age?: number
  /** Sent instead of the signed body. */
  readonly sent?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Running {
  readonly path: string
  readonly port: number
  readonly inbox: string
  post(body: string, posting: Posting): Promise<number>
  /** Waits until it has written such a line about what it refused. */
  complains(line: RegExp): Promise<void>
  /** Waits until exactly these events were handled. */
  handles(types: readonly string[]): Promise<void>
}

async function start(t: TestContext, sample: Sample, secret: string): Promise<Running> {
  const path = fileURLToPath(new URL(`../../docs/samples/${sample.file}`, import.meta.url))
  const port = await freePort()
  const directory = mkdtempSync(join(tmpdir(), 'sklad-sample-'))
  const env = {
    PATH: process.env.PATH,
    WEBHOOK_SECRET: secret,
    PORT: String(port),
    INBOX: join(directory, 'inbox.sqlite'),
  }
  const [program, ...args] = sample.command(path, port)
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  t.after(async () => {
    await end(child)
    rmSync(directory, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}/sklad`
  await reachable(url, child)
  return {
    async post(body, posting) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...signed(body, posting), ...posting.headers },
        body: posting.sent ?? body,
      })
      await response.body?.cancel()
      return response.status
    },
    path,
    port,
    inbox: env.INBOX,
    async complains(line) {
      for (let tries = 0; tries < 200 && !line.test(complaints); tries++) await sleep(50)
      assert.match(complaints, line)
    },
    async handles(types) {
      const { work } = sample
      const handled = () => [...printed.matchAll(/^(\S+) \S+$/gm)].map(([, type]) => type)
      for (let tries = 0; tries < 200 && handled().length < types.length; tries++) {
        if (work !== undefined) {
          const [program, ...args] = work(path)
          printed += spawnSync(program, args, { env, encoding: 'utf8' }).stdout
        }
        await sleep(50)
      }
      assert.deepEqual(handled(), types)
    },
  }
}

function signed(body: string, { secret, age = 0 }: Posting): Readonly<Record<string, string>> {
  const { id, type } = JSON.parse(body) as { id: string; type: string }
  return deliveryHeaders({
    eventId: id,
    eventType: type,
    deliveryHeaderId: randomUUID(),
    timestamp: Math.floor(Date.now() / 1000) - age,
    secret,
    body: Buffer.from(body),
  })
}

async function reachable(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined)
    if (answer !== undefined) return
    if (child.exitCode !== null) throw new Error(`the sample ended with ${child.exitCode}`)
    await sleep(50)
  }
  throw new Error('the sample does not answer')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill()
  await once(child, 'exit')
}
