import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const hangingMsMax = 15_000

test('a test file that cannot be loaded ends its process at once, and is named', () => {
  const directory = mkdtempSync(join(tmpdir(), 'slice-'))
  const write = (name: string, source: string) => {
    const path = join(directory, name)
    writeFileSync(path, source)
    return path
  }
  const open = write(
    'open.mjs',
    `import { createServer } from 'node:net'
import { after, test } from 'node:test'
const server = createServer().listen(0)
after(() => server.close())
test('passes', () => {})`,
  )
  const broken = write('broken.mjs', `throw new Error('the database is away')`)
  const loader = import.meta.resolve('./support/slice.ts')
  const entry = `import { loadSlice } from '${loader}'
await loadSlice(${JSON.stringify([open, broken])})`
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const options = { env, encoding: 'utf8', timeout: hangingMsMax } as const
  const args = ['--test', write('entry.mjs', entry)]
  const { error, status, stdout } = spawnSync(process.execPath, args, options)
  assert.deepEqual([error, status], [undefined, 1], stdout)
  assert.match(stdout, /broken\.mjs can't be loaded: Error: the database is away/)
})
