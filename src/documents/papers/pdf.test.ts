import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import test from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { turnsDuring } from '../../../tests/support/turns.ts'
import { joinPdfs } from './merge.ts'
import { barcodeColumn, goodsColumn, numberColumn, type Paper } from './paper.ts'
import { paperPdf } from './pdf.ts'

const paper: Paper = {
  title: 'Акт',
  facts: [['Поставка', 'П-1']],
  tables: [
    {
      title: 'Товары',
      columns: [barcodeColumn, goodsColumn, numberColumn('Принято')],
      rows: Array.from({ length: 60 }, (_, n) => ['4600000000192', `Плед ${n}`, '1']),
    },
  ],
  notes: [],
  signatures: ['Сдал'],
}

test('while a paper is drawn, or papers are joined, the process serves whatever else comes', async () => {
  const now = new Date(Date.UTC(2026, 10, 20))
  const drawing = await turnsDuring(() => paperPdf(paper, now))
  assert.ok(drawing >= 60, `${drawing} turns`)
  const pdf = await buffer(await paperPdf(paper, now))
  let joined: Buffer = Buffer.alloc(0)
  const joining = await turnsDuring(async () => {
    joined = await joinPdfs(Array<Buffer>(10).fill(pdf), 2)
  })
  assert.ok(joining >= 30, `${joining} turns`)
  const pages = (await PDFDocument.load(pdf)).getPageCount()
  assert.equal((await PDFDocument.load(joined)).getPageCount(), pages * 20)
})
