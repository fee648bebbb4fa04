import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketAddress, forwardedAddresses } from './address.ts'

test('a bucket address is the part of an address that its holder cannot change', () => {
  const pairs = {
    '192.0.2.7': '192.0.2.7',
    '::ffff:192.0.2.7': '192.0.2.7',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:db8:1:2::9': '2001:db8:1:2::/64',
    '2001:0DB8:0001:0002::9': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    '::1': '0:0:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
  }
  for (const [address, bucket] of Object.entries(pairs))
    assert.equal(bucketAddress(address), bucket)
})

test('a forwarded address is one without port, brackets and quotes, and ends where nobody tells it', () => {
  const pairs = {
    '192.0.2.7': '192.0.2.7',
    '192.0.2.7:51234': '192.0.2.7',
    '2001:db8::9': '2001:db8::9',
    '[2001:db8::9]': '2001:db8::9',
    '[2001:db8::9]:443': '2001:db8::9',
    '"[2001:db8::9]:443"': '2001:db8::9',
    '2001:db8:1:2:3:4:5:6:443': '2001:db8:1:2:3:4:5:6',
    '::ffff:192.0.2.7': '192.0.2.7',
    '[::ffff:192.0.2.7]:80': '192.0.2.7',
    ' 192.0.2.7:1 ,, 10.0.0.1:2,': '192.0.2.7, 10.0.0.1',
    unknown: '',
    '_hidden:80': '',
    '192.0.2.7:x': '',
    '192.0.2.999': '',
    'unknown, 10.0.0.1': '10.0.0.1',
    '203.0.113.1, unknown, 10.0.0.1': '10.0.0.1',
    '10.0.0.1, unknown': '',
    '': '',
  }
  for (const [header, addresses] of Object.entries(pairs)) {
    assert.equal(forwardedAddresses(header), addresses, header)
  }
})
