import { CallError } from '../api/caller.ts'
import type { PrintJob } from '../api/staff-calls.ts'
import { staff } from '../staff/api.ts'

/** A job that was not printed; the message says why, in Russian. */
export class NotPrinted extends Error {}

const patienceMs = 45_000

export function contentOf({ id }: PrintJob): string {
  return `/staff/v1/print-jobs/${id}/content`
}

/**
 * Loads the content of a job into a frame and prints it. A browser that was started for it prints without a question;
 * another one asks, and goes on when the dialog is closed.
 */
export async function printIn(frame: HTMLIFrameElement, job: PrintJob): Promise<void> {
  if (!showsPdf() && (await isPdf(job))) throw new NotPrinted(noPdf)
  await loaded(frame, contentOf(job))
  const content = frame.contentDocument
  if (content?.contentType === 'application/json') {
    throw new NotPrinted(messageIn(content.body.textContent ?? ''))
  }
  frame.contentWindow?.focus()
  frame.contentWindow?.print()
}

const noPdf =
  'Это PDF, а браузер станции не показывает PDF: нажмите «Открыть» и напечатайте файл, или включите показ PDF'

/** A browser that saves a PDF instead of showing it cannot print it. */
function showsPdf(): boolean {
  return (navigator as { pdfViewerEnabled?: boolean }).pdfViewerEnabled !== false
}

async function isPdf({ id }: PrintJob): Promise<boolean> {
  try {
    const content: unknown = await staff('GET /print-jobs/{id}/content', { path: { id } })
    return content instanceof Blob && content.type === 'application/pdf'
  } catch (failure) {
    throw failure instanceof CallError ? new NotPrinted(failure.message) : failure
  }
}

function loaded(frame: HTMLIFrameElement, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new NotPrinted('Не загрузилось: маркетплейс или склад не отвечает'))
    const timer = setTimeout(late, patienceMs)
    frame.onload = () => {
      clearTimeout(timer)
      resolve()
    }
    frame.src = address
  })
}

function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    return 'Не загрузилось: склад ответил непонятно'
  }
}
