import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startProcess } from '../support/process.ts'

test('variables that the driver of the database reads change nothing', async () => {
  const service = await startProcess(mkdtempSync(join(tmpdir(), 'environment-')), {
    PGOPTIONS: '-c search_path=elsewhere -c default_transaction_read_only=on',
    PGREPLICATION: 'database',
    PGSSLNEGOTIATION: 'direct',
    PGSSLMODE: 'require',
    PGCLIENT_ENCODING: 'LATIN1',
    PGHOST: '127.0.0.1',
    PGUSER: 'nobody',
    PGDATABASE: 'none',
  })
  const made = await fetch(`${service.baseUrl}/v1/sandbox/keys`, { method: 'POST' })
  assert.equal(made.status, 201, service.output())
  assert.equal((await service.end('SIGTERM')).code, 0)
})
