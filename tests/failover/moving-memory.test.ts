import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { cellSecretKey, makeCellDatabase } from '../support/cell-database.ts'
import { makeClient } from '../support/warehouse.ts'

const program = resolve(import.meta.dirname, '../../bin/sklad.js')
const kilobyte = 1024
const megabyte = kilobyte * kilobyte
const events = 1_000
const bodyBytes = 200_000

/** Says at its end how much memory the process had at most. */
const watched = `data:text/javascript,process.on('exit',()=>console.error('most memory: '+process.resourceUsage().maxRSS))`

test('a move takes no more memory for a large warehouse than for a small one', async () => {
  const [from, to] = [await makeCellDatabase(), await makeCellDatabase()]
  const folder = mkdtempSync(join(tmpdir(), 'moving-memory-'))
  /** Runs a move to its end. Resolves with the most memory that it had, in bytes. */
  async function memoryOf(warehouse: string): Promise<number> {
    const command = ['warehouse', 'move', warehouse, '--to', to.url]
    const proxy = ['--backend', 'cell-b', '--map', join(folder, 'keys.map')]
    const env = { ...process.env, DATABASE_URL: from.url, SECRET_KEY: cellSecretKey }
    const args = ['--import', watched, program, ...command, ...proxy]
    const { stderr } = await promisify(execFile)(process.execPath, args, { env })
    const [, most] = /most memory: (\d+)/.exec(stderr) ?? []
    assert.ok(most, stderr)
    return Number(most) * kilobyte
  }
  for (const code of ['SMALL', 'LARGE']) {
    await from.db`insert into warehouses (code, name, created_at) values (${code}, ${code}, now())`
    const { id } = await makeClient(from.db)
    await from.db`update clients set warehouse_code = ${code} where id = ${id}`
    if (code === 'LARGE') {
      await from.db`
        insert into events (client_id, id, type, occurred_at, body)
        select ${id}, e.id, 'order.created', now(),
          format('{"id":"%s","type":"order.created","data":"%s"}', e.id, repeat('x', ${bodyBytes}))
        from (select uuidv7() as id from generate_series(1, ${events}) n) e`
    }
  }
  const small = await memoryOf('SMALL')
  const large = await memoryOf('LARGE')
  const [{ count }] = await to.db<[{ count: number }]>`select count(*) from events`
  assert.equal(count, events)
  assert.ok(
    large - small < (events * bodyBytes) / 2,
    `${Math.round((large - small) / megabyte)} MB more`,
  )
})
