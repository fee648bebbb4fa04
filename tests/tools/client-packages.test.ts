import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { pythonTypes, pythonTypesPath } from '../../scripts/python-types.ts'
import { blocksIn, blockWith, savedPrograms, sectionOf } from '../../scripts/quickstart/texts.ts'
import { deliveryHeaders } from '../../src/exchange/webhooks/signature.ts'
import { guide } from '../../src/http/public/guide/guide.ts'
import { clientSources } from '../../src/http/public/packages/clients.ts'
import { pythonIsMissing, whyMissing } from '../support/clients/clients.ts'
import { eventually } from '../support/faults.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/installed-client.ts'
import { startService } from '../support/service.ts'

/** The packages for Python and PHP: that pip and Composer install them, and that their READMEs hold. */

const port = await freePort()
const unlimited = { RATE_LIMIT_BURST: '1000000', RATE_LIMIT_PER_MINUTE: '1000000' }
const service = await startService({ ...unlimited, PORT: String(port) }, 'all')
/** What the service takes for its address. */
const baseUrl = `http://localhost:${port}`
const sources = clientSources(baseUrl)
const wheel = `${baseUrl}/sdk/sklad-1.1.0-py3-none-any.whl`
const archive = `${baseUrl}/sdk/sklad-php-1.1.0.zip`

const venvIsMissing = pythonIsMissing || whyMissing('python3', ['-c', 'import ensurepip, venv'])
const mypyIsMissing = whyMissing('mypy', ['--version'])
const composerIsMissing = whyMissing('composer', ['--version'])

const patienceMs = 120_000

/** Runs a program in the folder, without anything of this environment but the path, and resolves with what it printed. */
async function run(folder: string, program: string, ...args: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_CACHE_DIR: join(folder, '.pip'),
    COMPOSER_HOME: join(folder, '.composer'),
    COMPOSER_ALLOW_SUPERUSER: '1',
    COMPOSER_NO_INTERACTION: '1',
  }
  const options = { cwd: folder, env, timeout: patienceMs }
  return (await promisify(execFile)(program, args, options)).stdout
}

for (const [address, type] of [
  [wheel, 'application/zip'],
  [archive, 'application/zip'],
  [`${baseUrl}/sdk/packages.json`, 'application/json; charset=utf-8'],
] as const) {
  test(`needs no key and is not sent again unchanged: ${new URL(address).pathname}`, async () => {
    const first = await fetch(address)
    assert.equal(first.status, 200)
    assert.equal(first.headers.get('Content-Type'), type)
    await first.arrayBuffer()
    const etag = first.headers.get('ETag') ?? ''
    const second = await fetch(address, { headers: { 'If-None-Match': etag } })
    assert.equal(second.status, 304)
  })
}

test('the same sources make the same bytes in every process, wherever its clock stands', async () => {
  const made = await Promise.all(
    ['UTC', 'Asia/Tokyo'].map(async (zone) => {
      const clients = new URL('../../src/http/public/packages/clients.ts', import.meta.url).href
      const program = `
        const { clientSources, pythonWheel, phpArchive } = await import('${clients}')
        const sources = clientSources('${baseUrl}')
        for (const make of [pythonWheel, phpArchive]) console.log((await make(sources)).toString('hex'))`
      const env = { PATH: process.env.PATH, TZ: zone }
      const options = { env, maxBuffer: 1 << 24 }
      const args = ['--input-type=module', '-e', program]
      return (await promisify(execFile)(process.execPath, args, options)).stdout
    }),
  )
  assert.equal(made[0], made[1])
  const served = Buffer.from(await (await fetch(wheel)).arrayBuffer())
  assert.equal(made[0]?.split('\n')[0], served.toString('hex'))
})

test('all clients have one version', () => {
  const versions = [
    JSON.parse(sources.read('typescript/package.json')).version,
    JSON.parse(sources.read('php/composer.json')).version,
    /VERSION = '(.+)'/.exec(sources.read('php/sklad.php'))?.[1],
    /^Version: (.+)$/m.exec(sources.read('python/METADATA'))?.[1],
    /__version__ = "(.+)"/.exec(sources.read('python/sklad/__init__.py'))?.[1],
  ]
  assert.deepEqual(versions, Array(5).fill('1.1.0'))
  assert.ok(sources.read('python/README.md').includes(`pip install ${wheel}`))
  assert.ok(sources.read('php/README.md').includes(`<${archive}>`))
})

test('the guide names packages that are served', async () => {
  const named = guide(service.baseUrl).match(/http[^\s)]+\/sdk\/[^\s)]+/g) ?? []
  const addresses = new Set(named)
  assert.equal(addresses.size, 3)
  for (const address of addresses) assert.equal((await fetch(address)).status, 200, address)
})

const chapter = sectionOf('## Готовые клиенты', guide(baseUrl))
/** With a virtual environment in which the wheel is installed, as the guide says. */
const pythonFolder = temporaryFolder()
for (const [file, folder, part, skip] of [
  ['orders.mjs', temporaryFolder(), 'npm i', false],
  ['orders.py', pythonFolder, 'pip install', venvIsMissing],
  ['orders.php', temporaryFolder(), 'composer require', composerIsMissing],
] as const) {
  test(`${file} of the guide runs in an empty folder, after the commands above it`, {
    skip,
  }, async () => {
    const project = withoutRegistries(folder)
    const program = savedPrograms(chapter).find((each) => each.file === file)
    const made = await fetch(`${baseUrl}/v1/sandbox/keys`, { method: 'POST' })
    const { key } = (await made.json()) as { key: string }
    writeFileSync(join(project, file), `${program?.text}`.replace('<ключ>', key))
    const pasted = `${blockWith(part, chapter)}\n${program?.command}`
    assert.match(await run(project, 'bash', '-e', '-c', pasted), /^\d+(?:-\d+)*$/m)
  })
}

test('every call stands in the README of each client', () => {
  const { operations } = JSON.parse(sources.read('behaviours.json')) as {
    operations: Record<string, string>
  }
  for (const path of ['typescript', 'python', 'php']) {
    const readme = sources.read(`${path}/README.md`)
    for (const name of Object.values(operations)) {
      const last = name.split('.').at(-1) ?? ''
      const snake = last.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      const shown = path === 'python' ? snake : last
      assert.match(readme, new RegExp(`\\b${shown}\\b`), `${path}: ${shown}`)
    }
  }
})

test('the kept types of Python are what the document makes; "npm run openapi" renews them', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  assert.ok(read(pythonTypesPath) === pythonTypes(read('openapi/public.json')), pythonTypesPath)
})

suite('Python', { skip: venvIsMissing }, async () => {
  const folder = pythonFolder
  const bin = (name: string) => join(folder, 'venv/bin', name)

  test('pip installs the wheel without an index, once more too, and it is whole', async () => {
    await run(folder, bin('pip'), 'install', '--no-index', '--force-reinstall', wheel)
    assert.match(
      await run(folder, bin('pip'), 'show', 'sklad'),
      new RegExp(`^Home-page: ${baseUrl}/docs$`, 'm'),
    )
    const check = `
import hashlib, base64
from importlib.metadata import files, metadata
recorded = [file for file in files("sklad") if file.hash and "__pycache__" not in str(file)]
for file in recorded:
    digest = base64.urlsafe_b64encode(hashlib.sha256(file.read_binary()).digest()).rstrip(b"=").decode()
    assert digest == file.hash.value, file
names = {file.name for file in recorded}
assert {"__init__.py", "api.py", "py.typed", "METADATA"} <= names, names
assert "Пять минут" in metadata("sklad").get_payload()`
    await run(folder, bin('python'), '-c', check)
  })

  test('the five minutes of the README run as they are, but for the address', async (t) => {
    const [five = '', receiver = '', subscribe = '', failure = ''] = blocksIn(
      sources.read('python/README.md'),
      'python',
    )
    writeFileSync(join(folder, 'five.py'), `${five}\n${failure}`)
    const printed = await run(folder, bin('python'), 'five.py')
    const key = fiveMinutes(printed)
    const again = `from sklad import Sklad\nsklad = Sklad("${key}", "${baseUrl}")\n`
    await receives(t, {
      folder,
      file: 'receiver.py',
      program: receiver,
      command: () => [bin('python'), 'receiver.py'],
      subscribe: (address) => {
        writeFileSync(
          join(folder, 'subscribe.py'),
          again + subscribe.replace(/"https:\/\/shop[^"]*"/, `"${address}"`),
        )
        return run(folder, bin('python'), 'subscribe.py')
      },
      key,
    })
  })

  test('a type checker knows the objects and refuses a status that is none', {
    skip: mypyIsMissing,
  }, async () => {
    const program = (status: string) => `
from typing import List
from sklad import Sklad, api

def numbers(sklad: Sklad) -> List[str]:
    for event, position in sklad.events.stream():
        if event["type"] == "receipt.completed":
            return [event["data"]["number"], position]
    orders: List[api.Order] = list(sklad.orders.all(status="${status}"))
    return [order["external_id"] for order in orders]
`
    const check = async (status: string) => {
      writeFileSync(join(folder, 'typed.py'), program(status))
      const python = ['--python-executable', bin('python'), '--python-version', '3.9']
      return run(folder, 'mypy', '--strict', ...python, 'typed.py')
    }
    await check('NEW')
    await assert.rejects(check('SOLD'), ({ stdout }: { stdout: string }) => {
      assert.match(stdout, /typed\.py:9: error: Argument "status"/)
      return true
    })
  })
})

suite('PHP', { skip: composerIsMissing }, async () => {
  const folder = temporaryFolder()

  const newProject = (name: string) => withoutRegistries(join(folder, name))

  test('Composer installs the package as the guide says, and the five minutes of the README run as they are', async (t) => {
    const project = newProject('served')
    await run(project, 'bash', '-e', '-c', blockWith('composer require', guide(baseUrl)))
    const [five = '', receiver = '', subscribe = '', failure = ''] = blocksIn(
      sources.read('php/README.md'),
      'php',
    )
    const [uses = '', rest = ''] = failure.split('\n\n')
    writeFileSync(
      join(project, 'five.php'),
      five.replace('use Sklad\\Sklad;', `use Sklad\\Sklad;\n${uses}`) + rest,
    )
    const printed = await run(project, 'php', 'five.php')
    const key = fiveMinutes(printed)
    const again = `<?php require 'vendor/autoload.php';\n$sklad = new Sklad\\Sklad('${key}', '${baseUrl}');\n`
    await receives(t, {
      folder: project,
      file: 'receiver.php',
      program: receiver,
      command: (port) => ['php', '-S', `localhost:${port}`, 'receiver.php'],
      subscribe: (address) => {
        writeFileSync(
          join(project, 'subscribe.php'),
          again + subscribe.replace(/'https:\/\/shop[^']*'/, `'${address}'`),
        )
        return run(project, 'php', 'subscribe.php')
      },
      key,
    })
  })

  test('Composer installs the archive from a folder of artifacts', async () => {
    const project = newProject('artifact')
    writeFileSync(join(project, 'composer.json'), '{}')
    mkdirSync(join(project, 'artifacts'))
    const bytes = Buffer.from(await (await fetch(archive)).arrayBuffer())
    writeFileSync(join(project, 'artifacts/sklad-php-1.1.0.zip'), bytes)
    await run(project, 'composer', 'config', 'repositories.sklad', 'artifact', 'artifacts')
    await run(project, 'composer', 'require', 'sklad/client')
    const installed = join(project, 'vendor/sklad/client')
    for (const name of ['sklad.php', 'README.md', 'composer.json']) {
      assert.equal(readFileSync(join(installed, name), 'utf8'), sources.read(`php/${name}`))
    }
  })
})

/** Makes it a folder in which npm and Composer ask no registry, as new as `npm init -y` leaves it. */
function withoutRegistries(project: string): string {
  const home = join(project, '.composer')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'config.json'), '{"repositories": {"packagist.org": false}}')
  writeFileSync(join(project, '.npmrc'), 'registry=http://127.0.0.1:9/\naudit=false\n')
  writeFileSync(join(project, 'package.json'), '{"type": "commonjs"}')
  return project
}

/** What the first program of a README printed, and the last one; its key. */
function fiveMinutes(printed: string): string {
  const [key = '', ...lines] = printed.trim().split('\n')
  assert.match(key, /^svc_test_/)
  assert.match(lines[0] ?? '', /«Тёплый дом».* 2$/)
  assert.match(lines[1] ?? '', /^\d+ \d+$/)
  const [, number] = /^(R-\d+) PENDING_CONFIRMATION$/m.exec(printed) ?? []
  assert.ok(lines.includes(`receipt.created ${number}`), printed)
  assert.match(lines.at(-1) ?? '', /^not_found 404 [0-9a-f-]{36} [А-Я]/)
  return key
}

interface Receiver {
  readonly folder: string
  readonly file: string
  readonly program: string
  readonly command: (port: number) => readonly [string, ...string[]]
  /** Prints the secret. */
  readonly subscribe: (address: string) => Promise<string>
  readonly key: string
}

/** The README's receiver, from the first check of its address to an event that the service sends, and one that it did not send. */
async function receives(t: TestContext, given: Receiver): Promise<void> {
  const { folder, file, program, command, subscribe, key } = given
  const receiverPort = await freePort()
  const address = `http://localhost:${receiverPort}/sklad`
  writeFileSync(join(folder, file), program)
  let printed = ''
  const start = async (secret: string): Promise<ChildProcess> => {
    const [name, ...args] = command(receiverPort)
    const env = { PATH: process.env.PATH, PORT: String(receiverPort), WEBHOOK_SECRET: secret }
    const child = spawn(name, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
    t.after(() => child.kill('SIGKILL'))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    await eventually('the receiver answers', async () => (await post('{}', 'none')) !== undefined)
    return child
  }
  const post = async (body: string, secret: string): Promise<number | undefined> => {
    const headers = deliveryHeaders({
      eventId: 'event-1',
      eventType: 'receipt.created',
      deliveryHeaderId: randomUUID(),
      timestamp: Math.floor(Date.now() / 1000),
      secret,
      body: Buffer.from(body),
    })
    const answer = await fetch(address, { method: 'POST', headers, body }).catch(() => undefined)
    return answer?.status
  }

  const first = await start('')
  const secret = (await subscribe(address)).trim()
  assert.match(secret, /^whsec_/)
  first.kill()
  await once(first, 'exit')
  await start(secret)
  const seller = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const me = await fetch(`${service.baseUrl}/v1/me`, { headers: seller })
  const { cabinets } = (await me.json()) as { cabinets: { id: string }[] }
  const items = [{ barcode: 'README-1', name: 'Товар', qty: 1, honest_mark: false }]
  const body = JSON.stringify({ cabinet_id: cabinets[0]?.id, items })
  await fetch(`${service.baseUrl}/v1/receipts`, { method: 'POST', headers: seller, body })
  await eventually('the event is handled', async () => /^receipt\.created \S+$/m.test(printed))

  const event = JSON.stringify({ id: 'event-1', type: 'receipt.created', data: {} })
  assert.equal(await post(event, 'another'), 401)
  assert.equal(await post(event, secret), 204)
  assert.equal(await post(event, secret), 204)
  await eventually('it is handled', async () => printed.includes('receipt.created event-1'))
  assert.equal(printed.match(/event-1/g)?.length, 1)
}
