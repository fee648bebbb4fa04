import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Reports } from '../../platform/db/reports.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { midnight } from '../../platform/kernel/moscow-time.ts'
import { type ActWithLines, findActWithLines } from '../../warehouse/billing/act-lines.ts'
import { listCharges } from '../../warehouse/billing/charges.ts'
import { findAct } from '../../warehouse/billing/periods.ts'
import { found, rawQuery } from '../route/list.ts'
import { oneOf, query } from '../route/query.ts'
import { actColumns, actPaper, actRows } from './act-paper.ts'
import { chargeFile } from './client-tables.ts'
import { paperAnswer, sendPaper } from './paper-answer.ts'
import { rowBatches, sendTable, tableFormat } from './table-answer.ts'

/** The papers of an act: for people, for 1C, and all its charges. */

export const actFileQuery = query({
  format: oneOf(['pdf', 'html', '1c'], {
    description:
      'pdf, html — страница для печати, 1c — CSV для загрузки в 1С; без него решает заголовок Accept, иначе pdf.',
  }),
})
export const actChargesQuery = query({ format: tableFormat })

/** How an operation describes the file of an act. */
export const actFileAnswer = {
  description: 'Акт.',
  media: { ...paperAnswer.media, 'text/csv': Type.String() },
}
export const actFileText =
  'Первичный документ: реквизиты сторон, услуги с количеством, ценой и суммой, НДС, сумма прописью, подписи. Цены нет там, ' +
  'где она не одна. Для 1С — строка на услугу: CSV с «;», UTF-8 с BOM, дробная часть через запятую.'
export const actChargesText =
  'Файл со всеми начислениями акта: день, услуга, за что, количество, цена, сумма. Их сумма — сумма акта.'

interface ActDependencies {
  readonly reports: Reports
  readonly clock: Clock
}

interface ActNamed {
  readonly clientId: string
  readonly actId: string
}

export async function sendActFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { reports, clock }: ActDependencies,
  { clientId, actId }: ActNamed,
): Promise<FastifyReply> {
  const { format } = actFileQuery.parse(rawQuery(request))
  const read = async (): Promise<ActWithLines> =>
    found(await findActWithLines(await reports.database(), clientId, actId))
  if (format !== '1c') {
    return sendPaper(request, reply, clock.now(), async () => ({ paper: actPaper(await read()) }))
  }
  const act = await read()
  return sendTable(reply, clock.now(), {
    name: `act-${act.number}`,
    title: 'Акт',
    columns: actColumns,
    format: 'csv',
    batches: (async function* () {
      yield actRows(act)
    })(),
  })
}

export async function sendActCharges(
  request: FastifyRequest,
  reply: FastifyReply,
  { reports, clock }: ActDependencies,
  { clientId, actId }: ActNamed,
): Promise<FastifyReply> {
  const { format } = actChargesQuery.parse(rawQuery(request))
  const source = await reports.database()
  const { number, month, warehouse_code } = found(await findAct(source, clientId, actId))
  const filter = { period: midnight(month), warehouse: warehouse_code ?? undefined }
  return sendTable(reply, clock.now(), {
    name: `act-${number}-charges`,
    title: 'Начисления',
    columns: chargeFile.columns,
    format,
    batches: rowBatches((page) => listCharges(source, clientId, filter, page), chargeFile.cells),
  })
}
