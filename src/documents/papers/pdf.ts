import type { Readable } from 'node:stream'
import type PDFDocument from 'pdfkit'
import { nextTurn } from '../../platform/concurrency/loop-turns.ts'
import { drawable } from './drawable.ts'
import { drawing, fontFile } from './drawing.ts'
import type { Paper, PaperColumn, PaperTable } from './paper.ts'

/**
 * A paper as PDF on A4, drawn row by row in turns with whatever else the process does. `pdfkit` hands it out while it is
 * drawn; `pdfmake` would hold the whole document in memory.
 */
export function paperPdf(
  paper: Paper,
  now: Date,
  photos: readonly PaperPhoto[] = [],
): Promise<Readable> {
  const rows = paper.tables.reduce((sum, table) => sum + table.rows.length, 0)
  return drawing(rows + photos.length * rowsOfPhoto, () => drawPaper(paper, now, photos))
}

/** A JPEG behind the paper. */
export interface PaperPhoto {
  readonly caption: string
  readonly bytes: Buffer
}

/** A photo is as large as this many rows: a paper with some is a large one. */
const rowsOfPhoto = 10

async function drawPaper(
  { title, facts, tables, notes, signatures }: Paper,
  now: Date,
  photos: readonly PaperPhoto[],
): Promise<Readable> {
  // Loaded with the first paper: it is large, and most processes print none.
  const { default: PdfKit } = await import('pdfkit')
  await nextTurn()
  const page = new PdfKit({ size: 'A4', margin, info: { Title: title, CreationDate: now } })
  page.registerFont(regular, fontFile('regular'))
  page.registerFont(bold, fontFile('bold'))
  page.font(bold).fontSize(16).text(drawable(title)).moveDown(0.5)
  page.fontSize(10)
  for (const [label, value] of facts) {
    page.font(regular).text(`${label}: `, { continued: true }).font(bold).text(drawable(value))
  }
  for (const table of tables) await drawTable(page, table)
  page.font(regular).fontSize(10).moveDown()
  for (const note of notes) page.text(drawable(note), margin)
  for (const who of signatures) {
    if (page.y > bottomOf(page) - 40) page.addPage()
    page.moveDown(1.5).text(`${drawable(who)} ____________________________`, margin)
  }
  for (const photo of photos) await drawPhoto(page, photo)
  await nextTurn()
  page.end()
  return page
}

const margin = 42
const padding = 3
const [regular, bold] = ['regular', 'bold']

type Page = InstanceType<typeof PDFDocument>

const bottomOf = (page: Page) => page.page.height - margin

async function drawTable(page: Page, { title, columns, rows }: PaperTable): Promise<void> {
  if (page.y > bottomOf(page) - 80) page.addPage()
  page.moveDown().font(bold).fontSize(12).text(drawable(title), margin).moveDown(0.3)
  const widths = widthsOf(columns, page.page.width - 2 * margin)
  const titles = columns.map((column) => column.title)
  const height = heightOf(page, widths, titles)
  const drawTitles = () => drawRow(page, { columns, widths, row: titles, height, font: bold })
  drawTitles()
  const shown = rows.length === 0 ? [columns.map((_, index) => (index === 0 ? 'нет' : ''))] : rows
  for (const row of shown) {
    await nextTurn()
    const height = heightOf(page, widths, row)
    if (page.y + height > bottomOf(page)) {
      page.addPage()
      drawTitles()
    }
    drawRow(page, { columns, widths, row, height, font: regular })
  }
}

/** On a page of its own. */
async function drawPhoto(page: Page, { caption, bytes }: PaperPhoto): Promise<void> {
  await nextTurn()
  page.addPage().font(bold).fontSize(12).text(drawable(caption), margin).moveDown(0.5)
  const fit: [number, number] = [page.page.width - 2 * margin, bottomOf(page) - page.y]
  page.image(bytes, margin, page.y, { fit })
}

function widthsOf(columns: readonly PaperColumn[], width: number): number[] {
  const sum = columns.reduce((total, { share }) => total + share, 0)
  return columns.map(({ share }) => (share / sum) * width)
}

function heightOf(page: Page, widths: readonly number[], row: readonly string[]): number {
  page.font(bold).fontSize(9)
  const heights = row.map((cell, index) =>
    page.heightOfString(drawable(cell), { width: (widths[index] ?? 0) - 2 * padding }),
  )
  return Math.min(Math.max(...heights), 200) + 2 * padding
}

interface DrawnRow {
  readonly columns: readonly PaperColumn[]
  readonly widths: readonly number[]
  readonly row: readonly string[]
  readonly height: number
  readonly font: string
}

function drawRow(page: Page, { columns, widths, row, height, font }: DrawnRow): void {
  const top = page.y
  let left = margin
  page.font(font).fontSize(9).lineWidth(0.5)
  for (const [index, cell] of row.entries()) {
    const width = widths[index] ?? 0
    page.rect(left, top, width, height).stroke('#999999')
    page.fillColor('black').text(drawable(cell), left + padding, top + padding, {
      width: width - 2 * padding,
      height: height - padding,
      align: columns[index]?.isNumber ? 'right' : 'left',
    })
    left += width
  }
  page.x = margin
  page.y = top + height
}
