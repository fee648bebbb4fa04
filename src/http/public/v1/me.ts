import type { FastifyInstance } from 'fastify'
import { Me, readMe } from '../../../clients/me.ts'
import { named } from '../../../kernel/schema.ts'
import { callerOf, lastUseOf } from '../../gate.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { operation } from '../operation.ts'

export function addMe(app: FastifyInstance, { db, calls }: PublicDependencies): void {
  const schema = operation({
    id: 'getMe',
    tag: 'Ключ',
    summary: 'Кому принадлежит ключ',
    description: 'Юридическое лицо, его кабинеты, склад и сам ключ. Удобно для проверки связи.',
    answers: { 200: { description: 'Владелец ключа.', schema: named(Me) } },
  })
  app.get('/me', { schema }, (request) => {
    const caller = callerOf(request)
    return readMe(db, caller.clientId, caller.keyId, lastUseOf(calls, caller))
  })
}
