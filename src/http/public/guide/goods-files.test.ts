import assert from 'node:assert/strict'
import test from 'node:test'
import { fieldOf } from '../../../documents/imports/headings.ts'
import { goodsFilesChapter } from './goods-files.ts'

test('every heading that the chapter names is read', () => {
  const [, columns = ''] = goodsFilesChapter.split('### ')
  const lines = columns.split('\n').filter((line) => line.startsWith('- **'))
  assert.equal(lines.length, 5)
  for (const line of lines) {
    const headings = [...line.matchAll(/`([^`]+)`/g)].map(([, word]) => word)
    const fields = new Set(headings.map((heading) => fieldOf(heading ?? '')))
    assert.equal(fields.size, 1, line)
    assert.ok(!fields.has(undefined), line)
  }
})
