import { nextTurn } from '../../platform/concurrency/loop-turns.ts'
import { drawing } from './drawing.ts'

/** Loaded with the first document: it is large, and most processes join none. */
const load = () => import('@cantoo/pdf-lib')

/**
 * Joins PDFs into one, each as often as `copies` says. Its callers bound the sizes: the whole document is in memory.
 * Throws for one that can't be read.
 */
export function joinPdfs(documents: readonly Uint8Array[], copies = 1): Promise<Buffer> {
  return drawing(documents.length * copies, () => join(documents, copies))
}

async function join(documents: readonly Uint8Array[], copies: number): Promise<Buffer> {
  const { PDFDocument } = await load()
  const joined = await PDFDocument.create()
  for (const bytes of documents) {
    await nextTurn()
    const document = await PDFDocument.load(bytes, { updateMetadata: false })
    for (let copy = 0; copy < copies; copy++) {
      await nextTurn()
      const pages = await joined.copyPages(document, document.getPageIndices())
      for (const page of pages) joined.addPage(page)
    }
  }
  return Buffer.from(await joined.save())
}

/** Whether a document can be joined with others. */
export async function isPdf(bytes: Uint8Array): Promise<boolean> {
  const { PDFDocument } = await load()
  await nextTurn()
  try {
    return (await PDFDocument.load(bytes, { updateMetadata: false })).getPageCount() > 0
  } catch {
    return false
  }
}
