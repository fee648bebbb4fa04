import type { FakeAnswer, FakeCall } from './fake.ts'
import { type Answer, check, listIn, problem, type Question } from './ozon-answers.ts'
import type { Order } from './ozon-state.ts'

/** What the fake OZON answers of labels: at once, or by tasks whose files are to be fetched. */

export const labelRoutes: Readonly<Record<string, Answer>> = {
  '/v2/posting/fbs/package-label': labels,
  '/v3/posting/fbs/package-label/create': createTasks,
  '/v2/posting/fbs/package-label/get': task,
}

function pdfOf(ids: readonly string[]): FakeAnswer {
  const bytes = Buffer.from(`%PDF-1.4\n% ${ids.join(' ')}\n%%EOF\n`)
  return { bytes, contentType: 'application/pdf' }
}

function ordersIn(question: Question, name: string): Order[] {
  return listIn(question, name, 20).map((id) => {
    const order = question.seller.orders.get(id)
    check(order !== undefined, 404, 'POSTING_NOT_FOUND')
    return order
  })
}

function labels(question: Question): FakeAnswer {
  const orders = ordersIn(question, 'posting_number')
  for (const { supplier, hindrance } of orders) {
    check(supplier === 'awaiting_deliver', 400, 'INVALID_ARGUMENT')
    check(!hindrance.labelsLate, 400, "The next postings aren't ready")
  }
  return pdfOf(orders.map(({ id }) => id))
}

function createTasks(question: Question): FakeAnswer {
  const { seller, newNumber } = question
  const orders = ordersIn(question, 'posting_numbers')
  const ready = orders.filter(({ supplier }) => supplier === 'awaiting_deliver')
  const printable = ready.filter(({ hindrance }) => !hindrance.labelsLate)
  check(printable.length > 0, 400, 'NO_POSTINGS_FOR_BATCH_DOWNLOAD')
  const tasks = ['small_label', 'big_label'].map((task_type) => {
    const task_id = newNumber()
    seller.labelTasks.set(String(task_id), { type: task_type, orders: printable })
    return { task_id, task_type }
  })
  return { body: { tasks } }
}

function task({ seller, body, filesUrl }: Question): FakeAnswer {
  const found = seller.labelTasks.get(String(body.task_id))
  check(found !== undefined, 404, 'TASK_NOT_FOUND')
  const pending = found.orders.find(({ hindrance }) => hindrance.looks > 0)
  if (pending !== undefined) {
    pending.hindrance.looks -= 1
    return { body: { file_url: '', status: { code: 'in_progress' }, error: null } }
  }
  const [order] = found.orders
  const unprinted_postings = found.orders.flatMap(({ id, hindrance: { unprintable } }) =>
    unprintable === '' ? [] : { posting_number: id, message: unprintable },
  )
  const status = { code: 'completed', postings_count: found.orders.length, unprinted_postings }
  const file_url = `${filesUrl}/${found.type}/${order?.id}.pdf?signature=a%2Fb`
  return { body: { file_url, status, error: null } }
}

/** Files are anybody's who knows their address. */
export function answerAnybody({ method, path }: FakeCall): FakeAnswer {
  const [, id] = /^\/files\/big_label\/([^/]+)\.pdf$/.exec(path) ?? []
  if (method !== 'GET' || id === undefined) return { status: 401, body: problem(401) }
  return pdfOf([id])
}
