import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** The programs that read the files of `deploy/` take them, and Prometheus rings by them. They are Debian's. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Why a test that needs the program is skipped. */
const without = (program: string) => !existsSync(program) && `${program} is not installed`

const promtool = '/usr/bin/promtool'
const haproxy = '/usr/sbin/haproxy'
const nginx = '/usr/sbin/nginx'
const caddy = '/usr/bin/caddy'
const systemd = '/usr/bin/systemd-analyze'
const yamllint = '/usr/bin/yamllint'

/** Runs it in the folder of the project, and fails with what it printed. */
function check(program: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  return { stdout, stderr }
}

test('Prometheus reads the rules', { skip: without(promtool) }, () => {
  const path = 'deploy/prometheus/sklad.rules.yml'
  const rules = read(path).match(/^ *- (?:alert|record): /gm) ?? []
  assert.ok(rules.length > 10)
  const { stdout } = check(promtool, ['check', 'rules', path])
  assert.match(stdout, new RegExp(`SUCCESS: ${rules.length} rules found`))
})

test('alerts ring when they should, and not when they should not', {
  skip: without(promtool),
}, () => {
  const paths = globSync('deploy/prometheus/*.test.yml', { cwd: root })
  assert.ok(paths.length > 1)
  check(promtool, ['test', 'rules', ...paths])
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

test('Caddy takes its file', { skip: without(caddy) }, () => {
  check(caddy, ['validate', '--adapter', 'caddyfile', '--config', 'deploy/proxy/Caddyfile'])
})

test('haproxy and nginx take the files with HTTPS', {
  skip: without(haproxy) || without(nginx),
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
  check(haproxy, ['-c', '-f', join(folder, 'haproxy')])
  const writesTo = ['-e', join(folder, 'errors'), '-g', `pid ${folder}/pid;`]
  check(nginx, ['-t', '-c', join(folder, 'nginx'), ...writesTo])
  rmSync(folder, { recursive: true })
})

test('systemd takes the units', { skip: without(systemd) }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'units-'))
  for (const name of ['sklad.service', 'sklad-backup.service', 'sklad-backup.timer']) {
    // Its program is not installed here.
    const text = read(`deploy/systemd/${name}`).replaceAll('/opt/sklad/bin/node', process.execPath)
    writeFileSync(join(folder, name), text)
  }
  const units = ['sklad.service', 'sklad-backup.timer'].map((name) => join(folder, name))
  const { stderr } = check(systemd, ['verify', ...units])
  assert.doesNotMatch(stderr, /sklad[^/]*:\d+: /)
  rmSync(folder, { recursive: true })
})

/** Of ten; what is left are the network, and what the comments of the units say. */
const exposureMax = 2

for (const name of ['sklad.service', 'sklad-backup.service']) {
  test(`systemd thinks ${name} exposed by less than ${exposureMax} of 10`, {
    skip: without(systemd),
  }, () => {
    const given = ['security', '--offline=yes', `--threshold=${exposureMax * 10}`, '--no-pager']
    check(systemd, [...given, `deploy/systemd/${name}`])
  })
}

test('yamllint finds nothing in the files of the installation', { skip: without(yamllint) }, () => {
  const files = globSync(['*.{yaml,yml}', 'deploy/**/*.{yaml,yml}'], { cwd: root })
  assert.ok(files.length > 5)
  check(yamllint, ['--strict', '.yamllint', ...files])
})
