import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, startProcess } from '../support/process.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'commands-'))
const run = (...args: string[]) => runCommand(dataDir, args)

async function get(baseUrl: string, key: unknown) {
  const answer = await fetch(`${baseUrl}/v1/me`, { headers: { 'X-Api-Key': String(key) } })
  return (await answer.json()) as Record<string, { code?: string; name?: string; inn?: string }>
}

test('an operator sets up a client without a service and revokes a key beside one', async () => {
  assert.deepEqual((await run('migrate')).answer, { migrated: true })
  const warehouse = await run('warehouse', 'add', '--code', 'MSK1', '--name', 'Москва')
  assert.equal(warehouse.code, 0)
  const client = await run('client', 'create', '--name', 'ООО «Ромашка»', '--inn', '7700000000')
  const id = String(client.answer.id)
  const cabinet = ['cabinet', 'add', '--client', id, '--name', 'WB', '--marketplace']
  assert.equal((await run(...cabinet, 'WB')).code, 0)
  const issue = ['key', 'issue', '--client', id, '--name', 'Учётная система']
  const key = await run(...issue)
  assert.match(String(key.answer.key), /^svc_live_/)

  const service = await startProcess(dataDir)
  const me = await get(service.baseUrl, key.answer.key)
  assert.equal(me.client?.name, 'ООО «Ромашка»')
  assert.equal(me.client?.inn, '7700000000')
  assert.equal(me.warehouse?.code, 'MSK1')
  const other = await run(...issue, '--receipts')
  assert.equal((await get(service.baseUrl, other.answer.key)).key?.name, 'Учётная система')
  assert.deepEqual((await run('key', 'revoke', String(key.answer.id))).answer, {
    id: key.answer.id,
    revoked: true,
  })
  assert.equal((await get(service.baseUrl, key.answer.key)).error?.code, 'key_revoked')
  assert.equal((await run('audit')).code, 0)
  assert.equal((await service.end('SIGTERM')).code, 0)
})

test('a command that can not be done says why in one line, with exit code 1', async () => {
  const nobody = '00000000-0000-4000-8000-000000000000'
  const bad = [
    ['key', 'issue', '--client', nobody, '--name', 'x'],
    ['key', 'issue', '--client', 'x', '--name', 'x'],
    ['key', 'revoke', nobody],
    ['client', 'create', '--name', ' '],
    ['client', 'create', '--name', 'x', '--warehouse', 'NONE'],
    ['cabinet', 'add', '--client', nobody, '--name', 'x', '--marketplace', 'EBAY'],
    ['client', 'create'],
    ['nonsense'],
  ]
  for (const args of bad) {
    const { code, errors } = await run(...args)
    assert.equal(code, 1, args.join(' '))
    assert.equal(errors.trim().split('\n').length, 1, errors)
  }
})
