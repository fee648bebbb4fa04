import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { DeliveryAttempt, listAttempts } from '../../../../exchange/webhooks/attempts.ts'
import { listWebhooks, ownerOfSubscription } from '../../../../exchange/webhooks/queries.ts'
import { Webhook } from '../../../../exchange/webhooks/view.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { query, shortPages } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { clientInPath, clientParams } from './clients.ts'

export const AttemptPage = pageSchema(DeliveryAttempt, 'AttemptPage', 'Страница попыток.')

export const ClientWebhooks = Type.Object(
  {
    items: Type.Array(named<Webhook>(Webhook), { description: 'Новые первыми, не больше десяти.' }),
  },
  { $id: 'ClientWebhooks', description: 'Подписки клиента.' },
)

const attemptsQuery = query(shortPages)

export function addWebhookAttempts(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listAttempts',
    tag: 'Журналы',
    summary: 'Попытки доставки',
    description:
      'Каждая попытка подписки: сначала новые доставки, у каждой — сначала последняя попытка. ' +
      '`total` считается до 100 000.',
    params: { id: 'Идентификатор подписки.' },
    query: attemptsQuery,
    answers: { 200: { description: 'Страница попыток.', schema: named(AttemptPage) } },
    errors: ['bad_request', 'bad_cursor', 'not_found'],
  })
  const config = { role: 'manager' } as const
  app.get<{ Params: { id: string } }>(
    '/webhooks/:id/attempts',
    { schema, config },
    async (request) => {
      const { id } = request.params
      const clientId = await ownerOfSubscription(db, id)
      const parameters = attemptsQuery.parse(rawQuery(request))
      const list = openList(cursors, 'staff', 'attempts', parameters, { webhook: id })
      return list.answer(await listAttempts(db, clientId, id, list.request))
    },
  )
}

export function addClientWebhooks(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listClientWebhooks',
    tag: 'Клиенты',
    summary: 'Подписки клиента',
    description: 'Куда уходят события клиента, работает ли подписка и почему отключена.',
    params: clientParams,
    answers: { 200: { description: 'Подписки.', schema: named(ClientWebhooks) } },
    errors: ['not_found'],
  })
  const config = { role: 'manager' } as const
  app.get<{ Params: { id: string } }>(
    '/clients/:id/webhooks',
    { schema, config },
    async (request) => ({
      items: await listWebhooks(db, await clientInPath(db, request.params.id)),
    }),
  )
}
