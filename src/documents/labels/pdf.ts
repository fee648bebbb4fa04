import type { Readable } from 'node:stream'
import type PDFDocument from 'pdfkit'
import { nextTurn } from '../../platform/concurrency/loop-turns.ts'
import { drawable } from '../papers/drawable.ts'
import { drawing, fontFile } from '../papers/drawing.ts'
import type { LabelCode, LabelPage, LabelText } from './page.ts'

/** Draws a label when its turn has come, so that memory holds the page of one at a time. */
export type LabelDrawer = () => LabelPage | Promise<LabelPage>

/**
 * Labels as one PDF, a page each; several of the same drawer in a row are drawn once. Bars are drawn as lines and areas,
 * so they stay sharp on every printer. Its callers bound the number of labels; a page takes about three kilobytes.
 */
export function labelsPdf(
  labels: readonly LabelDrawer[],
  title: string,
  now: Date,
): Promise<Readable> {
  return drawing(labels.length, async () => {
    // Loaded with the first document: it is large, and most processes print none.
    const { default: PdfKit } = await import('pdfkit')
    await nextTurn()
    const document = new PdfKit({
      autoFirstPage: false,
      info: { Title: title, CreationDate: now },
    })
    document.registerFont('regular', fontFile('regular'))
    let last: { readonly draw: LabelDrawer; readonly page: LabelPage } | undefined
    for (const draw of labels) {
      await nextTurn()
      if (last?.draw !== draw) last = { draw, page: await draw() }
      drawPage(document, last.page)
    }
    await nextTurn()
    document.end()
    return document
  })
}

type Document = InstanceType<typeof PDFDocument>

const pointsPerMm = 72 / 25.4

function drawPage(document: Document, { width, height, parts }: LabelPage): void {
  document.addPage({ size: [width * pointsPerMm, height * pointsPerMm], margin: 0 })
  document.scale(pointsPerMm)
  for (const part of parts) {
    if ('drawn' in part) drawCodeOn(document, part)
    else drawText(document, part)
  }
}

function drawText(document: Document, part: LabelText): void {
  const { x, y, size, width, anchor } = part
  const text = drawable(part.text)
  if (text === '') return
  document.font('regular').fontSize(size).fillColor('black')
  const wanted = document.widthOfString(text)
  if (wanted > width) document.fontSize((size * width) / wanted)
  const left = { start: 0, middle: 0.5, end: 1 }[anchor] * (width - Math.min(width, wanted))
  document.text(text, x + left, y, { lineBreak: false, baseline: 'alphabetic' })
}

function drawCodeOn(document: Document, code: LabelCode): void {
  document.save()
  document.translate(code.x, code.y).scale(code.width / code.columns, code.height / code.rows)
  for (const [, attributes = ''] of code.drawn.matchAll(/<path ([^>]*)\/>/g)) {
    const [, path = ''] = / ?d="([^"]*)"/.exec(attributes) ?? []
    const [, width] = /stroke-width="([\d.]+)"/.exec(attributes) ?? []
    document.path(path)
    if (width === undefined) document.fill('black', 'even-odd')
    else document.lineWidth(Number(width)).stroke('black')
  }
  document.restore()
}

/** Reads a document to its end. */
export async function bytesOfPdf(pdf: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of pdf) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
