import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { hasBadText } from '../../../platform/kernel/json.ts'
import { named } from '../../../platform/kernel/schema.ts'
import {
  findStockItem,
  listStock,
  stockSelections,
  stockVersion,
} from '../../../warehouse/stock/queries.ts'
import { findUnitsInQuestion, UnitsInQuestion } from '../../../warehouse/stock/units-in-question.ts'
import { StockItem } from '../../../warehouse/stock/view.ts'
import { earlyRead } from '../../route/early-read.ts'
import { callerOf } from '../../route/gate.ts'
import { found, openList, pageSchema, rawQuery } from '../../route/list.ts'
import { filledText, longPages, oneOf, query, text } from '../../route/query.ts'
import { isLong } from '../../server/compression.ts'
import { entityTag, isHeld, type TaggedAnswer } from '../../server/entity-tag.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

export const StockItemPage = pageSchema(StockItem, 'StockItemPage', 'Страница остатков.')

export const UnitsInQuestionList = Type.Object(
  {
    items: Type.Array(named<UnitsInQuestion>(UnitsInQuestion), {
      description: 'По причинам, давние первыми; вместе — in_question товара.',
    }),
  },
  { $id: 'UnitsInQuestionList', description: 'Единицы товара под вопросом.' },
)

/** White space alone filters nothing. */
function wordsOf(more = ''): ReturnType<typeof filledText> {
  const words = filledText({
    description:
      'Сверх спецификации 1.1. Слова из названия, артикула или штрихкода товара: в любом порядке и регистре, ' +
      `с е вместо ё, в любой раскладке клавиатуры.${more}`,
    max: 100,
  })
  return { ...words, read: (name, given) => words.read(name, given)?.trim() || undefined }
}

export const goodsWords = wordsOf()
export const orderedWords = wordsOf(
  ' Товар в любой строке заказа; total с ними считается до 10 000.',
)

export const stockFilters = {
  barcode: text({ description: 'Точный штрихкод.' }),
  search: text({
    description: 'Часть названия или артикула, без учёта регистра; е и ё — одно и то же.',
  }),
  words: goodsWords,
  selection: oneOf(stockSelections, {
    description:
      'Сверх спецификации 1.1. Только товары с единицами под вопросом (`in_question`) или те, которых ' +
      'маркетплейс показывает больше, чем доступно (`shows_more`): сумма `marketplace_stock` одного ' +
      'маркетплейса больше `available`, а у набора — и с теми, что соберутся из частей (`parts_allow` в `GET /v1/goods`).',
  }),
}
export const stockQuery = query({ ...stockFilters, ...longPages })

export function addStock(app: FastifyInstance, dependencies: PublicDependencies): void {
  addStockList(app, dependencies)
  addStockItem(app, dependencies)
  addUnitsInQuestion(app, dependencies)
}

function addStockList(app: FastifyInstance, { db, cursors }: PublicDependencies): void {
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
  const tags = openStockTags()
  const polledVersion = earlyRead(db, async (tag, client, { headers }) =>
    headers['if-none-match'] === undefined ? undefined : stockVersion(tag, client),
  )
  const listOptions = { schema: listSchema, config: { early: polledVersion } }
  app.get('/stock', listOptions, async (request, reply) => {
    const { clientId } = callerOf(request)
    const parameters = stockQuery.parse(rawQuery(request))
    const { barcode, words, selection } = parameters
    const filter = { barcode, search: parameters.search || undefined, words, selection }
    const list = openList(cursors, clientId, 'stock', parameters, filter)
    const name = JSON.stringify([clientId, filter, parameters.limit, parameters.cursor])
    // Read before the page: a change in between makes the next call look again, never too little.
    const version = await polledVersion.resultFor(request, clientId)
    const known = version === undefined ? undefined : tags.get(name, version)
    if (known !== undefined && isHeld(request, known)) return notModified(request, reply, known)
    const page = await listStock(db, clientId, filter, list.request)
    const body = JSON.stringify(list.answer(page))
    const made = { tag: digest(body), isCompressed: isLong(Buffer.byteLength(body)) }
    if (version !== undefined) tags.set(name, version, made)
    if (isHeld(request, made)) return notModified(request, reply, made)
    reply.header('ETag', entityTag(request, made))
    return reply.type('application/json; charset=utf-8').send(body)
  })
}

function addStockItem(app: FastifyInstance, { db }: PublicDependencies): void {
  const itemSchema = publicOperation({
    id: 'getStockItem',
    tag: 'Остатки',
    summary: 'Остаток одного товара',
    description: 'Товар по точному штрихкоду.',
    params: { barcode: 'Штрихкод, закодированный для адреса.' },
    answers: { 200: { description: 'Остаток товара.', schema: named(StockItem) } },
    errors: ['not_found'],
  })
  const item = earlyRead(db, async (tag, client, { params }) => {
    const { barcode } = params as { barcode: string }
    return hasBadText(barcode) ? undefined : findStockItem(tag, client, barcode)
  })
  const itemOptions = { schema: itemSchema, config: { early: item } }
  app.get('/stock/:barcode', itemOptions, async (request) =>
    found(await item.resultFor(request, callerOf(request).clientId)),
  )
}

function addUnitsInQuestion(app: FastifyInstance, { db }: PublicDependencies): void {
  const questionSchema = publicOperation({
    id: 'getUnitsInQuestion',
    tag: 'Остатки',
    summary: 'Что под вопросом',
    description:
      'Сверх спецификации 1.1. Из чего складывается in_question товара: по причинам, давние первыми.',
    params: { barcode: 'Штрихкод, закодированный для адреса.' },
    answers: { 200: { description: 'Единицы под вопросом.', schema: named(UnitsInQuestionList) } },
    errors: ['not_found'],
  })
  app.get<{ Params: { barcode: string } }>(
    '/stock/:barcode/in-question',
    { schema: questionSchema },
    async (request) => {
      const { barcode } = request.params
      if (hasBadText(barcode)) return found(undefined)
      const { clientId } = callerOf(request)
      return { items: found(await findUnitsInQuestion(db, clientId, barcode)) }
    },
  )
}

const tagsMax = 10_000
/** Characters; a longer request has a long search text, and its answer is made again for each poll. */
const nameMax = 500

/**
 * The tags of the answers that this process has made for polls, by request and version of the client's stock. So the next
 * poll of unchanged stock only looks at the version. The least recently asked ones are forgotten.
 */
function openStockTags() {
  const tags = new Map<string, TaggedAnswer & { readonly version: number }>()
  return {
    get(name: string, version: number): TaggedAnswer | undefined {
      const known = tags.get(name)
      if (known?.version !== version) return undefined
      tags.delete(name)
      tags.set(name, known)
      return known
    },
    set(name: string, version: number, tag: TaggedAnswer): void {
      if (name.length > nameMax) return
      tags.delete(name)
      tags.set(name, { ...tag, version })
      if (tags.size > tagsMax) tags.delete(tags.keys().next().value ?? '')
    },
  }
}

/** Equal answers have equal tags, in every process. */
function digest(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, 27)
}

function notModified(request: FastifyRequest, reply: FastifyReply, answer: TaggedAnswer) {
  reply.header('ETag', entityTag(request, answer)).header('Vary', 'Accept-Encoding')
  return reply.code(304).send()
}
