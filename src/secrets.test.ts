import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from './config.ts'
import { StartError } from './kernel/start-error.ts'
import { loadSecrets } from './secrets.ts'

const scratch = mkdtempSync(join(tmpdir(), 'secrets-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

function placeOf(name: string) {
  const dataDir = join(scratch, name)
  mkdirSync(dataDir)
  return { config: readConfig({ DATA_DIR: dataDir }), dataDir, key: join(dataDir, 'secret.key') }
}

const refusal = (message: RegExp) => (error: unknown) =>
  error instanceof StartError && message.test(error.message)

test('of several that start at once one makes the secret, and all have it from then on', async () => {
  const { config, dataDir, key } = placeOf('new')
  const made = await Promise.all(
    Array.from({ length: 8 }, () => loadSecrets(config, async () => true)),
  )
  const later = await loadSecrets(config)
  assert.equal(new Set([later, ...made].map(({ fingerprints }) => fingerprints[0])).size, 1)
  assert.equal(statSync(key).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(dataDir), ['secret.key'])
})

test('no secret is made without leave, nor in the place of one that cannot be read or is damaged', async () => {
  const gone = placeOf('gone')
  await assert.rejects(loadSecrets(gone.config), refusal(/there is no .*secret\.key/))
  assert.deepEqual(readdirSync(gone.dataDir), [])

  const unreadable = placeOf('unreadable')
  mkdirSync(unreadable.key)
  const asked = loadSecrets(unreadable.config, async () => true)
  await assert.rejects(asked, refusal(/secret\.key cannot be read: EISDIR/))
  assert.ok(statSync(unreadable.key).isDirectory())

  const damaged = placeOf('damaged')
  writeFileSync(damaged.key, 'c2hvcnQ=\n')
  await assert.rejects(
    loadSecrets(damaged.config, async () => true),
    refusal(/damaged/),
  )
})
