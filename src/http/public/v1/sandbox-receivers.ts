import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { moment, named } from '../../../platform/kernel/schema.ts'
import {
  addReceiver,
  answersMax,
  keptMax,
  readReceiver,
  receiversLimitMessage,
  receiversMax,
} from '../../../sandbox/receivers.ts'
import { callerOf } from '../../route/gate.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'
import { sellersBody } from '../request-body.ts'
import { refuseLiveKeys } from './sandbox-play.ts'

const answers = Type.Array(
  Type.String({
    pattern: '^(?:[2-5][0-9][0-9]|timeout)$',
    title: 'от 200 до 599 или timeout',
    examples: ['500'],
    description: 'Код ответа от 200 до 599 или timeout: ответа нет.',
  }),
  {
    minItems: 1,
    maxItems: answersMax,
    description: 'Ответы по порядку; последний повторяется дальше.',
  },
)

export const SandboxReceiverDraft = Type.Object(
  { answers },
  { $id: 'SandboxReceiverDraft', additionalProperties: false, description: 'Новый приёмник.' },
)

export const CreatedSandboxReceiver = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор приёмника.' }),
    url: Type.String({ description: 'Адрес для POST /v1/webhooks.' }),
  },
  { $id: 'CreatedSandboxReceiver', description: 'Приёмник создан.' },
)

export const SandboxReceiver = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор приёмника.' }),
    url: Type.String({ description: 'Адрес для POST /v1/webhooks.' }),
    answers,
    requests: Type.Array(
      Type.Object({
        at: moment('Когда пришёл.'),
        headers: Type.Record(Type.String(), Type.String(), { description: 'Заголовки.' }),
        body: Type.String({ description: 'Тело, как пришло: подпись считают от него.' }),
        signature_valid: Type.Boolean({ description: 'Подпись верна.' }),
        answer: Type.String({ description: 'Что ответил приёмник.' }),
      }),
      { description: `Что пришло, новые первыми, не больше ${keptMax}.` },
    ),
  },
  { $id: 'SandboxReceiver', description: 'Приёмник и что в него пришло.' },
)

export function addReceivers(app: FastifyInstance, dependencies: PublicDependencies): void {
  const { db, sandbox, receivers } = dependencies
  const createSchema = publicOperation({
    id: 'createSandboxReceiver',
    tag: 'Песочница',
    summary: 'Создать приёмник',
    description:
      'Сверх спецификации 1.1. Адрес, который принимает вебхуки этой песочницы и отвечает по списку. ' +
      'На webhook.ping он отвечает 204 и списка не тратит; timeout — неудача сразу, без ожидания. ' +
      `Доставки на него не покидают сервис. Не больше ${receiversMax}; сброс песочницы удаляет их.`,
    body: SandboxReceiverDraft,
    answers: { 201: { description: 'Создан.', schema: named(CreatedSandboxReceiver) } },
    errors: ['bad_request', 'validation_error', 'webhook_limit', 'sandbox_only'],
    messages: { webhook_limit: receiversLimitMessage },
  })
  app.post(
    '/sandbox/receivers',
    { schema: createSchema, onRequest: refuseLiveKeys },
    async (request, reply) => {
      const { clientId } = callerOf(request)
      const draft = sellersBody(SandboxReceiverDraft, request)
      const id = await sandbox.act(clientId, (work) => addReceiver(work, clientId, draft.answers))
      return reply.code(201).send({ id, url: receivers.addressOf(id) })
    },
  )

  const oneSchema = publicOperation({
    id: 'getSandboxReceiver',
    tag: 'Песочница',
    summary: 'Что пришло в приёмник',
    description:
      'Сверх спецификации 1.1. Запросы, которые пришли в приёмник: заголовки, тело, верна ли подпись ' +
      'и что он ответил.',
    params: { id: 'Идентификатор приёмника.' },
    answers: { 200: { description: 'Приёмник.', schema: named(SandboxReceiver) } },
    errors: ['not_found', 'sandbox_only'],
  })
  app.get<{ Params: { id: string } }>(
    '/sandbox/receivers/:id',
    { schema: oneSchema, onRequest: refuseLiveKeys },
    (request) => readReceiver(db, receivers, callerOf(request).clientId, request.params.id),
  )
}
