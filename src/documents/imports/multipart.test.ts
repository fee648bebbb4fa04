import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { ServiceError } from '../../platform/kernel/errors.ts'
import { readUpload } from './multipart.ts'

const type = 'multipart/form-data; boundary=-b'

interface Part {
  readonly field: string
  readonly fileName?: string
  readonly type?: string
  readonly content: string
}

function form(...parts: readonly Part[]): Buffer {
  const written = parts.map(({ field, fileName, type, content }) => {
    const name = fileName === undefined ? '' : `; filename="${fileName}"`
    const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`
    return `---b\r\nContent-Disposition: form-data; name="${field}"${name}\r\n${kind}\r\n${content}\r\n`
  })
  return Buffer.from(`${written.join('')}---b--\r\n`)
}

async function refusal(body: Buffer, contentType = type): Promise<string> {
  const error = await readUpload(body, contentType).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ServiceError, String(error))
  assert.equal(error.code, 'bad_request')
  return error.message
}

const goods = { field: 'file', fileName: 'Товары.csv', type: 'text/csv', content: 'a;b\r\n\r\n' }

test('a body that is no form is the file itself', async () => {
  const bytes = Buffer.from('barcode;qty')
  for (const contentType of [undefined, 'text/csv', 'application/octet-stream']) {
    const file = { bytes, contentType }
    assert.deepEqual(await readUpload(bytes, contentType), { file, texts: [] })
  }
})

test('the file of a form is read exactly, with its type and name', async () => {
  const { file } = await readUpload(form(goods), type)
  const bytes = Buffer.from(goods.content)
  assert.deepEqual(file, { bytes, contentType: 'text/csv', fileName: 'Товары.csv' })
})

test('the only file is read from any field, and a second file is refused', async () => {
  const photo = { field: 'photo', fileName: 'x.png', type: 'image/png', content: 'x' }
  const note = { field: 'note', content: 'x' }
  const bytes = Buffer.from(goods.content)
  const other = { ...goods, field: 'upload' }
  const unchosen = { field: 'photo', fileName: '', type: 'application/octet-stream', content: '' }
  assert.deepEqual((await readUpload(form(unchosen, note, goods), type)).file.bytes, bytes)
  assert.deepEqual((await readUpload(form(note, other), type)).file.bytes, bytes)
  const unnamed = { field: 'file', content: goods.content }
  assert.deepEqual((await readUpload(form(unnamed), type)).file.bytes, bytes)
  assert.match(await refusal(form(photo, other)), /несколько файлов/)
  assert.match(await refusal(form(photo, goods)), /несколько файлов/)
  assert.match(await refusal(form(goods, goods)), /несколько файлов/)
  assert.match(await refusal(form(note)), /нет файла/)
})

test('the text fields of a form are read as well', async () => {
  const ref = { field: 'external_ref', content: 'Н 17' }
  const { texts } = await readUpload(form(ref, goods, { ...ref, content: '+%' }), type)
  assert.deepEqual(texts, [
    ['external_ref', 'Н 17'],
    ['external_ref', '+%'],
  ])
})

test('a truncated or malformed form is refused', async () => {
  const body = form({ field: 'note', content: 'x' }, goods)
  for (let end = 0; end < body.length - 2; end++) {
    assert.match(await refusal(body.subarray(0, end)), /не разобрано/)
  }
  assert.match(await refusal(Buffer.from('barcode;qty\n1;1\n')), /не разобрано/)
  assert.match(await refusal(body, 'multipart/form-data'), /boundary/)
  assert.match(await refusal(body, 'multipart/form-data; boundary='), /не разобран/)
  assert.match(await refusal(body, 'multipart/mixed; boundary=-b'), /multipart\/form-data/)
})

test('a form with too many parts is refused', async () => {
  const note = { field: 'note', content: 'x' }
  const many = Array.from({ length: 20_000 }, () => note)
  assert.match(await refusal(form(...many, goods)), /больше 20 частей/)
})

test('any body is read or refused with a ServiceError', async () => {
  const words = ['---b', '--', '\r\n', ':', 'Content-Disposition: form-data; name="file"', ';', 'x']
  const soup = fc.string({ unit: fc.constantFrom(...words), maxLength: 40 })
  const types = fc.constantFrom(type, `${type}; x="`, 'multipart/form-data; boundary="-b"; b=%%')
  await fc.assert(
    fc.asyncProperty(soup, types, async (text, contentType) => {
      try {
        await readUpload(Buffer.from(`---b\r\n${text}`), contentType)
      } catch (error) {
        assert.ok(error instanceof ServiceError, String(error))
      }
    }),
    { numRuns: 500 },
  )
})
