import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import test from 'node:test'
import { StartError } from '../kernel/start-error.ts'
import { readAddress } from './address.ts'

const read = (url: string) => readAddress({ url })

test('an address gives host, port, user, password and database, decoded', () => {
  const { client, shown, settings } = read('postgres://me:p%40ss@db.example:6432/s%2Fklad')
  const { host, port, user, password, database, ssl } = client
  assert.deepEqual(
    [host, port, user, password, database, ssl],
    ['db.example', 6432, 'me', 'p@ss', 's/klad', false],
  )
  assert.equal(shown, 'db.example:6432')
  assert.deepEqual(settings, {})
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

test('other parameters are settings of the session', () => {
  const { settings, client } = read('postgres://host/db?connect_timeout=2&search_path=a,b')
  assert.deepEqual(settings, { search_path: 'a,b' })
  assert.equal(client.connectionTimeoutMillis, 2_000)
})

test('without a password of the address none is looked for elsewhere', () => {
  const { password } = read('postgres://me@host/db').client
  assert.ok(typeof password === 'function')
  assert.throws(password, { code: '28P01' })
})
