import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOzonAddress } from './files.ts'

const ozonUrl = 'https://api-seller.ozon.ru'
const isAllowed = (address: string, baseUrl = ozonUrl) => isOzonAddress(new URL(address), baseUrl)

test('files come from hosts of OZON, over HTTPS on the usual port', () => {
  for (const address of [
    'https://cdn1.ozone.ru/s3/labels/1.pdf?signature=1',
    'https://cdn1.ozon.ru/1.pdf',
    'https://ir.ozonusercontent.com/1.pdf',
    'https://api-seller.ozon.ru/1.pdf',
    'https://ozon.ru:443/1.pdf',
  ]) {
    assert.ok(isAllowed(address), address)
  }
  for (const address of [
    'http://cdn1.ozone.ru/1.pdf',
    'https://cdn1.ozone.ru:8443/1.pdf',
    'https://cdn1.ozone.ru@example.com/1.pdf',
    'https://ozone.ru.example.com/1.pdf',
    'https://notozone.ru/1.pdf',
    'https://ozone.ru./1.pdf',
    'https://127.0.0.1/1.pdf',
    'https://[::1]/1.pdf',
    'file:///etc/passwd',
    'data:application/pdf,1',
  ]) {
    assert.ok(!isAllowed(address), address)
  }
})

test('responses and files of a stand-in have one origin', () => {
  assert.ok(isAllowed('http://127.0.0.1:4000/1.pdf', 'http://127.0.0.1:4000/'))
  assert.ok(!isAllowed('http://127.0.0.1:4001/1.pdf', 'http://127.0.0.1:4000'))
  assert.ok(!isAllowed('http://127.0.0.1:4000/1.pdf', ozonUrl))
})
