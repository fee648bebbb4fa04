import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import { startProcess } from '../support/process.ts'

/** How the service stops: at every moment, whichever processes got the signal, and without a process that stays. */

const program = resolve(import.meta.dirname, '../../bin/sklad.js')
const newDataDir = () => mkdtempSync(join(tmpdir(), 'stopping-'))
const groups = new Set<number>()
after(() => {
  for (const pid of groups) process.kill(-pid, 'SIGKILL')
})

function postmasterOf(dataDir: string): number | undefined {
  const file = join(dataDir, 'postgres/postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined
}

function isRunning(pid: number | undefined): boolean {
  if (pid === undefined) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function untilGone(pid: number | undefined): Promise<void> {
  while (isRunning(pid)) await sleep(10)
}

/** The last line of the log, and how long the stop took by it. */
function lastLine(output: string): string {
  const line = output.trim().split('\n').at(-1) ?? ''
  return line.startsWith('{') ? String(JSON.parse(line).msg) : line
}

interface Moment {
  readonly who: 'process' | 'group' | 'database' | 'all'
  readonly signal: 'SIGINT' | 'SIGTERM'
}

const moments: readonly Moment[] = (['process', 'group', 'database', 'all'] as const).flatMap(
  (who) => (['SIGINT', 'SIGTERM'] as const).map((signal) => ({ who, signal })),
)

function send({ who, signal }: Moment, pid: number, dataDir: string): void {
  const database = postmasterOf(dataDir)
  if (who === 'process') process.kill(pid, signal)
  if (who === 'group' || who === 'all') process.kill(-pid, signal)
  if ((who === 'database' || who === 'all') && isRunning(database)) {
    process.kill(database as number, signal)
  }
}

/** Starts the service in a group of its own and resolves with what it printed when it has ended. */
async function startAndSignal(dataDir: string, moment: Moment, afterMs: number) {
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    METRICS_PORT: '0',
    WB_BASE_URL: 'http://127.0.0.1:9',
    OZON_BASE_URL: 'http://127.0.0.1:9',
  }
  const child = spawn(process.execPath, [program, 'serve'], { env, detached: true })
  const pid = child.pid as number
  groups.add(pid)
  let output = ''
  const heard = (text: Buffer) => {
    output += text.toString()
  }
  child.stdout.on('data', heard)
  child.stderr.on('data', heard)
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  await sleep(afterMs)
  if (child.exitCode === null && child.signalCode === null) send(moment, pid, dataDir)
  // A database that was what to stop alone comes back: the service is still to be stopped.
  if (moment.who === 'database' && child.exitCode === null) child.kill('SIGTERM')
  const [code, signal] = await ended
  groups.delete(pid)
  return { code, signal, output }
}

/** Each of a first start, and of a start on what that left. */
const steps = 8

// Guarantee (stop): A stop at any moment of a start ends it and leaves no process.
test('a signal at any moment of a start ends it, leaves no process behind, and the next start works', async () => {
  const begun = performance.now()
  const whole = await startProcess(newDataDir())
  const startMs = performance.now() - begun
  assert.equal((await whole.end('SIGTERM')).code, 0)
  for (let step = 1; step <= steps; step++) {
    const dataDir = newDataDir()
    for (const at of [step, (step + steps / 2) % steps]) {
      const moment = moments[at % moments.length] as Moment
      const when = (startMs * 1.2 * at) / steps
      const { code, signal, output } = await startAndSignal(dataDir, moment, when)
      const what = `${JSON.stringify(moment)} after ${Math.round(when)} ms: ${code} ${signal} ${output}`
      assert.ok(code === 0 || signal !== null || moment.who === 'database', what)
      if (code === 0) assert.match(lastLine(output), /^stopped in order after/, what)
      assert.ok(!isRunning(postmasterOf(dataDir)), what)
    }
    if (step % 4 > 0) continue
    const again = await startProcess(dataDir)
    assert.equal((await again.end('SIGTERM')).code, 0)
  }
})

/** A connection on which a request has begun that never becomes whole. */
async function halfSent(baseUrl: string, start: string) {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.on('error', () => {})
  socket.write(start)
  return socket
}

const halfHeaders = 'POST /v1/receipts HTTP/1.1\r\nHost: x\r\n'
/** It is refused by its headers, before its body is there. */
const halfBody = `${halfHeaders}Content-Length: 9\r\n\r\n{`

// Guarantee (stop): A half-sent request does not hold up a stop.
test('a half-sent request does not hold up a stop', async () => {
  const service = await startProcess(newDataDir(), { LOG_LEVEL: 'info' })
  const silent = await halfSent(service.baseUrl, halfHeaders)
  const refused = await halfSent(service.baseUrl, halfBody)
  const [answer] = await once(refused, 'data')
  assert.match(String(answer), /^HTTP\/1.1 401 /)
  const { code } = await service.end('SIGTERM')
  assert.equal(code, 0, service.output())
  assert.match(service.output(), /requests cut that did not become whole: 2/)
  assert.match(lastLine(service.output()), /^stopped in order/)
  silent.destroy()
  refused.destroy()
})

test('a signal that comes twice at once, as from a terminal through npm, is one', async () => {
  const service = await startProcess(newDataDir(), { LOG_LEVEL: 'info' })
  process.kill(service.pid, 'SIGINT')
  const { code } = await service.end('SIGINT')
  assert.equal(code, 0, service.output())
  assert.match(lastLine(service.output()), /^stopped in order/)
})

test('a second signal ends the service and its database at once', async () => {
  const dataDir = newDataDir()
  const service = await startProcess(dataDir, { LOG_LEVEL: 'info' })
  const database = postmasterOf(dataDir)
  const socket = await halfSent(service.baseUrl, halfBody)
  process.kill(service.pid, 'SIGTERM')
  await service.printed(/a second signal ends at once/)
  await sleep(400)
  const { code } = await service.end('SIGTERM')
  assert.equal(code, 143)
  assert.equal(lastLine(service.output()), 'SIGTERM again: ended at once')
  await untilGone(database)
  socket.destroy()
  const again = await startProcess(dataDir)
  assert.equal((await again.end('SIGTERM')).code, 0)
})

test('a stop tells balancers first, serves everything meanwhile, then closes connections with their answers', async () => {
  const service = await startProcess(newDataDir(), { LOG_LEVEL: 'info' })
  const get = (path: string) => fetch(`${service.baseUrl}${path}`)
  assert.equal((await get('/readyz')).status, 200)
  const ending = service.end('SIGTERM')
  await service.printed(/SIGTERM: stopping/)
  const ready = await get('/readyz')
  assert.equal(ready.status, 503)
  assert.deepEqual(await ready.json(), { status: 'stopping' })
  assert.equal((await fetch(`${service.baseUrl}/v1/sandbox/keys`, { method: 'POST' })).status, 201)
  for (;;) {
    const answer = await get('/healthz')
    assert.equal(answer.status, 200)
    if (answer.headers.get('connection') === 'close') break
    await sleep(50)
  }
  assert.equal((await ending).code, 0)
})
