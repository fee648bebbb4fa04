import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryFolder } from '../support/installed-client.ts'
import { startService } from '../support/service.ts'
import { missing, runTool } from './installed.ts'

/** Our collection as Postman runs it. */

/** Fewer requests in a row than the collection has: it must wait. */
const limits = { RATE_LIMIT_BURST: '8', RATE_LIMIT_PER_MINUTE: '240' }
const { baseUrl } = await startService(limits)
const newman = 'newman/bin/newman.js'

interface Folder {
  readonly item?: readonly Folder[]
}

const callsIn = ({ item }: Folder): number =>
  item === undefined ? 1 : item.reduce((count, each) => count + callsIn(each), 0)

test('our collection has every call of the document, and each passes on a fresh sandbox', {
  skip: missing,
}, async () => {
  const address = `${baseUrl}/docs/postman.json`
  const collection = (await (await fetch(address)).json()) as Folder
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: object }
  const operations = Object.values(paths).flatMap((methods) => Object.keys(methods))
  assert.equal(callsIn(collection), operations.length)
  // A service with port 0 does not know its own address.
  const given = ['--env-var', `baseUrl=${baseUrl}`, '--color', 'off']
  await runTool(temporaryFolder(), newman, ['run', address, ...given])
})
