import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import test from 'node:test'
import { StartError } from '../../kernel/errors.ts'
import { readHosts } from './address.ts'

const read = (url: string) => readHosts({ url }).current

test('an address gives host, port, user, password and database, decoded', () => {
  const { client, shown } = read('postgres://me:p%40ss@db.example:6432/s%2Fklad')
  const { host, port, user, password, database, ssl } = client
  assert.deepEqual(
    [host, port, user, password, database, ssl],
    ['db.example', 6432, 'me', 'p@ss', 's/klad', false],
  )
  assert.equal(shown, 'db.example:6432')
  assert.equal(client.options, undefined)
})

test('what an address leaves out has the defaults of PostgreSQL’s own tools', () => {
  const { client } = read('postgresql://')
  const { host, port, user, database, connectionTimeoutMillis } = client
  const own = userInfo().username
  assert.deepEqual([host, port, user, database], ['localhost', 5432, own, own])
  assert.equal(connectionTimeoutMillis, 5_000)
})

test('sockets are named by a parameter or as a host, addresses of IPv6 in brackets', () => {
  const expected = '/var/run/postgresql/.s.PGSQL.5433'
  assert.equal(read('postgresql:///sklad?host=/var/run/postgresql&port=5433').shown, expected)
  assert.equal(read('postgresql://%2Fvar%2Frun%2Fpostgresql:5433/sklad').shown, expected)
  assert.equal(read('postgresql://[::1]/sklad').client.host, '::1')
})

test('TLS is as sslmode says', () => {
  const tls = (query: string) => read(`postgres://host/db?${query}`).client.ssl
  assert.equal(tls('sslmode=disable'), false)
  assert.deepEqual(tls('sslmode=require'), { rejectUnauthorized: false })
  assert.deepEqual(tls('sslmode=verify-full'), {})
  for (const query of ['sslmode=prefer', 'sslmode=nonsense', 'sslmode=require&sslrootcert=/none']) {
    assert.throws(() => tls(query), StartError)
  }
})

test('what libpq knows is taken, is done anyway, or is refused by name', () => {
  const { client } = read(
    'postgres://host/db?channel_binding=prefer&keepalives=1&keepalives_idle=30&gssencmode=prefer' +
      '&sslmode=require&sslrootcert=system&application_name=mine&client_encoding=utf8&replication=off',
  )
  assert.equal(client.enableChannelBinding, true)
  assert.equal(client.keepAliveInitialDelayMillis, 30_000)
  assert.equal(client.application_name, 'mine')
  assert.equal(client.options, undefined)
  for (const parameter of [
    ...['channel_binding=require', 'keepalives=0', 'keepalives_count=5', 'tcp_user_timeout=9'],
    ...[
      'client_encoding=LATIN1',
      'replication=database',
      'sslnegotiation=direct',
      'sslcert=/my.crt',
    ],
    ...['service=mine', 'passfile=/my', 'hostaddr=127.0.0.1', 'connect_timeout=soon', 'port=x'],
  ]) {
    const [name = ''] = parameter.split('=')
    const saysName = { name: 'StartError', message: new RegExp(`^${name} in DATABASE_URL`) }
    assert.throws(() => read(`postgres://host/db?${parameter}`), saysName)
  }
})

test('other parameters are settings of the session', () => {
  const { client } = read(
    'postgres://host/db?connect_timeout=2&search_path=a,+b&options=-c%20x.y=1',
  )
  assert.equal(client.options, '-c x.y=1 -c search_path=a,\\ b')
  assert.equal(client.connectionTimeoutMillis, 2_000)
})

test('without a password of the address none is looked for elsewhere', () => {
  const { password } = read('postgres://me@host/db').client
  assert.ok(typeof password === 'function')
  assert.throws(password, { code: '28P01' })
})

test('several hosts have ports of their own, and the primary among them is wanted', () => {
  const hosts = readHosts({
    url: 'postgres://me:secret@h1:5433,h2,[::1]:5434/sklad?sslmode=require',
  })
  assert.equal(hosts.shown, 'h1:5433, h2:5432, ::1:5434')
  assert.equal(hosts.primaryOnly, true)
  const { user, password, database } = hosts.current.client
  assert.deepEqual([user, password, database], ['me', 'secret', 'sklad'])
})

test('target_session_attrs asks for the primary, or not', () => {
  const wanted = (query: string, host = 'h1') =>
    readHosts({ url: `postgres://${host}/db${query}` }).primaryOnly
  assert.equal(wanted(''), false)
  assert.equal(wanted('?target_session_attrs=read-write'), true)
  assert.equal(wanted('?target_session_attrs=primary'), true)
  assert.equal(wanted('?target_session_attrs=any', 'h1,h2'), false)
  assert.throws(() => wanted('?target_session_attrs=standby'), StartError)
})

test('a server is passed over once, however many connections it failed', () => {
  const hosts = readHosts({ url: 'postgres://h1,h2,h3/db' })
  const [first] = [hosts.current]
  hosts.passOver(first)
  hosts.passOver(first)
  assert.equal(hosts.current.shown, 'h2:5432')
  hosts.passOver(hosts.current)
  hosts.passOver(hosts.current)
  assert.equal(hosts.current, first)
})

test('what is no address is refused, and shows nothing of it', () => {
  for (const url of [
    '',
    'mysql://h/db',
    'postgres://h:x/db',
    'postgres://h1:1,h2:99999/db',
    'h1',
  ]) {
    assert.throws(() => readHosts({ url }), StartError, url)
  }
})
