import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { admitAddress } from '../../../identity/keys/admission.ts'
import { bucketAddress } from '../../../platform/kernel/address.ts'
import { rateLimited } from '../../../platform/kernel/errors.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { answerRequestedError, callerOf, showBucket } from '../../route/gate.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'
import { refuseLiveKeys } from './sandbox-play.ts'

export const SandboxKey = Type.Object(
  {
    key: Type.String({
      description: 'Тестовый ключ. Нигде не хранится: потеряли — получите новый.',
    }),
    expires_after_idle: Type.String({
      description: 'Через сколько без запросов песочница вернётся к исходному сценарию.',
    }),
    docs: Type.String({ format: 'uri', description: 'Описание интерфейса.' }),
  },
  { $id: 'SandboxKey', description: 'Тестовый ключ.' },
)

export const SandboxMessage = Type.Object(
  { message: Type.String({ description: 'Что сделано.' }) },
  { $id: 'SandboxMessage', description: 'Итог действия.' },
)

export function addSandboxKeys(app: FastifyInstance, dependencies: PublicDependencies): void {
  const { db, sandbox, sandboxKeyBucket, docsUrl } = dependencies
  const keySchema = publicOperation({
    id: 'createSandboxKey',
    tag: 'Песочница',
    summary: 'Получить тестовый ключ',
    description:
      'Единственный вызов без ключа. Ключ открывает собственную копию вымышленного продавца: два ' +
      'кабинета, 24 товара, приёмки, отгрузки и заказы за 30 дней.',
    answers: { 201: { description: 'Тестовый ключ.', schema: named(SandboxKey) } },
    open: true,
  })
  /** Runs before the body is read. A refused call takes a token of the address's bucket too. */
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const { passed, bucket } = await admitAddress(db, sandboxKeyBucket, bucketAddress(request.ip))
    showBucket(reply, bucket)
    if (!passed) throw rateLimited(bucket.retryAfterSeconds)
    answerRequestedError(request, reply, 'test', bucket)
  }
  app.post(
    '/sandbox/keys',
    { schema: keySchema, config: { open: true }, onRequest: admit },
    async (_request, reply) => {
      const key = await sandbox.issueKey()
      reply.header('Cache-Control', 'no-store')
      return reply
        .code(201)
        .send({ key, expires_after_idle: `${sandbox.idleHours}h`, docs: docsUrl })
    },
  )
}

export function addSandboxReset(app: FastifyInstance, { sandbox }: PublicDependencies): void {
  const resetSchema = publicOperation({
    id: 'resetSandbox',
    tag: 'Песочница',
    summary: 'Вернуть песочницу к началу',
    description:
      'Данные ключа снова как в исходном сценарии; собственные заявки и подписки удаляются.',
    answers: { 200: { description: 'Готово.', schema: named(SandboxMessage) } },
    errors: ['sandbox_only'],
  })
  app.post(
    '/sandbox/reset',
    { schema: resetSchema, onRequest: refuseLiveKeys },
    async (request) => {
      await sandbox.reset(callerOf(request).clientId)
      return { message: 'Песочница возвращена к исходному сценарию' }
    },
  )
}
