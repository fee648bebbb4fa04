import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { blocksIn, sectionOf } from '../../scripts/quickstart/texts.ts'
import { guide } from '../../src/http/public/guide/guide.ts'
import { recipeChapter } from '../../src/http/public/guide/recipes.ts'
import { makeFirstAdministrator } from '../../src/identity/staff/first-administrator.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { newSandboxKey } from '../support/client.ts'
import { startService } from '../support/service.ts'

/** The guide's recipes and the commands for staff of README.md work as they are pasted into a shell, and what both link is served. */

const run = promisify(execFile)
const service = await startService()
const folder = mkdtempSync(join(tmpdir(), 'sklad-pasted-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** Runs the commands in one shell; returns what they print. */
async function paste(commands: readonly string[], values: Readonly<Record<string, string>>) {
  let script = commands.join('\n')
  for (const [shown, real] of Object.entries(values)) script = script.replaceAll(shown, real)
  const { stdout } = await run('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: folder })
  assert.doesNotMatch(stdout, /"error":/, stdout)
  return stdout
}

test('the recipes of the guide work one after another', async () => {
  const commands = blocksIn(recipeChapter(service.baseUrl), 'bash')
  const printed = await paste(commands, { '<ключ>': await newSandboxKey(service) })
  // Announced, found by its reference, and read by its id.
  assert.equal(printed.match(/"external_ref":"PO-1"/g)?.length, 3, printed)
  assert.match(printed, /\n?200\n304\n/)
  assert.match(printed, /"next_after"/)
})

for (const [name, text] of [
  ['README.md', readme.replaceAll('http://localhost:8080', service.baseUrl)],
  ['the guide', guide(service.baseUrl)],
] as const) {
  test(`${name} names the OpenAPI document, and every page of the service that it names is there`, async () => {
    const named = text.match(/(?<=[ (`])http:\/\/[^\s/]+\/[\w./-]*\w/g) ?? []
    const pages = named.filter((address) => !/\/(?:v1|mcp|hook|sklad|sdk)\b/.test(address))
    assert.ok(pages.includes(`${service.baseUrl}/openapi.json`), name)
    for (const address of new Set(pages)) assert.equal((await fetch(address)).status, 200, address)
  })
}

test('the commands for staff in README.md work one after another', async () => {
  const password = 'ромашка-и-склад'
  await makeFirstAdministrator(service.db, systemClock, password)
  const commands = blocksIn(sectionOf('## Try the staff API', readme), 'bash')
  assert.ok(commands.length >= 5)
  const printed = await paste(commands, {
    'http://localhost:8080': service.baseUrl,
    '"password": "…"': `"password": "${password}"`,
    '<token of WB>': 'e30.e30.c2ln',
    '<Client-Id>': '1234567',
    '<Api-Key>': '0e4f6c1a-5b0d-4f4e-9a3e-2f1b7c9d8e60',
  })
  assert.match(printed, /"quantity":2/)
  assert.match(printed, /"action":"finishReceipt"/)
  assert.match(printed, /\/account\/invitation#/)
  assert.match(printed, /"has_credentials":true/)
})
