import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { hasBadText } from '../../../kernel/json.ts'
import { named } from '../../../kernel/schema.ts'
import { findStockItem, listStock, stockVersion } from '../../../stock/queries.ts'
import { StockItem } from '../../../stock/view.ts'
import { callerOf } from '../../gate.ts'
import { found, openList, pageSchema, rawQuery } from '../../list.ts'
import { cursorText, limit, query, text } from '../../query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

export const StockItemPage = pageSchema(StockItem, 'StockItemPage', 'Страница остатков.')

export const stockQuery = query({
  barcode: text({ description: 'Точный штрихкод.' }),
  search: text({
    description: 'Часть названия или артикула, без учёта регистра; е и ё — одно и то же.',
  }),
  limit: limit({ default: 100, max: 1000 }),
  cursor: cursorText(),
})

export function addStock(app: FastifyInstance, { db, cursors }: PublicDependencies): void {
  const listSchema = publicOperation({
    id: 'listStock',
    tag: 'Остатки',
    summary: 'Остатки на складе',
    description:
      'Все товары клиента по возрастанию штрихкода. Передайте ETag прошлого ответа в If-None-Match: ' +
      'если ничего не изменилось, ответ — 304 без тела.',
    query: stockQuery,
    requestHeaders: { 'If-None-Match': 'ETag прошлого ответа на такой же запрос.' },
    answers: {
      200: {
        description: 'Страница остатков.',
        schema: named(StockItemPage),
        headers: { ETag: { type: 'string', description: 'Версия ответа, для If-None-Match.' } },
      },
      304: { description: 'С прошлого ответа ничего не изменилось.' },
    },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/stock', { schema: listSchema }, async (request, reply) => {
    const { clientId } = callerOf(request)
    const parameters = stockQuery.parse(rawQuery(request))
    const filter = { barcode: parameters.barcode, search: parameters.search || undefined }
    const list = openList(cursors, clientId, 'stock', parameters, filter)
    // Read before the page: a change in between makes the ETag too old, never too new.
    const version = await stockVersion(db, clientId)
    const etag = etagOf(clientId, version, [filter, parameters.limit, parameters.cursor])
    reply.header('ETag', etag)
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return list.answer(await listStock(db, clientId, filter, list.request))
  })

  const itemSchema = publicOperation({
    id: 'getStockItem',
    tag: 'Остатки',
    summary: 'Остаток одного товара',
    description: 'Товар по точному штрихкоду.',
    params: { barcode: 'Штрихкод, закодированный для адреса.' },
    answers: { 200: { description: 'Остаток товара.', schema: named(StockItem) } },
    errors: ['not_found'],
  })
  app.get<{ Params: { barcode: string } }>(
    '/stock/:barcode',
    { schema: itemSchema },
    async (request) => {
      const { barcode } = request.params
      if (hasBadText(barcode)) return found(undefined)
      return found(await findStockItem(db, callerOf(request).clientId, barcode))
    },
  )
}

/** Increase it when the shape of the answer changes, so that old ETags stop matching. */
const answerVersion = 1

function etagOf(clientId: string, version: number, parameters: readonly unknown[]): string {
  const digest = hash(
    'sha256',
    JSON.stringify([answerVersion, clientId, version, parameters]),
    'base64url',
  )
  return `"${digest.slice(0, 27)}"`
}

/** If-None-Match is a list of ETags, weak (`W/`) or not, or a star that matches any. */
function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
