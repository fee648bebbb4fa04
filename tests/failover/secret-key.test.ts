import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runCommand, startProcess } from '../support/process.ts'
import { openReceiver } from '../support/receiver.ts'

const receiver = await openReceiver()
after(() => receiver.close())

async function subscribe(baseUrl: string): Promise<number> {
  const issued = await fetch(`${baseUrl}/v1/sandbox/keys`, { method: 'POST' })
  const { key } = (await issued.json()) as { key: string }
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ url: receiver.url, events: ['receipt.created'] })
  return (await fetch(`${baseUrl}/v1/webhooks`, { method: 'POST', headers, body })).status
}

// Guarantee (secrets): A lost `secret.key` is never replaced while something is sealed with it.
test('a service whose secret.key is gone makes a new one only while nothing is sealed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'secret-key-'))
  const key = join(dataDir, 'secret.key')
  const lose = () => renameSync(key, `${key}.away`)
  const first = await startProcess(dataDir)
  assert.equal((await first.end('SIGTERM')).code, 0)

  lose()
  const second = await startProcess(dataDir)
  assert.ok(existsSync(key), 'nothing was sealed yet')
  assert.equal(await subscribe(second.baseUrl), 201)
  assert.equal((await second.end('SIGTERM')).code, 0)

  lose()
  await assert.rejects(
    startProcess(dataDir),
    /SECRET_KEY is not set, and there is no .*secret\.key/,
  )
  const { code, errors } = await runCommand(dataDir, ['backup', join(dataDir, 'backup')])
  assert.notEqual(code, 0)
  assert.match(errors, /there is no .*secret\.key/)
  assert.ok(!existsSync(key))

  renameSync(`${key}.away`, key)
  const third = await startProcess(dataDir)
  assert.equal((await third.end('SIGTERM')).code, 0)
})
