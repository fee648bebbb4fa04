import type { FastifyInstance } from 'fastify'
import { ApiKey, findApiKey, listApiKeys, revokeApiKey } from '../../../identity/keys/api-keys.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { CallEntry, listCalls } from '../../../warehouse/journal/call-list.ts'
import { sellersBody } from '../../public/request-body.ts'
import { found, knownId, openList, pageSchema, rawQuery } from '../../route/list.ts'
import { longPages, query, range, shortPages, statusCode, text, time } from '../../route/query.ts'
import { changeInAccount, confirmUser } from '../change.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'
import { AccountConfirmation } from './security.ts'

export const AccountKeyPage = pageSchema(ApiKey, 'AccountKeyPage', 'Страница ключей.')
export const AccountCallPage = pageSchema(CallEntry, 'AccountCallPage', 'Страница журнала вызовов.')

const keysQuery = query(shortPages)
export const callFilters = {
  key_id: text({ description: 'Вызовы этого ключа.' }),
  status: statusCode,
  request_id: text({ description: 'Вызов с этим номером запроса (`X-Request-Id`).' }),
  created_from: time({ description: 'Не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Раньше этого времени.' }),
}
const callsQuery = query({ ...callFilters, ...longPages })

export function addAccountKeys(app: FastifyInstance, dependencies: AccountDependencies): void {
  const { db, cursors } = dependencies
  const listSchema = accountOperation({
    id: 'listAccountKeys',
    tag: 'Ключи',
    summary: 'Ключи',
    description:
      'Ключи клиента: начало и конец каждого и последний запрос. Выпускает ключи менеджер склада.',
    query: keysQuery,
    answers: { 200: { description: 'Страница.', schema: named(AccountKeyPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/keys', { schema: listSchema }, async (request) => {
    const { clientId } = visitorOn(request)
    const list = openList(cursors, clientId, 'keys', keysQuery.parse(rawQuery(request)), {})
    return list.answer(await listApiKeys(db, clientId, list.request))
  })

  const revokeSchema = accountOperation({
    id: 'revokeAccountKey',
    tag: 'Ключи',
    summary: 'Отозвать ключ',
    description: 'Со следующего запроса ключ получает 401 `key_revoked`. Повтор ничего не меняет.',
    params: { id: 'Идентификатор ключа.' },
    body: AccountConfirmation,
    answers: { 200: { description: 'Отозван.', schema: named(ApiKey) } },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.post<{ Params: { id: string } }>(
    '/keys/:id/revoke',
    { schema: revokeSchema },
    async (request) => {
      const { password } = sellersBody(AccountConfirmation, request)
      const id = knownId(request.params.id)
      const { clientId } = visitorOn(request)
      await confirmUser(dependencies, request, { password })
      return changeInAccount(dependencies, request, async (work) => {
        const before = await findApiKey(work.tx, clientId, id, true)
        await revokeApiKey(work, clientId, id)
        const after = found(await findApiKey(work.tx, clientId, id))
        return { answer: after, objectId: id, before, after }
      })
    },
  )
}

export function addAccountCalls(app: FastifyInstance, { db, cursors }: AccountDependencies): void {
  const schema = accountOperation({
    id: 'listAccountCalls',
    tag: 'Ключи',
    summary: 'Журнал вызовов',
    description:
      'Вызовы API ключами клиента, новые первыми; `total` считается до 100 000. Вызов появляется не позже ' +
      'чем через секунду.',
    query: callsQuery,
    answers: { 200: { description: 'Страница журнала.', schema: named(AccountCallPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/calls', { schema }, async (request) => {
    const { clientId } = visitorOn(request)
    const { limit, cursor, ...filter } = callsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, clientId, 'calls', { limit, cursor }, filter)
    const own = { client_id: clientId, ...filter }
    return list.answer(await listCalls(db, own, list.request, { all: false, warehouses: [] }))
  })
}
