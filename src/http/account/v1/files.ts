import type { FastifyInstance } from 'fastify'
import { photosOfAct } from '../../../warehouse/photos/photos-on-paper.ts'
import { findReceipt } from '../../../warehouse/receipts/queries.ts'
import { listStock } from '../../../warehouse/stock/queries.ts'
import { stockFile } from '../../files/goods-tables.ts'
import { drawingMessages, paperAnswer, paperQuery, sendPaper } from '../../files/paper-answer.ts'
import { paperPictures } from '../../files/paper-photos.ts'
import { receiptPaper } from '../../files/receipt-paper.ts'
import { rowBatches, sendTable, tableAnswer, tableFormat } from '../../files/table-answer.ts'
import { stockFilters } from '../../public/v1/stock.ts'
import { found, knownId, rawQuery } from '../../route/list.ts'
import { query } from '../../route/query.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** What a person takes away from the account: the stock as a book, the act of a receipt as a paper. */

const exportQuery = query({ ...stockFilters, format: tableFormat })

export function addAccountFiles(
  app: FastifyInstance,
  { db, reports, clock, photoStore }: AccountDependencies,
): void {
  const stockSchema = accountOperation({
    id: 'exportAccountStock',
    tag: 'Остатки',
    summary: 'Выгрузить остатки',
    description: 'Файл со всеми остатками, с фильтрами списка.',
    query: exportQuery,
    answers: { 200: tableAnswer },
    errors: ['bad_request'],
  })
  app.get('/exports/stock', { schema: stockSchema }, async (request, reply) => {
    const { format, barcode, search, words, selection } = exportQuery.parse(rawQuery(request))
    const filter = { barcode, search: search || undefined, words, selection }
    const { clientId } = visitorOn(request)
    const source = await reports.database()
    return sendTable(reply, clock.now(), {
      name: 'stock',
      title: 'Остатки',
      columns: stockFile.columns,
      format,
      batches: rowBatches((page) => listStock(source, clientId, filter, page), stockFile.cells),
    })
  })

  const actSchema = accountOperation({
    id: 'getAccountReceiptAct',
    tag: 'Приёмки',
    summary: 'Акт о расхождениях',
    description:
      'Бумага, которую печатает и склад: PDF с фото приёмки в конце, а браузеру, который просит text/html, — страница для печати.',
    params: { id: 'Идентификатор приёмки.' },
    query: paperQuery,
    answers: { 200: paperAnswer },
    errors: ['bad_request', 'not_found'],
    messages: drawingMessages,
  })
  app.get<{ Params: { id: string } }>(
    '/receipts/:id/act',
    { schema: actSchema },
    (request, reply) => {
      const id = knownId(request.params.id)
      const { clientId, clientName } = visitorOn(request)
      return sendPaper(request, reply, clock.now(), async () => {
        const receipt = found(await findReceipt(db, clientId, id))
        const subject = { clientId, kind: 'receipt', objectId: id } as const
        return {
          paper: receiptPaper({ ...receipt, client_name: clientName }),
          photos: async () => paperPictures(photoStore, clientId, await photosOfAct(db, subject)),
        }
      })
    },
  )
}
