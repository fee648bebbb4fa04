import type { Subject } from './fill.ts'

/** A request to the service, its counterpart at the baseline, and the status that both must answer. */
export interface Case {
  readonly name: string
  readonly status: number
  readonly service: Question
  readonly bare: Question
}

export interface Question {
  readonly paths: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface OrderPlace {
  readonly created_at: string
  readonly id: string
}

interface OrderPage {
  readonly items: readonly OrderPlace[]
  readonly total: number
  readonly next_cursor: string | null
}

type Ask = <Answer>(path: string) => Promise<{ body: Answer; etag: string | null }>

const dayMs = 24 * 60 * 60 * 1000

export async function prepareCases(ask: Ask, subject: Subject): Promise<Case[]> {
  const stock = await ask<{ items: { barcode: string }[] }>('/v1/stock?limit=1000')
  const barcodes = stock.body.items.map(({ barcode }) => barcode)
  const page = await ask('/v1/stock?limit=100')
  return [
    {
      name: 'stock, one item',
      status: 200,
      service: { paths: barcodes.map((barcode) => `/v1/stock/${barcode}`) },
      bare: { paths: barcodes.map((barcode) => `/stock/${barcode}`) },
    },
    pages('stock, page of 100', '/v1/stock?limit=100', '/stock?limit=100'),
    {
      name: 'stock, page of 100, unchanged (304)',
      status: 304,
      service: {
        paths: ['/v1/stock?limit=100'],
        headers: { 'If-None-Match': page.etag ?? '' },
      },
      bare: { paths: ['/stock-version'] },
    },
    ...(await orderCases(ask)),
    ...(await documentCases(ask)),
    { name: 'me', status: 200, service: { paths: ['/v1/me'] }, bare: { paths: ['/me'] } },
    metricsCase(30),
    metricsCase(366),
    ofTenth(metricsCase(366), subject),
    receiptCase(subject, barcodes),
  ]
}

/** Two cases whose requests must take as long, however many orders a client has; undefined where one of them is left out. */
export function metricsBesideTenth(cases: readonly Case[]): readonly [Case, Case] | undefined {
  const [all, tenth] = cases.filter(({ name }) => name.startsWith('metrics, 366 days'))
  return all && tenth && [all, tenth]
}

function pages(name: string, service: string, bare: string): Case {
  return { name, status: 200, service: { paths: [service] }, bare: { paths: [bare] } }
}

/** Reads the whole list once, as a seller's export does, to find the cursors of its last pages. */
async function orderCases(ask: Ask): Promise<Case[]> {
  const thousands = await walk(ask, '/v1/orders?limit=1000', undefined)
  const last = thousands.at(-1)
  const before = thousands.at(-2)
  if (last === undefined || before === undefined) throw new Error('too few orders for a walk')
  const hundreds = await walk(ask, '/v1/orders?limit=100', before)
  const lastHundred = hundreds.at(-2) ?? before
  const early = String(last.page.items[0]?.created_at)
  const old = encodeURIComponent(early)
  const ids = last.page.items.map(({ id }) => id)
  return [
    {
      name: 'order, one',
      status: 200,
      service: { paths: ids.map((id) => `/v1/orders/${id}`) },
      bare: { paths: ids.map((id) => `/orders/${id}`) },
    },
    pages('orders, page of 100, first', '/v1/orders?limit=100', '/orders?limit=100'),
    pages('orders, page of 100, last', ...following(100, lastHundred)),
    pages(
      'orders, page of 100, the oldest by created_to',
      `/v1/orders?limit=100&created_to=${old}`,
      `/orders?limit=100&before=${old}`,
    ),
    pages('orders, page of 1000, first', '/v1/orders?limit=1000', '/orders?limit=1000'),
    pages('orders, page of 1000, last', ...following(1000, before)),
  ]
}

/** Receipts and shipments: pages, and those of the first page one by one. */
async function documentCases(ask: Ask): Promise<Case[]> {
  const cases: Case[] = []
  for (const kind of ['receipt', 'shipment']) {
    const list = await ask<{ items: { id: string }[] }>(`/v1/${kind}s?limit=50`)
    const paths = list.body.items.map(({ id }) => `/${kind}s/${id}`)
    cases.push(pages(`${kind}s, page of 50`, `/v1/${kind}s?limit=50`, `/${kind}s?limit=50`), {
      name: `${kind}, one`,
      status: 200,
      service: { paths: paths.map((path) => `/v1${path}`) },
      bare: { paths },
    })
  }
  return cases
}

interface Stop {
  readonly page: OrderPage
  readonly cursor: string
}

async function walk(ask: Ask, path: string, from: Stop | undefined): Promise<Stop[]> {
  const stops: Stop[] = []
  let cursor = from?.cursor
  for (;;) {
    const next = cursor === undefined ? path : `${path}&cursor=${cursor}`
    const { body: page } = await ask<OrderPage>(next)
    stops.push({ page, cursor: page.next_cursor ?? '' })
    if (page.next_cursor === null) return stops
    cursor = page.next_cursor
  }
}

/** Paths of the page after a stop, at the service and at the baseline. */
function following(limit: number, { page, cursor }: Stop): [string, string] {
  const { created_at: at = '', id = '' } = page.items.at(-1) ?? {}
  return [
    `/v1/orders?limit=${limit}&cursor=${cursor}`,
    `/orders?limit=${limit}&at=${encodeURIComponent(at)}&id=${id}`,
  ]
}

function metricsCase(days: number): Case {
  const now = Date.now()
  const from = new Date(now - days * dayMs).toISOString()
  const to = new Date(now).toISOString()
  return pages(
    `metrics, ${days} days`,
    `/v1/metrics?from=${from}&to=${to}`,
    `/metrics?days=${days}`,
  )
}

/** The same of a client with a tenth of the orders. */
function ofTenth({ name, status, service, bare }: Case, { tenth }: Subject): Case {
  return {
    name: `${name}, a tenth of the orders`,
    status,
    service: { ...service, headers: { 'X-Api-Key': tenth.key } },
    bare: { paths: bare.paths.map((path) => `${path}&client=${tenth.clientId}`) },
  }
}

function receiptCase(subject: Subject, barcodes: readonly string[]): Case {
  const items = barcodes.slice(0, 5).map((barcode) => ({ barcode, qty: 10, honest_mark: false }))
  const body = JSON.stringify({ external_ref: '{ref}', cabinet_id: subject.cabinetId, items })
  const headers = { 'Content-Type': 'application/json' }
  return {
    name: 'receipt request, 5 lines',
    status: 201,
    service: { paths: ['/v1/receipts'], headers, body },
    bare: { paths: ['/receipts'], headers, body },
  }
}
