import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support/installed-client.ts'
import { openReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { missing, runTool } from './installed.ts'

/** The served document as Postman imports it: its converter fills each call with our examples, and newman makes the calls. */

const { baseUrl } = await startService()

interface Converted {
  readonly item?: readonly Converted[]
  readonly request?: { readonly url: { readonly variable?: readonly { readonly key: string }[] } }
}
interface Run {
  readonly run: { readonly executions: readonly Execution[] }
}
interface Execution {
  readonly item: Converted & { readonly name: string }
  readonly response: { readonly code: number; readonly stream: { readonly data: number[] } }
}

/** Ids of the examples are those of another sandbox. */
function namesAnother({ request }: Converted): boolean {
  return request?.url.variable?.some(({ key }) => /(?:^|_)id$/.test(key)) ?? false
}

/** The document is older than this sandbox, whose ledger begins a month ago. */
const beforeLedger =
  /: 400 .*Параметр at: журнал движений начинается .*: укажите это время или позже/

test('every converted call answers: well, or that the example names an object or a time of another sandbox', {
  skip: missing,
}, async () => {
  const made = await fetch(`${baseUrl}/v1/sandbox/keys`, { method: 'POST' })
  const { key } = (await made.json()) as { key: string }
  const me = await fetch(`${baseUrl}/v1/me`, { headers: { Authorization: `Bearer ${key}` } })
  const { cabinets } = (await me.json()) as { cabinets: readonly { id: string }[] }
  const document = await (await fetch(`${baseUrl}/openapi.json`)).text()
  const { url } = await openReceiver()
  const collection = await converted(
    document
      .replaceAll('<id кабинета из GET /v1/me>', cabinets[0]?.id ?? '')
      // Nothing leaves this machine.
      .replaceAll('https://example.com/sklad/webhook', url),
  )
  const executions = await runByNewman(collection, { baseUrl, bearerToken: key })

  const paths = Object.values((JSON.parse(document) as { paths: object }).paths)
  assert.equal(executions.length, paths.flatMap((path) => Object.keys(path)).length)
  for (const { item, response } of executions) {
    const said = `${item.name}: ${response.code} ${Buffer.from(response.stream.data)}`
    if (namesAnother(item)) assert.match(said, /: 404 .*"code":"not_found"/)
    else assert.ok(response.code < 300 || beforeLedger.test(said), said)
  }
})

/** The path of the collection. Each call has the values of our examples, and what it requires. */
async function converted(document: string): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'openapi.json'), document)
  const options = 'parametersResolution=Example,enableOptionalParameters=false'
  const files = ['-s', 'openapi.json', '-o', 'collection.json', '-O', options]
  await runTool(folder, 'openapi-to-postmanv2/bin/openapi2postmanv2.js', files)
  return join(folder, 'collection.json')
}

async function runByNewman(
  collection: string,
  variables: Readonly<Record<string, string>>,
): Promise<readonly Execution[]> {
  const folder = temporaryFolder()
  const given = Object.entries(variables).flatMap(([name, value]) => [
    '--env-var',
    `${name}=${value}`,
  ])
  const report = ['--reporters', 'json', '--reporter-json-export', 'report.json']
  await runTool(folder, 'newman/bin/newman.js', ['run', collection, ...given, ...report])
  const { run } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Run
  return run.executions
}
