import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { isLoopback, isPublicAddress, judgeTarget, type PrivateTargets } from './addresses.ts'

const modes = ['live', 'test'] as const
const policies = ['deny', 'sandbox', 'allow'] as const

const refusal = (url: string, mode: 'live' | 'test', policy: PrivateTargets) => {
  const reading = judgeTarget(url, mode, policy)
  return 'problem' in reading ? reading.problem : undefined
}
const read = (url: string) => {
  const reading = judgeTarget(url, 'live', 'deny')
  assert.ok('url' in reading)
  return reading.url
}
const allowed = (url: string, mode: 'live' | 'test', policy: PrivateTargets) =>
  refusal(url, mode, policy) === undefined

test('addresses of the public internet', () => {
  const open = [
    ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
    ...['126.255.255.255', '128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255'],
    ...['169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0'],
    ...['192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
    ...['198.51.99.255', '203.0.114.0', '223.255.255.255'],
    ...['2000::', '2001:200::1', '2001:4860:4860::8888', '2001:db7::1', '2001:db9::1'],
    ...['2003::1', '2a00:1450::1', '3ffe:ffff::1', '3fff:1000::1'],
  ]
  for (const ip of open) assert.ok(isPublicAddress(ip), ip)
})

test('addresses that are not of the public internet', () => {
  const closed = [
    ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
    ...['100.100.100.200', '127.0.0.1', '127.255.255.255', '168.63.129.16', '169.254.0.0'],
    ...['169.254.169.254', '172.16.0.0', '172.31.255.255', '192.0.0.0', '192.0.0.192'],
    ...['192.0.2.1', '192.88.99.1', '192.168.0.0', '192.168.255.255', '198.18.0.0'],
    ...['198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255'],
    ...['240.0.0.0', '255.255.255.255'],
    ...['::', '::1', '::127.0.0.1', '::8.8.8.8', '::ffff:8.8.8.8', '::ffff:127.0.0.1'],
    ...['::ffff:7f00:1', '::ffff:0:808:808', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '100::1'],
    ...['100:0:0:1::1', '1fff:ffff::1', '2001::1', '2001:0:53aa::1', '2001:2::1', '2001:10::1'],
    ...['2001:1ff:ffff::1', '2001:20::1', '2001:db8::1', '2001:0DB8:ffff::1', '2002:808:808::1'],
    ...['3fff::1', '3fff:fff:ffff::1', '4000::', '5f00::1', 'fc00::1', 'fd00:ec2::254'],
    ...['fe80::1', 'fe80::1%eth0', '2a00:1450::1%eth0', 'fec0::1', 'ff02::1', 'ffff::'],
    ...['', 'localhost', '1.1.1', '01.1.1.1', '1.1.1.1 ', '[2a00:1450::1]', '2130706433'],
  ]
  for (const ip of closed) assert.equal(isPublicAddress(ip), false, ip)
})

test('loopback is 127.0.0.0/8 and ::1', () => {
  for (const ip of ['127.0.0.1', '127.8.8.8', '::1', '0:0:0:0:0:0:0:1'])
    assert.ok(isLoopback(ip), ip)
  const others = ['0.0.0.0', '::', '::ffff:127.0.0.1', '::127.0.0.1', '::1%lo', '128.0.0.1', 'x']
  for (const ip of others) assert.equal(isLoopback(ip), false, ip)
})

test('an IPv4 address is public exactly when no closed network has it, computed in another way', () => {
  const inNetwork = (ip: number, network: string) => {
    const [address = '', prefix] = network.split('/')
    const base = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
    const size = 2 ** (32 - Number(prefix))
    return Math.floor(ip / size) === Math.floor(base / size)
  }
  const closed = [
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32'],
    ...['169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24'],
    ...['192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
  ]
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (ip) => {
      const text = [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255).join('.')
      assert.equal(isPublicAddress(text), !closed.some((network) => inNetwork(ip, network)), text)
      assert.equal(isLoopback(text), inNetwork(ip, '127.0.0.0/8'))
    }),
    { numRuns: 2_000 },
  )
})

const hex4 = (group: number) => group.toString(16)
const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })

test('no IPv6 address outside of global unicast is public, in any notation', () => {
  fc.assert(
    fc.property(groups, ([first = 0, ...rest]) => {
      const long = [first, ...rest].map((group) => hex4(group).padStart(4, '0')).join(':')
      const short = [first, ...rest].map(hex4).join(':').toUpperCase()
      assert.equal(isPublicAddress(long), isPublicAddress(short))
      if (first >> 13 !== 1) assert.equal(isPublicAddress(long), false, long)
    }),
  )
})

test('no IPv6 form of an IPv4 address is public', () => {
  const prefixes = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::']
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom(...prefixes), (ip, prefix) => {
      assert.equal(isPublicAddress(prefix + ip), false, prefix + ip)
      const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number)
      assert.equal(isPublicAddress(`2002:${hex4(a * 256 + b)}:${hex4(c * 256 + d)}::1`), false)
      const teredo = `2001:0:${hex4(a * 256 + b)}:${hex4(c * 256 + d)}::1`
      assert.equal(isPublicAddress(teredo), false)
    }),
  )
})

test('an address of the internet is a target in every mode and policy', () => {
  const urls = [
    ...['https://example.com', 'https://example.com:8443/a?b=c', 'https://example.com.:1/'],
    ...['https://пример.рф/хук', 'https://1.1.1.1/', 'https://[2a00:1450::1]:65535/'],
    ...['HTTPS://EXAMPLE.COM/@me', 'https://localhost.example.com', 'https://mylocal.ru'],
  ]
  for (const url of urls) {
    for (const mode of modes) {
      for (const policy of policies) assert.ok(allowed(url, mode, policy), url)
    }
  }
  assert.equal(read('https://example.com').href, 'https://example.com/')
})

test('with private targets allowed, live keys may use http for private hosts, and only for them', () => {
  for (const host of ['127.0.0.1:8000', 'localhost:8000', '10.1.2.3', '[::1]:8000']) {
    assert.ok(allowed(`http://${host}/hook`, 'live', 'allow'), host)
    assert.match(refusal(`http://${host}/hook`, 'live', 'deny') ?? '', /https:\/\//)
    assert.match(refusal(`http://${host}/hook`, 'live', 'sandbox') ?? '', /https:\/\//)
  }
  assert.match(refusal('http://1.1.1.1/', 'live', 'allow') ?? '', /https:\/\//)
})

test('http is for the sandbox only', () => {
  for (const policy of policies) {
    assert.ok(allowed('http://example.com/', 'test', policy))
    assert.match(refusal('http://example.com/', 'live', policy) ?? '', /https:\/\//)
  }
})

test('a malformed URL is refused under every policy', () => {
  const forms = [
    ...['', 'example.com', '//example.com', 'https:example.com', 'https:/example.com', 'https://'],
    ...['ftp://example.com', 'file:///etc/passwd', 'javascript:alert(1)', 'https://exa mple.com'],
    ...[
      ' https://example.com',
      'https://example.com\n',
      'https://exam\tple.com',
      'https://a\\b.ru',
    ],
    ...['https://user@example.com', 'https://:pass@example.com', 'https://u:p@example.com'],
    ...['https://example.com/#', 'https://example.com/#part', 'https://example.com:0/'],
    ...['https://example.com:65536/', 'https://example.com:x/', 'https://1.2.3.4.5/'],
    ...['https://256.1.1.1/', 'https://[::1', 'https://[fe80::1%25eth0]/', 'https://./'],
    `https://example.com/${'a'.repeat(2048)}`,
    `https://example.com/${'ж'.repeat(1000)}`,
    'https://example.com/\u0000',
  ]
  for (const url of forms) {
    for (const mode of modes) {
      for (const policy of policies) assert.ok(refusal(url, mode, policy), JSON.stringify(url))
    }
  }
})

test('private hosts are allowed only by the policy that allows them', () => {
  const hosts = [
    ...['10.0.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '[::]'],
    ...['[fd00::1]', '[fe80::1]', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]'],
    ...['0xa.1', '167772161', '012.0.0.1', '0', 'intranet', 'db', 'printer.local', 'x.internal'],
    ...['metadata.google.internal', 'instance-data', 'metadata'],
    ...['x.home.arpa', 'x.lan', 'LOCAL', 'x.localdomain', 'x.local.', 'a..b', 'x.local..'],
  ]
  for (const host of hosts) {
    for (const mode of modes) {
      for (const policy of ['deny', 'sandbox'] as const) {
        assert.match(
          refusal(`https://${host}/`, mode, policy) ?? '',
          /доступный из интернета/,
          host,
        )
      }
      assert.ok(allowed(`https://${host}/`, mode, 'allow'), host)
    }
  }
})

/** Notations of one IPv4 address: decimal, hex and octal, whole and in parts, short and full. */
function notationsOf(ip: number): string[] {
  const parts = [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255)
  const [a = 0] = parts
  const low = ip % 2 ** 24
  const octal = (part: number) => `0${part.toString(8)}`
  const hex = (part: number) => `0x${part.toString(16)}`
  const groups = [ip >>> 16, ip & 0xffff].map(hex4).join(':')
  return [
    ...[
      parts.join('.'),
      `${parts.join('.')}.`,
      parts.map(hex).join('.'),
      parts.map(octal).join('.'),
    ],
    ...[String(ip), hex(ip), hex(ip).toUpperCase(), octal(ip), `0x0000${ip.toString(16)}`],
    ...[`${a}.${low}`, `${hex(a)}.${octal(low)}`, `${octal(a)}.${parts[1]}.${ip & 0xffff}`],
    parts.join('.').replaceAll('.', '%2e'),
    parts.join('。').replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ...[
      `[::${groups}]`,
      `[::ffff:${groups}]`,
      `[::FFFF:${parts.join('.')}]`,
      `[64:ff9b::${groups}]`,
    ],
    ...[`[2002:${groups}::1]`, `[2001:0:${groups}::]`],
  ]
}

test('no notation of a metadata service, a private network or loopback is allowed', () => {
  const closed = [
    ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
    ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '198.18.0.1', '203.0.113.9'],
    ...['127.0.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255'],
  ]
  for (const address of closed) {
    const ip = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
    for (const host of notationsOf(ip))
      assert.ok(!allowed(`https://${host}/`, 'live', 'deny'), host)
  }
  for (const host of notationsOf(0x08080808).filter((each) => !each.startsWith('['))) {
    assert.equal(read(`https://${host}/`).hostname.replace(/\.$/, ''), '8.8.8.8')
  }
})

test('loopback, in any notation, is allowed for test keys under the sandbox policy only', () => {
  const hosts = [
    ...['127.0.0.1', '127.1', '127.8.8.8', '2130706433', '0x7f.1', '0x7f000001', '017700000001'],
    ...['127.0.0.1.', '127%2e0.0.1', '１２７.0.0.1', '[::1]', '[0:0::0:1]', 'localhost'],
    ...['LOCALHOST', 'localhost.', 'a.localhost'],
  ]
  for (const host of hosts) {
    const url = `https://${host}/`
    assert.deepEqual(
      policies.map((policy) => modes.map((mode) => allowed(url, mode, policy))),
      [
        [false, false],
        [false, true],
        [true, true],
      ],
      host,
    )
  }
})
