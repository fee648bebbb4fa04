import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { count, named } from '../../../platform/kernel/schema.ts'
import {
  averagedDays,
  Cover,
  type CoverFilter,
  countCover,
  coverDays,
  coverStates,
  listCover,
  lowDaysMax,
  usualLowDays,
} from '../../../warehouse/metrics/cover.ts'
import { coverFile } from '../../files/goods-tables.ts'
import { sendTable, summedRows, tableAnswer, tableFormat } from '../../files/table-answer.ts'
import { openList, pageSchema, rawQuery } from '../../route/list.ts'
import { oneOf, pages, query, wholeNumber } from '../../route/query.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** How long the goods of a client last: how many are in each state, the goods themselves, and as a file. */

const low_days = wholeNumber({
  default: usualLowDays,
  min: 1,
  max: lowDaysMax,
  description: 'low — товары, которых хватит меньше чем на столько суток.',
})
const state = oneOf(coverStates, { description: 'Только товары в этом состоянии.' })
const summaryQuery = query({ low_days })
const coverQuery = query({
  low_days,
  state,
  ...pages({ default: 50, max: 100 }),
})
const exportQuery = query({ low_days, state, format: tableFormat })

export const CoverSummary = Type.Object(
  {
    out: count('Закончились: за эти недели заказывали, а продавать нечего.'),
    low: count('Скоро закончатся.'),
    enough: count('Хватает.'),
    idle: count('Лежат, и никто не заказывает.'),
  },
  { $id: 'CoverSummary', description: 'Сколько товаров в каждом состоянии.' },
)

const words =
  `Сколько можно продать сейчас, делённое на средний спрос: заказанное за последние ${averagedDays} суток с остатком, ` +
  `из ${coverDays} последних, без отменённого.`

export function addAccountCover(app: FastifyInstance, dependencies: AccountDependencies): void {
  const { db, reports, clock, cursors } = dependencies
  const summarySchema = accountOperation({
    id: 'getAccountCover',
    tag: 'Остатки',
    summary: 'Сколько товаров заканчивается',
    description: words,
    query: summaryQuery,
    answers: { 200: { description: 'По состояниям.', schema: named(CoverSummary) } },
    errors: ['bad_request'],
  })
  app.get('/cover/summary', { schema: summarySchema }, (request) => {
    const asked = summaryQuery.parse(rawQuery(request))
    return countCover(db, visitorOn(request).clientId, clock.now(), asked.low_days)
  })

  const listSchema = accountOperation({
    id: 'listAccountCover',
    tag: 'Остатки',
    summary: 'На сколько хватит товаров',
    description: `${words} Сначала те, что закончатся раньше.`,
    query: coverQuery,
    answers: {
      200: {
        description: 'Страница товаров.',
        schema: named(pageSchema(Cover, 'CoverPage', 'На сколько хватит товаров.')),
      },
    },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/cover', { schema: listSchema }, async (request) => {
    const asked = coverQuery.parse(rawQuery(request))
    const { clientId } = visitorOn(request)
    const filter = filterOf(asked)
    const list = openList(cursors, clientId, 'cover', asked, { ...filter })
    return list.answer(await listCover(db, clientId, clock.now(), filter, list.request))
  })

  const exportSchema = accountOperation({
    id: 'exportAccountCover',
    tag: 'Остатки',
    summary: 'Выгрузить, на сколько хватит товаров',
    description: `Файл с товарами, с фильтрами списка. ${words}`,
    query: exportQuery,
    answers: { 200: tableAnswer },
    errors: ['bad_request'],
  })
  app.get('/exports/cover', { schema: exportSchema }, async (request, reply) => {
    const asked = exportQuery.parse(rawQuery(request))
    const now = clock.now()
    const { clientId } = visitorOn(request)
    const source = await reports.database()
    return sendTable(reply, now, {
      name: 'cover',
      title: 'Запас',
      columns: coverFile.columns,
      format: asked.format,
      batches: summedRows(
        (page) => listCover(source, clientId, now, filterOf(asked), page),
        coverFile.cells,
      ),
    })
  })
}

function filterOf(
  asked: ReturnType<typeof exportQuery.parse> | ReturnType<typeof coverQuery.parse>,
): CoverFilter {
  return { state: asked.state, lowDays: asked.low_days }
}
