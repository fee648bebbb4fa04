import assert from 'node:assert/strict'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/faults.ts'
import { startProcess } from '../support/process.ts'

const root = resolve(import.meta.dirname, '../..')

/** What the service needs of a checkout, to be changed at will. */
function copyOfCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), 'dev-'))
  const parts = ['src', 'web', 'scripts', 'sdk', 'docs', 'migrations', 'openapi', 'package.json']
  for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

test('npm run dev shows a changed page at once, and starts anew after a change of the service', async () => {
  const copy = copyOfCheckout()
  const { scripts } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as {
    scripts: { dev: string }
  }
  const options = scripts.dev.split(' bin/node ')[1]?.split(' ') ?? []
  const command = [...options.slice(0, -1), join(copy, options.at(-1) ?? '')]
  const service = await startProcess(join(copy, 'data'), {}, command)

  const script = async () => {
    const page = await (await fetch(service.baseUrl)).text()
    const [path] = page.match(/\/assets\/front-\w+\.js/) ?? []
    return (await fetch(`${service.baseUrl}${path}`)).text()
  }
  assert.doesNotMatch(await script(), /changed page/)
  appendFileSync(join(copy, 'web/front/main.tsx'), "\nconsole.log('changed page')\n")
  await eventually('the page changes', async () => /changed page/.test(await script()))
  assert.equal(service.output().match(/is ready/g)?.length, 1)

  const main = join(copy, 'src/main.ts')
  writeFileSync(main, readFileSync(main, 'utf8').replace('Sklad is ready', 'Sklad is ready anew'))
  await service.printed(/Sklad is ready anew/)
  await service.end('SIGTERM')
})
