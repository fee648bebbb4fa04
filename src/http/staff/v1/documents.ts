import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { findCount, ownerOfCount } from '../../../counts/queries.ts'
import type { Database } from '../../../db/connection.ts'
import { notFound } from '../../../kernel/errors.ts'
import { type Timestamp, toTimestamp } from '../../../kernel/moscow-time.ts'
import { paperHtml } from '../../../papers/html.ts'
import type { Paper } from '../../../papers/paper.ts'
import { paperPdf } from '../../../papers/pdf.ts'
import { findPickingTask, ownerOfPickingTask } from '../../../picking/queries.ts'
import { findStaffReceipt, type ReceiptViewer, receiptOwner } from '../../../receipts/queries.ts'
import { findReturnBatchContent, ownerOfReturnBatch } from '../../../returns/batch-queries.ts'
import { findStaffShipment, ownerOfShipment } from '../../../shipments/staff-queries.ts'
import { found, rawQuery } from '../../list.ts'
import { oneOf, query } from '../../query.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { staffOperation } from '../operation.ts'
import { countPaper, pickingPaper, receiptPaper, returnPaper, shipmentPaper } from './papers.ts'
import { viewerOf } from './receipts.ts'

interface Reader {
  readonly viewer: ReceiptViewer
  readonly at: Timestamp
}
type Find = (db: Database, id: string, reader: Reader) => Promise<Paper>

/** Papers by kind: what an object of this kind is printed as. */
const papers: Readonly<Record<string, Find>> = {
  receipt: async (db, id, { viewer }) => {
    const clientId = await receiptOwner(db, id, viewer)
    return receiptPaper(found(await findStaffReceipt(db, clientId, id, viewer)))
  },
  return: async (db, id) => {
    const clientId = await ownerOfReturnBatch(db, id)
    return returnPaper(found(await findReturnBatchContent(db, clientId, id)))
  },
  count: async (db, id, { viewer }) => {
    const clientId = await ownerOfCount(db, id)
    const reader = viewer.seesPending ? 'manager' : 'worker'
    return countPaper(found(await findCount(db, clientId, id, reader)))
  },
  shipment: async (db, id) => {
    const clientId = await ownerOfShipment(db, id)
    return shipmentPaper(found(await findStaffShipment(db, clientId, id)))
  },
  'picking-task': async (db, id, { at }) => {
    const clientId = await ownerOfPickingTask(db, id)
    return pickingPaper(found(await findPickingTask(db, clientId, id, at)))
  },
}

const formats = ['pdf', 'html'] as const
const documentQuery = query({
  format: oneOf(formats, { description: 'Формат; без него решает заголовок Accept, иначе pdf.' }),
})

const types = ['application/pdf', 'text/html']
const negotiator = new Negotiator({ supportedValues: types })

export function addDocuments(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'getDocument',
    tag: 'Бумаги',
    summary: 'Документ для печати',
    description:
      'receipt — акт о расхождениях приёмки, return — акт о возврате, count — результат пересчёта, shipment — акт приёма-передачи ' +
      'отгрузки, picking-task — лист сборки. PDF, а браузеру, который просит text/html, — страница для печати.',
    params: {
      kind: 'Вид: receipt, return, count, shipment или picking-task.',
      id: 'Идентификатор приёмки, приёма возвратов, пересчёта, отгрузки или задания на сборку.',
    },
    query: documentQuery,
    answers: {
      200: {
        description: 'Документ.',
        media: {
          'application/pdf': Type.String({ format: 'binary' }),
          'text/html': Type.String(),
        },
      },
    },
    errors: ['bad_request', 'not_found'],
  })
  app.get<{ Params: { kind: string; id: string } }>(
    '/documents/:kind/:id',
    { schema },
    async (request, reply) => {
      const { kind, id } = request.params
      const { format } = documentQuery.parse(rawQuery(request))
      const find = Object.hasOwn(papers, kind) ? papers[kind] : undefined
      if (find === undefined) throw notFound('Такого вида документов нет')
      const now = clock.now()
      const paper = await find(db, id, { viewer: viewerOf(request), at: toTimestamp(now) })
      const wanted = format ?? formatOf(request.headers.accept)
      reply.header('Vary', 'Accept').header('Content-Security-Policy', policy)
      if (wanted === 'html') return reply.type('text/html; charset=utf-8').send(paperHtml(paper))
      return reply.type('application/pdf').send(paperPdf(paper, new Date(now)))
    },
  )
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-modals"

function formatOf(accept: string | undefined): 'pdf' | 'html' {
  const type = accept === undefined ? null : negotiator.negotiate(accept)
  return type === 'text/html' ? 'html' : 'pdf'
}
