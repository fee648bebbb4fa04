import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { describeConfig, readConfig } from './config.ts'
import { StartError } from './platform/kernel/errors.ts'
import { settingsInFiles } from './settings.ts'

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({})
  assert.equal(config.port, 8080)
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.metricsPort, 9464)
  assert.equal(config.metricsHost, '127.0.0.1')
  assert.equal(config.baseUrl, 'http://localhost:8080')
  assert.equal(config.databaseUrl, undefined)
  assert.equal(config.preparedStatements, true)
  assert.equal(config.ssccPrefix, '09520000')
  assert.deepEqual(config.keyBucket, { capacity: 20, intervalMicros: 1_000_000 })
  assert.deepEqual(config.sandboxKeyBucket, { capacity: 20, intervalMicros: 60_000_000 })
})

test('a test host replaces every host of WB, and the sandbox has hosts of its own', () => {
  const { production, sandbox } = readConfig({}).marketplaces.wildberries
  assert.equal(production.contentBaseUrl, 'https://content-api.wildberries.ru')
  assert.equal(sandbox.baseUrl, 'https://marketplace-api-sandbox.wildberries.ru')
  assert.equal(sandbox.contentBaseUrl, 'https://content-api-sandbox.wildberries.ru')
  const { wildberries } = readConfig({ WB_BASE_URL: 'http://127.0.0.1:1' }).marketplaces
  const hosts = Object.values(wildberries).flatMap((each) => Object.values(each))
  assert.deepEqual(hosts, Array(4).fill('http://127.0.0.1:1'))
})

test('pictures come from the hosts of the marketplaces, and from test hosts alone where these are named', () => {
  assert.deepEqual(readConfig({}).pictureHosts, ['wbbasket.ru', 'ozone.ru'])
  const tested = { WB_BASE_URL: 'http://127.0.0.1:1/wb', OZON_BASE_URL: 'https://ozon.test' }
  assert.deepEqual(readConfig(tested).pictureHosts, ['127.0.0.1:1', 'ozon.test'])
  const named = { ...tested, PICTURE_HOSTS: 'Ozone.ru, 127.0.0.1:8090' }
  assert.deepEqual(readConfig(named).pictureHosts, ['ozone.ru', '127.0.0.1:8090'])
})

test('an invalid value is refused with the name of its setting', () => {
  const bad = {
    PORT: ['x', '-1', '65536', '1.5', '0x50'],
    METRICS_PORT: ['70000'],
    RATE_LIMIT_PER_MINUTE: ['0', 'many'],
    RATE_LIMIT_BURST: ['0'],
    SANDBOX_KEYS_PER_HOUR: ['-3'],
    SANDBOX_KEY_BURST: ['1e3'],
    LOG_LEVEL: ['loud'],
    PICTURE_HOSTS: [
      'https://ozone.ru',
      'ozone.ru/',
      'ozone.ru;wbbasket.ru',
      '*.ozone.ru ozone.ru',
      ',',
    ],
    DATABASE_PREPARED_STATEMENTS: ['false', 'yes'],
    BASE_URL: [
      'example',
      'ftp://example',
      'http://h/?x=1',
      'http://h/#y',
      'https://user:secret@h',
      'https://exam ple',
      'https://exam\r\nple',
    ],
    DOCS_URL: ['docs', 'javascript:alert(1)', 'https://h/ docs'],
    OZON_BASE_URL: ['https://h\th', '//h'],
    HOST: ['http://0.0.0.0', '0.0.0.0:8080', 'a b', '[::', '*'],
    METRICS_HOST: ['127.0.0.1:9464'],
    TRUST_PROXY: ['maybe', '999.1.1.1', '1.2.3.4/99', '1.2.3.4/', '::1/129'],
    SECRET_KEY: ['c2hvcnQ='],
    OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'http://key@collector'],
    CELL: ['ab', '-', 'ж'],
    SSCC_PREFIX: ['0952', '09520000000000', '0952000x'],
  }
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error) => error instanceof StartError && error.message.startsWith(name),
        `${name}=${value}`,
      )
    }
  }
})

test('an address is taken in the form of the standard, whatever stands around it', () => {
  const pairs = {
    'https://sklad.example\r': 'https://sklad.example',
    ' https://sklad.example/ \n': 'https://sklad.example',
    '"https://sklad.example"': 'https://sklad.example',
    "'https://sklad.example/'\r": 'https://sklad.example',
    'HTTPS://Sklad.Example:443//': 'https://sklad.example',
    'https://sklad.example/?': 'https://sklad.example',
    'http://sklad.example:8080/api/': 'http://sklad.example:8080/api',
    'https://склад.рф': 'https://xn--80aiqe2a.xn--p1ai',
  }
  for (const [given, address] of Object.entries(pairs)) {
    const config = readConfig({
      BASE_URL: given,
      WB_BASE_URL: given,
      WB_CONTENT_BASE_URL: given,
      WB_SANDBOX_BASE_URL: given,
      WB_SANDBOX_CONTENT_BASE_URL: given,
      OZON_BASE_URL: given,
    })
    assert.deepEqual([config.baseUrl, config.docsUrl], [address, `${address}/docs`], given)
    const { wildberries, ozonUrl } = config.marketplaces
    const hosts = Object.values(wildberries).flatMap((each) => Object.values(each))
    assert.deepEqual([ozonUrl, ...hosts], Array(5).fill(address), given)
    assert.equal(readConfig({ DOCS_URL: given }).docsUrl, address)
  }
})

test('white space, line ends and quotes around a value are no part of it', () => {
  const config = readConfig({
    HOST: '[::1]\r',
    METRICS_HOST: '"localhost"',
    PORT: ' 8081\r',
    LOG_LEVEL: '"debug"',
    TRUST_PROXY: "'10.0.0.0/8, 127.0.0.1' ",
    SUPPORT_CONTACT: 'help@sklad.example\r',
    DATA_DIR: '/var/lib/sklad\r',
    SKLAD_ADMIN_PASSWORD: '"quoted" \r\n',
  })
  assert.deepEqual(
    [config.host, config.metricsHost, config.port, config.logLevel, config.trustProxy],
    ['::1', 'localhost', 8081, 'debug', '10.0.0.0/8, 127.0.0.1'],
  )
  assert.equal(config.supportContact, 'help@sklad.example')
  assert.equal(config.dataDir, '/var/lib/sklad')
  assert.equal(config.adminPassword, '"quoted" ')
})

test('test keys may reach this machine by default only while nobody else reaches the API', () => {
  const targets = (env: Readonly<Record<string, string>>) => readConfig(env).webhooks.privateTargets
  for (const HOST of ['', '127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
    assert.equal(targets({ HOST }), 'sandbox', HOST)
  }
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'sklad.example', '::ffff:127.0.0.1']) {
    assert.equal(targets({ HOST }), 'deny', HOST)
    assert.equal(targets({ HOST, WEBHOOK_PRIVATE_TARGETS: 'sandbox' }), 'sandbox')
  }
  const SECRET_KEY = randomBytes(32).toString('base64')
  assert.equal(targets({ DATABASE_URL: 'postgres://u:p@db/sklad', SECRET_KEY }), 'deny')
})

test('statements are not prepared when the setting says so', () =>
  assert.equal(readConfig({ DATABASE_PREPARED_STATEMENTS: 'off' }).preparedStatements, false))

test('DATABASE_URL needs SECRET_KEY', () => {
  const DATABASE_URL = 'postgres://u:p@db/sklad'
  assert.throws(() => readConfig({ DATABASE_URL }), /^StartError: SECRET_KEY|SECRET_KEY/)
  const [one, two] = [randomBytes(32), randomBytes(40)]
  const SECRET_KEY = `${one.toString('base64')}, ${two.toString('base64')}`
  assert.deepEqual(readConfig({ DATABASE_URL, SECRET_KEY }).secretKeys, [one, two])
})

const secret = randomBytes(32).toString('base64')
const withSecrets = {
  DATABASE_URL: 'postgres://user:hunter2@db:5432/sklad?password=hunter3',
  SECRET_KEY: secret,
  SMTP_URL: 'smtps://sklad%40example.ru:hunter4@mail.example.ru',
  TELEGRAM_BOT_TOKEN: '123456:hunter5-hunter5-hunter5',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-key=hunter6',
  BLOB_URL: 'https://id:hunter7@s3.example.ru/photos',
}

test('the settings in the log contain no secret', () => {
  const shown = JSON.stringify(describeConfig(readConfig(withSecrets)))
  for (const hidden of ['hunter2', 'hunter3', 'hunter4', 'hunter5', 'hunter6', 'hunter7', secret])
    assert.ok(!shown.includes(hidden))
  assert.ok(shown.includes('db:5432/sklad'))
})

test('whatever has a secret may lie in a file', () => {
  const names = Object.entries(withSecrets).filter(
    ([, value]) => /hunter/.test(value) || value === secret,
  )
  assert.equal(names.length, 6)
  const files: readonly string[] = settingsInFiles
  assert.deepEqual(
    names.filter(([name]) => !files.includes(name)),
    [],
  )
})

test('a bucket is named with its keys, over https unless it is in the own network', () => {
  const of = (BLOB_URL: string) => readConfig({ BLOB_URL }).blobs
  assert.equal(of(''), undefined)
  assert.deepEqual(of('https://id:a%2Fb%2B@s3.example.ru/photos/sklad/?region=ru-1'), {
    url: 'https://s3.example.ru/photos/sklad',
    accessKeyId: 'id',
    secretAccessKey: 'a/b+',
    region: 'ru-1',
  })
  assert.equal(of('http://id:key@minio:9000/photos')?.region, 'us-east-1')
  for (const wrong of [
    'photos',
    'https://s3.example.ru/photos',
    'https://id@s3.example.ru/photos',
    'https://id:key@s3.example.ru/',
    'http://id:key@s3.example.ru/photos',
    'ftp://id:key@minio/photos',
    'https://id:%zz@s3.example.ru/photos',
  ]) {
    assert.throws(() => of(wrong), /BLOB_URL must be/, wrong)
  }
})

test('headers of the collector are read as OpenTelemetry writes them, and refused without showing them', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/otlp/'
  const of = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS }).spans
  assert.deepEqual(of('x-a=b%2Cc, Authorization=Basic%20eA=='), {
    url: 'http://collector:4318/otlp/v1/traces',
    headers: { 'x-a': 'b,c', authorization: 'Basic eA==' },
    serviceName: 'sklad',
  })
  for (const wrong of ['secret', 'x y=secret', 'x=%secret', '=secret']) {
    assert.throws(
      () => of(wrong),
      (error) => error instanceof StartError && !error.message.includes('secret'),
      wrong,
    )
  }
})

test('letters go by the server of SMTP_URL, from its user or from the host of the service', () => {
  const mailOf = (env: Readonly<Record<string, string>>) => readConfig(env).mail
  assert.equal(mailOf({}), undefined)
  const server = {
    host: 'mail.example.ru',
    port: 587,
    secure: false,
    user: undefined,
    password: '',
  }
  const BASE_URL = 'https://sklad.example'
  const SMTP_URL = 'smtp://mail.example.ru'
  assert.deepEqual(mailOf({ SMTP_URL, BASE_URL }), { server, from: 'sklad@sklad.example' })
  const own = mailOf({ SMTP_URL: 'smtps://a%40b.ru:p%3Aq@mail.example.ru' })
  assert.deepEqual([own?.from, own?.server.password, own?.server.port], ['a@b.ru', 'p:q', 465])
  assert.equal(mailOf({ SMTP_URL, SMTP_FROM: 'no@reply.ru' })?.from, 'no@reply.ru')
  for (const wrong of [
    'mail.example.ru',
    'https://a.ru',
    'smtp://',
    'smtp://a.ru/x',
    'smtp://a.ru?x=1',
  ]) {
    assert.throws(() => mailOf({ SMTP_URL: wrong }), /SMTP_URL/, wrong)
  }
  assert.throws(() => mailOf({ SMTP_URL, SMTP_FROM: 'nobody' }), /SMTP_FROM/)
})

test('the bot is off without a token, and a wrong token stops the start without showing it', () => {
  assert.equal(readConfig({}).bot, undefined)
  const TELEGRAM_BOT_TOKEN = '123456:AAAAAAAAAAAAAAAAAAAAAAAA'
  assert.equal(readConfig({ TELEGRAM_BOT_TOKEN }).bot?.baseUrl, 'https://api.telegram.org')
  assert.throws(
    () => readConfig({ TELEGRAM_BOT_TOKEN: 'hunter' }),
    (error: Error) => /TELEGRAM_BOT_TOKEN/.test(error.message) && !error.message.includes('hunter'),
  )
})
