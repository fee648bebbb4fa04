import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { notFound, ServiceError } from '../../../kernel/errors.ts'
import { named, oneOfValues } from '../../../kernel/schema.ts'
import { touchedObjects } from '../../../sandbox/triggers/scene.ts'
import { playTrigger, triggerNames } from '../../../sandbox/triggers/triggers.ts'
import { callerOf } from '../../gate.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

export const SandboxTrigger = Type.Object(
  {
    trigger: oneOfValues(triggerNames, 'Имя ситуации.'),
    touched: Type.Array(
      Type.Object({
        object: oneOfValues(touchedObjects, 'Вид объекта.'),
        id: Type.String({ description: 'Его id; у остатка — штрихкод.' }),
      }),
      { description: 'Объекты, которые изменились; первый — тот, о котором ситуация.' },
    ),
    message: Type.String({ description: 'Что сделано.' }),
  },
  { $id: 'SandboxTrigger', description: 'Что произошло в песочнице.' },
)

/** Refuses live keys before the body is read. Throws sandbox_only. */
export async function refuseLiveKeys(request: FastifyRequest): Promise<void> {
  if (callerOf(request).mode !== 'test') throw new ServiceError('sandbox_only')
}

export function addTriggers(app: FastifyInstance, { sandbox }: PublicDependencies): void {
  const schema = publicOperation({
    id: 'playSandboxTrigger',
    tag: 'Песочница',
    summary: 'Сыграть ситуацию',
    description:
      'Сверх спецификации 1.1. Сразу приводит песочницу в названную ситуацию, с теми же событиями, что ' +
      'и в рабочем режиме. Повторять можно сколько угодно: чего не хватает, то появится. Ситуации ' +
      'перечислены во введении, в разделе «Песочница по команде».',
    params: { name: `Имя ситуации: ${triggerNames.join(', ')}.` },
    answers: { 200: { description: 'Сделано.', schema: named(SandboxTrigger) } },
    errors: ['not_found', 'sandbox_only'],
  })
  app.post<{ Params: { name: string } }>(
    '/sandbox/triggers/:name',
    { schema, onRequest: refuseLiveKeys },
    (request) => {
      const { clientId, keyId } = callerOf(request)
      const name = triggerNames.find((each) => each === request.params.name)
      if (name === undefined) {
        throw notFound(`Такой ситуации нет, возможны: ${triggerNames.join(', ')}`)
      }
      const requester = { clientId, keyId, requestId: request.id }
      return sandbox.act(clientId, (work) => playTrigger(work, requester, name))
    },
  )
}
