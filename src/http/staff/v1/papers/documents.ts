import type { FastifyInstance } from 'fastify'
import type { Paper } from '../../../../documents/papers/paper.ts'
import type { Database } from '../../../../platform/db/connection.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { type Timestamp, toTimestamp } from '../../../../platform/kernel/moscow-time.ts'
import { findCount, ownerOfCount } from '../../../../warehouse/counts/queries.ts'
import { photosOfAct } from '../../../../warehouse/photos/photos-on-paper.ts'
import { findPickingTask, ownerOfPickingTask } from '../../../../warehouse/picking/queries.ts'
import {
  findStaffReceipt,
  type ReceiptViewer,
  receiptOwner,
} from '../../../../warehouse/receipts/staff-queries.ts'
import {
  findReturnBatchContent,
  ownerOfReturnBatch,
} from '../../../../warehouse/returns/batch-queries.ts'
import {
  findStaffShipment,
  ownerOfShipment,
} from '../../../../warehouse/shipments/staff-queries.ts'
import { drawingMessages, paperAnswer, paperQuery, sendPaper } from '../../../files/paper-answer.ts'
import { paperPictures } from '../../../files/paper-photos.ts'
import { receiptPaper } from '../../../files/receipt-paper.ts'
import { found } from '../../../route/list.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { viewerOf } from '../receipts/receipts.ts'
import { countPaper, pickingPaper, returnPaper, shipmentPaper } from './papers.ts'

export interface PaperReader {
  readonly viewer: ReceiptViewer
  readonly at: Timestamp
}
/** A paper with the client whose object it is. */
export interface FoundPaper {
  readonly clientId: string
  readonly paper: Paper
}
type Find = (db: Database, id: string, reader: PaperReader) => Promise<FoundPaper>

/** Papers by kind: what an object of this kind is printed as. */
export const paperFinders = {
  receipt: async (db, id, { viewer }) => {
    const clientId = await receiptOwner(db, id, viewer)
    const receipt = found(await findStaffReceipt(db, clientId, id, viewer))
    return { clientId, paper: receiptPaper(receipt) }
  },
  return: async (db, id) => {
    const clientId = await ownerOfReturnBatch(db, id)
    const batch = found(await findReturnBatchContent(db, clientId, id))
    return { clientId, paper: returnPaper(batch) }
  },
  count: async (db, id, { viewer }) => {
    const clientId = await ownerOfCount(db, id)
    const reader = viewer.seesPending ? 'manager' : 'worker'
    const count = found(await findCount(db, clientId, id, reader))
    return { clientId, paper: countPaper(count) }
  },
  shipment: async (db, id) => {
    const clientId = await ownerOfShipment(db, id)
    const shipment = found(await findStaffShipment(db, clientId, id))
    return { clientId, paper: shipmentPaper(shipment) }
  },
  'picking-task': async (db, id, { at }) => {
    const clientId = await ownerOfPickingTask(db, id)
    const task = found(await findPickingTask(db, clientId, id, at))
    return { clientId, paper: pickingPaper(task) }
  },
} as const satisfies Readonly<Record<string, Find>>

export function finderOf(kind: string): Find | undefined {
  const finders: Readonly<Record<string, Find>> = paperFinders
  return Object.hasOwn(finders, kind) ? finders[kind] : undefined
}

/** Kinds of papers that end with the photos of their object. */
const photographed = ['receipt', 'return', 'count'] as const

export function addDocuments(
  app: FastifyInstance,
  { db, clock, photoStore }: StaffDependencies,
): void {
  const schema = staffOperation({
    id: 'getDocument',
    tag: 'Бумаги',
    summary: 'Документ для печати',
    description:
      'receipt — акт о расхождениях приёмки, return — акт о возврате, count — результат пересчёта, shipment — акт приёма-передачи ' +
      'отгрузки, picking-task — лист сборки. PDF, где в конце фото приёмки, возврата или пересчёта, а браузеру, который просит text/html, — страница для печати.',
    params: {
      kind: 'Вид: receipt, return, count, shipment или picking-task.',
      id: 'Идентификатор приёмки, приёма возвратов, пересчёта, отгрузки или задания на сборку.',
    },
    query: paperQuery,
    answers: { 200: paperAnswer },
    errors: ['bad_request', 'not_found', 'rate_limited'],
    messages: drawingMessages,
  })
  app.get<{ Params: { kind: string; id: string } }>(
    '/documents/:kind/:id',
    { schema },
    async (request, reply) => {
      const { kind, id } = request.params
      const find = finderOf(kind)
      const now = clock.now()
      return sendPaper(request, reply, now, async () => {
        if (find === undefined) throw notFound('Такого вида документов нет')
        const reader = { viewer: viewerOf(request), at: toTimestamp(now) }
        const { clientId, paper } = await find(db, id, reader)
        const of = photographed.find((each) => each === kind)
        if (of === undefined) return { paper }
        const subject = { clientId, kind: of, objectId: id }
        return {
          paper,
          photos: async () => paperPictures(photoStore, clientId, await photosOfAct(db, subject)),
        }
      })
    },
  )
}
