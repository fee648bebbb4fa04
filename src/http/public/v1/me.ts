import type { FastifyInstance } from 'fastify'
import { Me, readIdentity } from '../../../access/identity.ts'
import { named } from '../../../kernel/schema.ts'
import { keyCallerOf, lastUseOf } from '../../gate.ts'
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
  app.get('/me', { schema }, (request) => {
    const caller = keyCallerOf(request)
    return readIdentity(db, caller.clientId, caller.keyId, lastUseOf(calls, caller))
  })
}
