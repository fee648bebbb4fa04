import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTarget } from '../support/target.ts'
const target = await openTarget()
test('x', async () => {
  const c = await target.sandbox()
  const r = await Promise.race([Promise.all(Array.from({length:9},()=>c.get('/v1/me'))), new Promise(r=>setTimeout(r,8000,'HANG'))])
  console.log('9:', r === 'HANG' ? r : 'ok')
})
test('y', async () => {
  const c = await target.sandbox()
  const r = await Promise.race([Promise.all(Array.from({length:30},()=>c.get('/v1/me'))), new Promise(r=>setTimeout(r,8000,'HANG'))])
  console.log('30 after statements are known:', r === 'HANG' ? r : 'ok')
})
