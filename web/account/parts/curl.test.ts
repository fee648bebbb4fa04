import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { curlOf } from './curl.ts'

const barcodes = ['2000000010014', "O'NEILL-1", "a'; exit 7 #", '$(id) `id` "x" \\ %27']

for (const barcode of barcodes) {
  test(`the copied call for ${barcode} asks for it in a shell`, () => {
    const call = curlOf('http://sklad.example', `/stock/${encodeURIComponent(barcode)}`)
    const script = `curl() { printf '%s' "$3"; }; ${call}`
    const address = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
    const last = new URL(address).pathname.split('/').at(-1) ?? ''
    assert.equal(decodeURIComponent(last), barcode)
  })
}
