import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import {
  ApiKey,
  changeApiKey,
  findApiKey,
  issueApiKey,
  listApiKeys,
  ownerOfKey,
  revokeApiKey,
} from '../../../../identity/keys/api-keys.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { findClient } from '../../../../warehouse/clients/clients.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { query, shortPages } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { addKeyRequests } from './key-requests.ts'

const name = Type.String({ minLength: 1, maxLength: 500, description: 'Имя: чья это интеграция.' })
const receiptsEnabled = Type.Boolean({
  description: 'Открыть ли ключу `POST /v1/receipts`; по умолчанию нет.',
})

export const ApiKeyDraft = Type.Object(
  { name, receipts_enabled: Type.Optional(receiptsEnabled) },
  { $id: 'ApiKeyDraft', additionalProperties: false, description: 'Новый ключ.' },
)
export const ApiKeyPatch = Type.Object(
  {
    name: Type.Optional(name),
    receipts_enabled: Type.Optional(
      Type.Boolean({ description: 'Открыт ли ключу `POST /v1/receipts`.' }),
    ),
  },
  { $id: 'ApiKeyPatch', additionalProperties: false, description: 'Что изменить.' },
)
export const IssuedApiKey = Type.Object(
  {
    ...ApiKey.properties,
    key: Type.String({ description: 'Сам ключ: показывается один раз.' }),
  },
  { $id: 'IssuedApiKey', description: 'Выпущенный ключ.' },
)
export const ApiKeyPage = pageSchema(ApiKey, 'ApiKeyPage', 'Страница ключей.')

const keysQuery = query(shortPages)
type IdParams = { Params: { id: string } }
const clientParams = { id: 'Идентификатор юридического лица.' }
const keyParams = { id: 'Идентификатор ключа.' }
const config = { role: 'manager' } as const
const changeConfig = { ...config, asksPassword: true } as const

export function addKeys(app: FastifyInstance, dependencies: StaffDependencies): void {
  addKeyList(app, dependencies)
  addKeyIssue(app, dependencies)
  addKeyChanges(app, dependencies)
  addKeyRequests(app, dependencies)
}

function addKeyList(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listKeys',
    tag: 'Клиенты',
    summary: 'Ключи клиента',
    description: 'Ключи, новые первыми, с отозванными. Значений нет: их не хранят.',
    params: clientParams,
    query: keysQuery,
    answers: { 200: { description: 'Страница ключей.', schema: named(ApiKeyPage) } },
    errors: ['bad_request', 'bad_cursor', 'not_found'],
  })
  app.get<IdParams>('/clients/:id/keys', { schema: listSchema, config }, async (request) => {
    const { id } = found(await findClient(db, request.params.id))
    const parameters = keysQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'keys', parameters, { client: id })
    return list.answer(await listApiKeys(db, id, list.request))
  })
}

function addKeyIssue(app: FastifyInstance, dependencies: StaffDependencies): void {
  const issueSchema = staffOperation({
    id: 'issueKey',
    tag: 'Клиенты',
    summary: 'Выпустить ключ',
    description: 'Ключ `svc_live_…` на все кабинеты клиента. Значение показывается один раз.',
    params: clientParams,
    body: ApiKeyDraft,
    answers: { 201: { description: 'Выпущен.', schema: named(IssuedApiKey) } },
    errors: ['password_required', 'bad_request', 'validation_error', 'not_found'],
  })
  app.post<IdParams>(
    '/clients/:id/keys',
    { schema: issueSchema, config: changeConfig },
    async (request, reply) => {
      const draft = bodyOf(ApiKeyDraft, request)
      const { id: clientId } = found(await findClient(dependencies.db, request.params.id))
      const issued = await change(dependencies, request, { clientId }, async (work) => {
        const { id, key } = await issueApiKey(work, clientId, {
          name: draft.name,
          receiptsEnabled: draft.receipts_enabled ?? false,
          cell: dependencies.cell,
        })
        const after = found(await findApiKey(work.tx, clientId, id))
        return { answer: { ...after, key }, made: { objectId: id, after } }
      })
      return reply.code(201).send(issued)
    },
  )
}

function addKeyChanges(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const subjectOf = async (id: string) => {
    const clientId = await ownerOfKey(db, id)
    const look = ({ tx }: Work) => findApiKey(tx, clientId, id, true)
    return { clientId, objectId: id, look }
  }

  const changeSchema = staffOperation({
    id: 'changeKey',
    tag: 'Клиенты',
    summary: 'Изменить ключ',
    description: 'Имя и право подавать заявки; действует со следующего запроса.',
    params: keyParams,
    body: ApiKeyPatch,
    answers: { 200: { description: 'Изменён.', schema: named(ApiKey) } },
    errors: ['password_required', 'bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.patch<IdParams>(
    '/keys/:id',
    { schema: changeSchema, config: changeConfig },
    async (request) => {
      const { name, receipts_enabled } = bodyOf(ApiKeyPatch, request)
      const subject = await subjectOf(request.params.id)
      const { clientId, objectId: id } = subject
      return change(dependencies, request, subject, async (work) => {
        const patch = { name, receiptsEnabled: receipts_enabled }
        const changed = await changeApiKey(work, clientId, id, patch)
        return { answer: found(await findApiKey(work.tx, clientId, id)), changed }
      })
    },
  )

  const revokeSchema = staffOperation({
    id: 'revokeKey',
    tag: 'Клиенты',
    summary: 'Отозвать ключ',
    description: 'Со следующего запроса ключ получает 401 `key_revoked`. Повтор ничего не меняет.',
    params: keyParams,
    answers: { 200: { description: 'Отозван.', schema: named(ApiKey) } },
    errors: ['password_required', 'not_found'],
  })
  app.post<IdParams>(
    '/keys/:id/revoke',
    { schema: revokeSchema, config: changeConfig },
    async (request) => {
      const subject = await subjectOf(request.params.id)
      const { clientId, objectId: id } = subject
      return change(dependencies, request, subject, async (work) => {
        const changed = await revokeApiKey(work, clientId, id)
        return { answer: found(await findApiKey(work.tx, clientId, id)), changed }
      })
    },
  )
}
