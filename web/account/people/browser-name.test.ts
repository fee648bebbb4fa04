import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserName } from './browser-name.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const known = {
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/153.0.0.0 Safari/537.36`]:
    'Chrome, Windows',
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/152.0.0.0 YaBrowser/26.9 Safari/537.36`]:
    'Яндекс Браузер, Windows',
  [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/152.0.0.0 Safari/537.36 Edg/152.0`]:
    'Edge, Windows',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox, Linux',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1':
    'Safari, iPhone',
  [`Mozilla/5.0 (Linux; Android 16) ${webkit} Chrome/150.0.0.0 Mobile Safari/537.36`]:
    'Chrome, Android',
  'curl/8.5.0': 'curl/8.5.0',
  '': 'неизвестен',
}

test('a browser is named in words, and what is none by its own text', () => {
  for (const [text, words] of Object.entries(known)) assert.equal(browserName(text), words)
})
