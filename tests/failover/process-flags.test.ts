import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startProcess } from '../support/process.ts'

/** What the system knows of a running process, part by part. */
const partsOf = (pid: number, what: 'cmdline' | 'environ') =>
  readFileSync(`/proc/${pid}/${what}`, 'utf8').split('\0')

test('the service runs with its flags however it was started, and keeps its process id', {
  skip: !existsSync('/proc/self/cmdline'),
}, async () => {
  const service = await startProcess(mkdtempSync(join(tmpdir(), 'flags-')))
  const started = partsOf(service.pid, 'cmdline')
  assert.ok(started.includes('--heap-growing-percent=75'), started.join(' '))
  assert.ok(started.includes('--max-semi-space-size=8'))
  assert.ok(started.includes('--no-parallel-scavenge'))
  assert.ok(started.includes('--expose-gc'))
  assert.equal(started.filter((part) => part.startsWith('--heap-growing-percent')).length, 1)
  const environment = partsOf(service.pid, 'environ')
  assert.ok(environment.includes('MALLOC_ARENA_MAX=2'))
  assert.ok(environment.includes('MALLOC_MMAP_THRESHOLD_=4194304'))
  assert.ok(environment.includes('MALLOC_TRIM_THRESHOLD_=8388608'))
  assert.ok(environment.includes('MALLOC_TOP_PAD_=65536'))
  assert.equal((await service.end('SIGTERM')).code, 0)
  assert.doesNotMatch(service.output(), /Warning/)
})
