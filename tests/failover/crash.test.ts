import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { killServer, runCommand, type ServiceProcess, startProcess } from '../support/process.ts'

interface Receipts {
  items: { external_ref?: string }[]
  next_cursor: string | null
}

async function sandboxKey(service: ServiceProcess): Promise<string> {
  const answer = await fetch(`${service.baseUrl}/v1/sandbox/keys`, { method: 'POST' })
  return ((await answer.json()) as { key: string }).key
}

/** Requests receipts until the service is gone; returns the references of the acknowledged ones. */
async function requestReceipts(
  service: ServiceProcess,
  key: string,
  worker: number,
): Promise<string[]> {
  const acknowledged: string[] = []
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
  const me = await fetch(`${service.baseUrl}/v1/me`, { headers })
  const { cabinets } = (await me.json()) as { cabinets: { id: string }[] }
  for (let n = 0; ; n++) {
    const external_ref = `${worker}-${n}`
    const body = JSON.stringify({
      cabinet_id: cabinets[0]?.id,
      external_ref,
      items: [{ barcode: 'new', name: 'Новый', qty: 1, honest_mark: false }],
    })
    try {
      const answer = await fetch(`${service.baseUrl}/v1/receipts`, {
        method: 'POST',
        headers,
        body,
      })
      await answer.arrayBuffer()
      if (answer.status === 201) acknowledged.push(external_ref)
    } catch {
      return acknowledged
    }
  }
}

async function references(service: ServiceProcess, key: string): Promise<Set<string | undefined>> {
  const found = new Set<string | undefined>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = cursor === '' ? '' : `&cursor=${cursor}`
    const answer = await fetch(`${service.baseUrl}/v1/receipts?limit=200${page}`, {
      headers: { 'X-Api-Key': key },
    })
    const { items, next_cursor } = (await answer.json()) as Receipts
    for (const item of items) found.add(item.external_ref)
    cursor = next_cursor
  }
  return found
}

for (const everything of [false, true]) {
  const what = everything ? 'everything' : 'the service'
  // Guarantee (db): Everything acknowledged survives a kill.
  test(`nothing acknowledged is lost when ${what} is killed during writes`, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'crash-'))
    const service = await startProcess(dataDir)
    const key = await sandboxKey(service)
    const workers = [0, 1, 2, 3].map((worker) => requestReceipts(service, key, worker))
    await fetch(`${service.baseUrl}/readyz`)
    const written = async () => (await references(service, key)).size
    while ((await written()) < 60);
    const end = service.end('SIGKILL')
    if (everything) killServer(dataDir)
    await end
    const acknowledged = (await Promise.all(workers)).flat()
    assert.ok(acknowledged.length >= 40)

    const again = await startProcess(dataDir)
    const found = await references(again, key)
    const lost = acknowledged.filter((reference) => !found.has(reference))
    assert.deepEqual(lost, [])
    const report = await runCommand(dataDir, ['audit'])
    assert.deepEqual(report.answer.findings, [])
    const { code } = await again.end('SIGTERM')
    assert.equal(code, 0)
  })
}

test('a stop finishes running requests, and a second signal changes nothing', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'stop-'))
  const service = await startProcess(dataDir)
  const key = await sandboxKey(service)
  // The first request of a sandbox takes a while: it is running when the signals come.
  const slow = fetch(`${service.baseUrl}/v1/me`, { headers: { 'X-Api-Key': key } })
  const started = fetch(`${service.baseUrl}/healthz`)
  await started
  process.kill(service.pid, 'SIGTERM')
  const { code } = await service.end('SIGTERM')
  assert.equal((await slow).status, 200)
  assert.equal(code, 0)
  const again = await runCommand(dataDir, ['audit'])
  assert.equal(again.code, 0)
})
