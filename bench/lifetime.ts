import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './measure.ts'
import { startService } from './processes.ts'

/** Times starts of the service and copies of the sandbox. */

export interface StartTimes {
  readonly firstMs: number
  readonly secondMs: number
}

/** Times first starts, which create the database, and second starts, which find it. A first one stops after it has restored the sandbox scenario. */
export async function timeStarts(times: number): Promise<StartTimes> {
  const first: number[] = []
  const second: number[] = []
  for (let time = 1; time <= times; time += 1) {
    const directory = mkdtempSync(join(tmpdir(), 'sklad-bench-start-'))
    try {
      first.push(await timeStart(directory))
      second.push(await timeStart(directory))
    } finally {
      rmSync(directory, { recursive: true, force: true, maxRetries: 10 })
    }
  }
  return { firstMs: median(first), secondMs: median(second) }
}

async function timeStart(dataDir: string): Promise<number> {
  const service = await startService(dataDir)
  await service.stop()
  return service.readyMs
}

export interface SandboxTimes {
  /** The first call of the first key of a service that has just started, which waits until the scenario is built. */
  readonly firstCallMs: number
  /** The first call of a key. It creates the key's copy of the scenario. */
  readonly copyMs: number
  readonly copyMaxMs: number
  readonly resetMs: number
  /** The same call when the copy exists. */
  readonly laterMs: number
}

/** A service that has just started builds the scenario of the sandbox beside its requests: waits until it is there. Returns for how long. */
export async function scenarioBuilt(url: string): Promise<number> {
  return timed(url, 'GET', '/v1/me', await issueKey(url))
}

/** Each time with a key of its own: the first call, the same once more, and a reset. */
export async function timeSandbox(url: string, times: number): Promise<SandboxTimes> {
  const firstCallMs = await scenarioBuilt(url)
  const copies: number[] = []
  const resets: number[] = []
  const later: number[] = []
  for (let time = 0; time < times; time += 1) {
    const key = await issueKey(url)
    copies.push(await timed(url, 'GET', '/v1/me', key))
    later.push(await timed(url, 'GET', '/v1/me', key))
    resets.push(await timed(url, 'POST', '/v1/sandbox/reset', key))
  }
  return {
    firstCallMs,
    copyMs: median(copies),
    copyMaxMs: Math.max(...copies),
    resetMs: median(resets),
    laterMs: median(later),
  }
}

async function issueKey(url: string): Promise<string> {
  const answer = await fetch(`${url}/v1/sandbox/keys`, { method: 'POST' })
  const { key } = (await answer.json()) as { key: string }
  return key
}

async function timed(url: string, method: string, path: string, key: string): Promise<number> {
  const started = performance.now()
  const answer = await fetch(`${url}${path}`, { method, headers: { 'X-Api-Key': key } })
  await answer.arrayBuffer()
  const ms = performance.now() - started
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`)
  return ms
}
