import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { rootCertificates } from 'node:tls'

/** OZON moves to certificates of HARICA: a Node that lacks these roots could not call it any more. */
test('the service trusts the roots that OZON moves to', () => {
  const names = rootCertificates.map((pem) => new X509Certificate(pem).subject)
  for (const root of ['HARICA TLS RSA Root CA 2021', 'HARICA TLS ECC Root CA 2021']) {
    assert.ok(
      names.some((name) => name.includes(`CN=${root}`)),
      root,
    )
  }
})
