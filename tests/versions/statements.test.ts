import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Database, openDatabase } from '../../src/platform/db/connection.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { startEmbedded } from '../../src/platform/postgres/supervisor.ts'
import { testDatabase } from '../support/database.ts'

/** The statements of `npm test`, noted by `scripts/note-statements.js`, on a given server of another version than the embedded one. */

const { db } = await testDatabase({ max: 1 })

/** A text with a semicolon may be several statements. Only these can be prepared. */
const preparable = /^\s*(?:select|insert|update|delete|merge|with|values)\b[^;]*$/i

function notedStatements(): string[] {
  const lines = readFileSync(process.env.STATEMENTS ?? '', 'utf8')
    .trimEnd()
    .split('\n')
  const texts = new Set(lines.map((line) => JSON.parse(line) as string))
  return [...texts].filter((text) => preparable.test(text))
}

async function refusalOf(server: Database, text: string): Promise<string | undefined> {
  try {
    await server.unsafe(`prepare noted as ${text}`)
  } catch (error) {
    return String(error)
  }
  await server.unsafe('deallocate noted')
  return undefined
}

test('the server parses each statement that the embedded one does, down to its functions and types', async () => {
  const { target, stop } = await startEmbedded({
    dataDir: mkdtempSync(join(tmpdir(), 'versions-')),
    as: 'command',
  })
  const embedded = openDatabase(target, { max: 1 })
  await migrate(embedded)
  const refused: string[] = []
  let parsed = 0
  for (const text of notedStatements()) {
    const refusal = await refusalOf(db, text)
    if (refusal === undefined) parsed += 1
    // Tests have tables and functions of their own, which neither server has here.
    else if ((await refusalOf(embedded, text)) === undefined) refused.push(`${refusal}: ${text}`)
  }
  await embedded.end()
  await stop()
  assert.deepEqual(refused, [])
  assert.ok(parsed > 500, `only ${parsed} statements`)
})
