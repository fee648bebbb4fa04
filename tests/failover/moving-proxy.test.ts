import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cellSecretKey, makeCellDatabase } from '../support/cell-database.ts'
import { runCommand } from '../support/process.ts'
import { makeClient } from '../support/warehouse.ts'

// Guarantee (moving): A move that the proxy could not follow does not begin.
test('a move begins only where the map can be written and the proxy read it', async () => {
  const [from, to] = [await makeCellDatabase(), await makeCellDatabase()]
  await from.db`insert into warehouses (code, name, created_at) values ('MSK2', 'Второй', now())`
  const { id } = await makeClient(from.db)
  await from.db`update clients set warehouse_code = 'MSK2' where id = ${id}`
  const folder = mkdtempSync(join(tmpdir(), 'moving-proxy-'))
  const map = join(folder, 'proxy', 'keys.map')
  const move = (reload: string) => {
    const given = ['warehouse', 'move', 'MSK2', '--to', to.url, '--backend', 'cell-b']
    return runCommand(folder, [...given, '--map', map, '--reload', reload], {
      DATABASE_URL: from.url,
      SECRET_KEY: cellSecretKey,
    })
  }
  const begun = async () =>
    (await from.db`select from warehouse_moves`).length +
    (await from.db`select from clients where leaving`).length

  const unwritable = await move('true')
  assert.match(unwritable.errors, /keys\.map can't be written: ENOENT\s*$/)
  assert.equal(await begun(), 0)

  mkdirSync(join(folder, 'proxy'))
  const unread = await move('exit 3')
  assert.match(unread.errors, /--reload ended with 3: mend it and repeat the command\s*$/)
  assert.equal(await begun(), 0)

  const moved = await move(`cp ${map} ${folder}/read`)
  assert.equal(moved.code, 0, moved.errors)
  assert.equal(readFileSync(join(folder, 'read'), 'utf8'), readFileSync(map, 'utf8'))
})
