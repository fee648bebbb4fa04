import type { FastifyInstance } from 'fastify'
import { idOfKeyHash } from '../../../identity/keys/api-keys.ts'
import { Me, readIdentity } from '../../../identity/keys/identity.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { earlyRead } from '../../route/early-read.ts'
import { keyCallerOf, lastUseOf } from '../../route/gate.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

export function addMe(app: FastifyInstance, { db, calls }: PublicDependencies): void {
  const schema = publicOperation({
    id: 'getMe',
    tag: 'Ключ',
    summary: 'Кому принадлежит ключ',
    description: 'Юридическое лицо, его кабинеты, склад и сам ключ. Удобно для проверки связи.',
    answers: { 200: { description: 'Владелец ключа.', schema: named(Me) } },
  })
  const identity = earlyRead(db, (tag, client, request, keyHash) =>
    readIdentity(
      tag,
      client,
      keyHash === undefined ? keyCallerOf(request).keyId : idOfKeyHash(tag, keyHash),
    ),
  )
  app.get('/me', { schema, config: { early: identity } }, async (request): Promise<Me> => {
    const caller = keyCallerOf(request)
    const { key, ...owner } = await identity.resultFor(request, caller.clientId)
    return { ...owner, key: { ...key, last_used_at: lastUseOf(calls, caller) } }
  })
}
