import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pictureAddress, sizedAddress } from './addresses.ts'

const hosts = ['wbbasket.ru', 'ozone.ru', '127.0.0.1:8090']
const isFetched = (text: string) => pictureAddress(text, hosts) !== undefined

test('pictures are fetched from named hosts and what is below them, over https', () => {
  assert.ok(isFetched('https://basket-10.wbbasket.ru/vol1/images/c246x328/1.webp'))
  assert.ok(isFetched('https://ozone.ru./s3/multimedia-1/1.jpg'))
  assert.deepEqual(pictureAddress('https://ir.ozone.ru/1.jpg', hosts), {
    url: 'https://ir.ozone.ru/1.jpg',
    isLocal: false,
  })
})

test('no other address is fetched', () => {
  for (const text of [
    '',
    '/1.webp',
    'http://ir.ozone.ru/1.jpg',
    'https://ir.ozone.ru:8443/1.jpg',
    'https://notozone.ru/1.jpg',
    'https://ozone.ru.example.com/1.jpg',
    'https://example.com/?https://ozone.ru/1.jpg',
    'https://ozone.ru@example.com/1.jpg',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/1.jpg',
    'https://[::1]/1.jpg',
    'http://localhost:8090/1.jpg',
    'http://127.0.0.1/1.jpg',
    'http://127.0.0.1:8091/1.jpg',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'ftp://ozone.ru/1.jpg',
  ]) {
    assert.equal(isFetched(text), false, text)
  }
})

test('this machine is reached only where the setting names it with its port', () => {
  const own = 'http://127.0.0.1:8090/1.jpg'
  assert.deepEqual(pictureAddress(own, hosts), { url: own, isLocal: true })
  assert.equal(pictureAddress(own, ['127.0.0.1']), undefined)
})

test('a small size of a picture of OZON is asked for at every second attempt', () => {
  const full = 'https://ir.ozone.ru/s3/multimedia-1-w/12115017932.jpg'
  const small = 'https://ir.ozone.ru/s3/multimedia-1-w/wc250/12115017932.jpg'
  assert.deepEqual(
    [sizedAddress(full, 1), sizedAddress(full, 2), sizedAddress(full, 3)],
    [small, full, small],
  )
  for (const other of [
    small,
    'https://ir.ozone.ru/s3/cms/47/1.png',
    'https://basket-10.wbbasket.ru/vol1/images/c246x328/1.webp',
  ]) {
    assert.equal(sizedAddress(other, 1), other)
  }
})
