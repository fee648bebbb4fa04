import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { notFound, ServiceError } from '../../../platform/kernel/errors.ts'
import { count, named, oneOfValues } from '../../../platform/kernel/schema.ts'
import { advanceHoursMax, advanceSandbox } from '../../../sandbox/advance.ts'
import { touchedObjects } from '../../../sandbox/triggers/scene.ts'
import { playTrigger, triggerNames } from '../../../sandbox/triggers/triggers.ts'
import { requesterOn } from '../../route/caller-changes.ts'
import { callerOf } from '../../route/gate.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'
import { sellersBody } from '../request-body.ts'

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

export const SandboxAdvance = Type.Object(
  {
    hours: Type.Integer({
      minimum: 1,
      maximum: advanceHoursMax,
      description: 'Сколько часов склада проходит.',
    }),
  },
  {
    $id: 'SandboxAdvance',
    additionalProperties: false,
    description: 'На сколько продвинуть время склада.',
  },
)

export const SandboxAdvanced = Type.Object(
  {
    hours: Type.Integer({ description: 'Сколько часов прошло.' }),
    completed_receipts: count('Сколько ваших заявок посчитано.'),
    new_orders: count('Сколько заказов появилось.'),
    handed_over_shipments: count('Сколько отгрузок передано маркетплейсу.'),
    message: Type.String({ description: 'Что сделано.' }),
  },
  { $id: 'SandboxAdvanced', description: 'Что произошло за это время.' },
)

/** Refuses live keys before the body is read. Throws sandbox_only. */
export async function refuseLiveKeys(request: FastifyRequest): Promise<void> {
  if (callerOf(request).mode !== 'test') throw new ServiceError('sandbox_only')
}

const unknownTrigger = `Такой ситуации нет, возможны: ${triggerNames.join(', ')}`

export function addTriggers(app: FastifyInstance, { sandbox }: PublicDependencies): void {
  const schema = publicOperation({
    id: 'playSandboxTrigger',
    tag: 'Песочница',
    summary: 'Сыграть ситуацию',
    description:
      'Сверх спецификации 1.1. Сразу приводит песочницу в названную ситуацию, с теми же событиями, что ' +
      'и в рабочем режиме. Повторять можно сколько угодно: чего не хватает, то появится. Ситуации ' +
      'перечислены во введении, в разделе «Песочница по команде».',
    params: { name: { description: 'Имя ситуации.', enum: triggerNames } },
    answers: { 200: { description: 'Сделано.', schema: named(SandboxTrigger) } },
    errors: ['not_found', 'sandbox_only'],
    messages: { not_found: unknownTrigger },
  })
  app.post<{ Params: { name: string } }>(
    '/sandbox/triggers/:name',
    { schema, onRequest: refuseLiveKeys },
    (request) => {
      const { clientId } = callerOf(request)
      const name = triggerNames.find((each) => each === request.params.name)
      if (name === undefined) {
        throw notFound(unknownTrigger)
      }
      const requester = requesterOn(request)
      return sandbox.act(clientId, (work) => playTrigger(work, requester, name))
    },
  )
}

export function addAdvance(app: FastifyInstance, { sandbox, clock }: PublicDependencies): void {
  const schema = publicOperation({
    id: 'advanceSandbox',
    tag: 'Песочница',
    summary: 'Продвинуть время склада',
    description:
      'Сверх спецификации 1.1. Робот сразу проживает столько часов склада: считает ваши заявки, ' +
      'принимает новые заказы WB, собирает и передаёт отгрузки, доводит заказы до покупателей. У всего ' +
      'настоящее время вызова, события идут по порядку. Вызовы одной песочницы выполняются по очереди.',
    body: SandboxAdvance,
    answers: { 200: { description: 'Время прошло.', schema: named(SandboxAdvanced) } },
    errors: ['bad_request', 'validation_error', 'sandbox_only'],
  })
  app.post('/sandbox/advance', { schema, onRequest: refuseLiveKeys }, (request) => {
    const { clientId } = callerOf(request)
    const { hours } = sellersBody(SandboxAdvance, request)
    const requester = requesterOn(request)
    return sandbox.act(clientId, (work) => advanceSandbox(work, requester, hours, clock), {
      isLong: true,
    })
  })
}
