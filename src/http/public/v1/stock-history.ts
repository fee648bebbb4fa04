import type { FastifyInstance } from 'fastify'
import type { Queryable } from '../../../platform/db/connection.ts'
import { invalidParameter } from '../../../platform/kernel/errors.ts'
import type { Instant } from '../../../platform/kernel/moscow-time.ts'
import { named } from '../../../platform/kernel/schema.ts'
import {
  ledgerBeginning,
  listPastStock,
  PastStockItem,
} from '../../../warehouse/stock/past-stock.ts'
import { callerOf } from '../../route/gate.ts'
import { openList, pageSchema, rawQuery } from '../../route/list.ts'
import { longPages, query, requiredTime, text } from '../../route/query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

export const PastStockPage = pageSchema(
  PastStockItem,
  'PastStockPage',
  'Страница остатков в прошлый момент.',
)

const historyQuery = query({
  at: requiredTime({
    description:
      'На какой момент: не раньше первого движения товара и не позже текущего времени. Движения самого момента учтены.',
    example: '2026-11-01',
  }),
  barcode: text({ description: 'Точный штрихкод.' }),
  search: text({
    description: 'Часть названия или артикула, без учёта регистра; е и ё — одно и то же.',
  }),
  ...longPages,
})

/** Not below /stock/, where a barcode stands. */
export function addStockHistory(
  app: FastifyInstance,
  { db, clock, cursors }: PublicDependencies,
): void {
  const schema = publicOperation({
    id: 'listStockHistory',
    tag: 'Остатки',
    summary: 'Остатки на прошлый момент',
    description:
      'Сверх спецификации 1.1. Все товары клиента по возрастанию штрихкода с остатком на момент at, по журналу ' +
      'движений: для сверки с учётом на конец месяца. Названия и артикулы — сегодняшние. Чего журнал не знает ' +
      '(reserved, короба, паллеты, цифры маркетплейсов), того в ответе нет.',
    query: historyQuery,
    answers: { 200: { description: 'Страница остатков.', schema: named(PastStockPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/stock-history', { schema }, async (request) => {
    const { clientId } = callerOf(request)
    const { at, limit, cursor, ...goods } = historyQuery.parse(rawQuery(request))
    const list = openList(cursors, clientId, 'stock-history', { limit, cursor }, { at, ...goods })
    await refuseOutsideLedger(db, clientId, at, clock.now())
    return list.answer(await listPastStock(db, clientId, { at, ...goods }, list.request))
  })
}

/** Throws bad_request for what the ledger can't know. */
async function refuseOutsideLedger(
  db: Queryable,
  clientId: string,
  at: Instant,
  now: Instant,
): Promise<void> {
  if (at > now) throw invalidParameter('at', 'этот момент ещё не наступил')
  const beginning = await ledgerBeginning(db, clientId)
  if (beginning === undefined || at >= Date.parse(beginning)) return
  throw invalidParameter(
    'at',
    `журнал движений начинается ${beginning}: укажите это время или позже`,
  )
}
