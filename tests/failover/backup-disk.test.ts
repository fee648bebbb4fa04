import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { startProcess } from '../support/process.ts'

const program = resolve(import.meta.dirname, '../../bin/sklad.js')

/** Runs a backup that may write no file larger than a few kilobytes. */
function backUpWithin(dataDir: string, path: string): Promise<{ code: unknown; errors: string }> {
  const limited = ['-c', 'ulimit -f 4; exec "$0" "$@"', process.execPath, program, 'backup', path]
  const env = { ...process.env, DATA_DIR: dataDir }
  return new Promise((done) => {
    execFile('sh', limited, { env }, (error, _, errors) => done({ code: error?.code ?? 0, errors }))
  })
}

test('a backup that finds no room says so in one line, leaves no file, and the service goes on', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'backup-disk-'))
  const folder = mkdtempSync(join(tmpdir(), 'backup-disk-'))
  const service = await startProcess(dataDir)
  const { code, errors } = await backUpWithin(dataDir, join(folder, 'file'))
  assert.equal(code, 1)
  const lines = errors.trimEnd().split('\n')
  assert.match(lines.at(-1) ?? '', /^sklad: .*file: the file may not be so large there$/, errors)
  assert.doesNotMatch(errors, /\n +at /)
  assert.deepEqual(readdirSync(folder), [])
  assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200)
  assert.equal((await service.end('SIGTERM')).code, 0)
})
