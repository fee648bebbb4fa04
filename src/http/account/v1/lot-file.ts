import type { FastifyInstance } from 'fastify'
import { moscowDate } from '../../../platform/kernel/moscow-time.ts'
import { listLots } from '../../../warehouse/stock/lot-queries.ts'
import { lotCells, lotColumns } from '../../files/lot-table.ts'
import { rowBatches, sendTable, tableAnswer, tableFormat } from '../../files/table-answer.ts'
import { lotFilters } from '../../public/v1/lots.ts'
import { rawQuery } from '../../route/list.ts'
import { query } from '../../route/query.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

const exportQuery = query({ ...lotFilters, format: tableFormat })

/** The expiry dates of a client's goods as a file. */
export function addAccountLotFile(
  app: FastifyInstance,
  { reports, clock }: AccountDependencies,
): void {
  const schema = accountOperation({
    id: 'exportAccountLots',
    tag: 'Остатки',
    summary: 'Выгрузить: сроки годности',
    description: 'Файл со всеми строками списка, с его фильтрами и в его порядке.',
    query: exportQuery,
    answers: { 200: tableAnswer },
    errors: ['bad_request'],
  })
  app.get('/exports/lots', { schema }, async (request, reply) => {
    const { format, ...filter } = exportQuery.parse(rawQuery(request))
    const { clientId } = visitorOn(request)
    const [source, now] = [await reports.database(), clock.now()]
    const asked = { client_id: clientId, ...filter }
    const batches = rowBatches((page) => listLots(source, asked, page, moscowDate(now)), lotCells)
    const table = { name: 'lots', title: 'Сроки годности', columns: lotColumns, format, batches }
    return sendTable(reply, now, table)
  })
}
