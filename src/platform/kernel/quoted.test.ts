import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quoted } from './quoted.ts'

test('quotes of a name within quotes are others', () => {
  assert.equal(quoted('ООО «Ромашка»'), '«ООО „Ромашка“»')
  assert.equal(quoted('Кружка'), '«Кружка»')
})
