import type { FastifyInstance } from 'fastify'
import { covers } from '../../../../identity/staff/roles.ts'
import type { Queryable } from '../../../../platform/db/connection.ts'
import { invalidParameter } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { goodsByName, NamedGoodsList } from '../../../../warehouse/lookup/goods-by-name.ts'
import { lookUp } from '../../../../warehouse/lookup/lookup.ts'
import { CodeLookup, type LookupMatch } from '../../../../warehouse/lookup/view.ts'
import { rawQuery } from '../../../route/list.ts'
import { query, text } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { memberOn, ownScope } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { withPictures } from '../../pictures.ts'
import { withCompositions } from './products.ts'

const codeMax = 500
const lookupQuery = query({
  code: text({ description: 'Код, как его прочитал сканер или набрал человек.' }),
})

const namesMax = 200
const goodsQuery = query({
  name: text({ description: 'Начала слов названия: «круж кер» находит «Кружка керамическая».' }),
})

export function addLookup(app: FastifyInstance, dependencies: StaffDependencies): void {
  addCodes(app, dependencies)
  addNames(app, dependencies)
}

function addNames(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'findGoods',
    tag: 'Хранение',
    summary: 'Товары по названию',
    description: 'У всех действующих клиентов сразу, не больше 20: уточните, если нужного нет.',
    query: goodsQuery,
    answers: { 200: { description: 'Найденное.', schema: named(NamedGoodsList) } },
    errors: ['bad_request'],
  })
  app.get('/goods', { schema, config: { role: 'manager' } }, async (request) => {
    const { name = '' } = goodsQuery.parse(rawQuery(request))
    if (name.length > namesMax) {
      throw invalidParameter('name', `не больше ${namesMax} знаков, сократите его`)
    }
    return { items: await goodsByName(db, name, ownScope(request).warehouses) }
  })
}

function addCodes(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'lookUpCode',
    tag: 'Хранение',
    summary: 'Что это за код',
    description:
      'Товар (чей и где лежит), короб, паллета, место, заказ по номеру или этикетке, отгрузка, приёмка, ' +
      'код маркировки, возврат — у всех действующих клиентов сразу. Заявки, которые ещё не подтвердили, находят менеджеры.',
    query: lookupQuery,
    answers: { 200: { description: 'Чем оказался код.', schema: named(CodeLookup) } },
    errors: ['bad_request'],
  })
  app.get('/lookup', { schema }, async (request) => {
    const { code = '' } = lookupQuery.parse(rawQuery(request))
    if (code.length > codeMax) {
      throw invalidParameter('code', `не больше ${codeMax} знаков, отсканируйте код ещё раз`)
    }
    if (code.trim() === '') return { code, matches: [] }
    const withRequests = covers(memberOn(request).role, 'manager')
    const { matches, ...found } = await lookUp(db, code, { ...ownScope(request), withRequests })
    return { ...found, matches: await shownGoods(db, matches) }
  })
}

/** Goods with their pictures, and with their parts where they are sets: a worker can put them together at the shelf. */
function shownGoods(db: Queryable, matches: readonly LookupMatch[]): Promise<LookupMatch[]> {
  return Promise.all(
    matches.map(async (match) => {
      const { kind, client_id: clientId, barcode } = match
      if (kind !== 'goods' || clientId === null || barcode == null) return match
      const pictured = await withPictures(db, clientId, [{ barcode }])
      const [goods] = await withCompositions(db, clientId, pictured)
      return { ...match, ...goods }
    }),
  )
}
