import type { FakeCall, FakeResponse } from './fake.ts'
import { check, listIn, type OzonHandler, type OzonRequest, problem } from './ozon-request.ts'
import type { Order } from './ozon-state.ts'

/** The label calls of the fake OZON: tasks, whose files are downloaded. */

export const labelRoutes: Readonly<Record<string, OzonHandler>> = {
  '/v3/posting/fbs/package-label/create': createTasks,
  '/v2/posting/fbs/package-label/get': task,
}

/** A label for each box. */
function labelsOf({ id, boxes }: Pick<Order, 'id' | 'boxes'>): string[] {
  return Array.from({ length: boxes }, (_, at) => `${id}-${at + 1}/${boxes}`)
}

function pdfOf(ids: readonly string[]): FakeResponse {
  const kids = ids.map((_, at) => `${at + 3} 0 R`).join(' ')
  const page = (id: string) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 213 340]/Label(${id})/Resources<<>>>>`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${ids.length}>>`,
    ...ids.map(page),
  ]
  const listed = objects.map((object, at) => `${at + 1} 0 obj${object}endobj\n`).join('')
  const end = `trailer<</Root 1 0 R/Size ${objects.length + 1}>>\nstartxref\n0\n%%EOF\n`
  const bytes = Buffer.from(`%PDF-1.4\n% ${ids.join(' ')}\n${listed}${end}`)
  return { bytes, contentType: 'application/pdf' }
}

function ordersIn(request: OzonRequest, name: string): Order[] {
  return listIn(request, name, 20).map((id) => {
    const order = request.seller.orders.get(id)
    check(order !== undefined, 404, 'POSTING_NOT_FOUND')
    return order
  })
}

function createTasks(request: OzonRequest): FakeResponse {
  const { seller, newNumber } = request
  const orders = ordersIn(request, 'posting_numbers')
  const ready = orders.filter(({ supplier }) => supplier === 'awaiting_deliver')
  const printable = ready.filter(({ faults }) => !faults.labelPending)
  check(printable.length > 0, 400, 'NO_POSTINGS_FOR_BATCH_DOWNLOAD')
  const tasks = ['small_label', 'big_label'].map((task_type) => {
    const task_id = newNumber()
    seller.labelTasks.set(String(task_id), { type: task_type, orders: printable })
    return { task_id, task_type }
  })
  return { body: { tasks } }
}

function task({ seller, body, filesUrl }: OzonRequest): FakeResponse {
  const found = seller.labelTasks.get(String(body.task_id))
  check(found !== undefined, 404, 'TASK_NOT_FOUND')
  const pending = found.orders.find(({ faults }) => faults.pendingPolls > 0)
  if (pending !== undefined) {
    pending.faults.pendingPolls -= 1
    const status = {
      code: 'pending',
      postings_count: found.orders.length,
      printed_postings_count: 0,
      unprinted_postings: [],
    }
    return { body: { file_url: '', status, error: null } }
  }
  const [order] = found.orders
  const unprinted_postings = found.orders.flatMap(({ id, faults: { unprintable } }) =>
    unprintable === '' ? [] : { posting_number: id, message: unprintable },
  )
  const status = {
    code: 'completed',
    postings_count: found.orders.length,
    printed_postings_count: found.orders.length - unprinted_postings.length,
    unprinted_postings,
  }
  const boxes = order?.boxes ?? 1
  const file_url = `${filesUrl}/${found.type}/${order?.id}.pdf?signature=a%2Fb&boxes=${boxes}`
  return { body: { file_url, status, error: { code: '', message: '' } } }
}

/** Everybody who knows the address of a file may download it. */
export function respondToAnybody({ method, path, query }: FakeCall): FakeResponse {
  const [, id] = /^\/files\/big_label\/([^/]+)\.pdf$/.exec(path) ?? []
  if (method !== 'GET' || id === undefined) return { status: 401, body: problem(401) }
  return pdfOf(labelsOf({ id, boxes: Number(query.boxes) }))
}
