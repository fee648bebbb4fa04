import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOfReason } from './reason-code.ts'

test('the code of a reason follows from its name, and the service takes it', () => {
  assert.equal(codeOfReason('Брак упаковки'), 'BRAK_UPAKOVKI')
  assert.equal(codeOfReason('  «Щётка» не та (№ 2)!'), 'SCHETKA_NE_TA_2')
  assert.equal(codeOfReason('Wrong size'), 'WRONG_SIZE')
  const long = codeOfReason('щ'.repeat(200))
  assert.match(long, /^[A-Z0-9_]{1,64}$/)
})
