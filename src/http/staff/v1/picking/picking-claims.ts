import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Work } from '../../../../platform/db/work.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { claimTask, releaseTask, takeOverTask } from '../../../../warehouse/picking/claims.ts'
import {
  findPickingTaskSummary,
  ownerOfPickingTask,
} from '../../../../warehouse/picking/queries.ts'
import { PickingTask } from '../../../../warehouse/picking/view.ts'
import { found } from '../../../route/list.ts'
import { bodyIfAny, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { memberOn } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'

export const TakeOver = Type.Object(
  {
    user_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Кому отдать; без него — себе.' }),
    ),
  },
  { $id: 'TakeOver', additionalProperties: false, description: 'Кому отдать задание.' },
)

type IdParams = { Params: { id: string } }
type ClaimVerb = (work: Work, clientId: string, taskId: string, userId: string) => Promise<boolean>
const params = { id: 'Идентификатор задания.' }
const answers = { 200: { description: 'Задание без строк.', schema: named(PickingTask) } }

/** Who collects a picking task. */
export function addPickingClaims(app: FastifyInstance, dependencies: StaffDependencies): void {
  const claimSchema = staffOperation({
    id: 'claimPickingTask',
    tag: 'Сборка',
    summary: 'Взять задание',
    description:
      'Пока задание занято, собирает его один пользователь. Оно освобождается через 30 минут после его ' +
      'последнего скана, когда он вышел или потерял доступ, и с закрытием отгрузки. Собирать можно и ' +
      'не занимая. Повтор ничего не меняет.',
    params,
    answers,
    errors: ['not_found', 'conflict', 'validation_error'],
  })
  app.post<IdParams>('/picking-tasks/:id/claim', { schema: claimSchema }, (request) =>
    run(dependencies, request, request.params.id, claimTask),
  )

  const releaseSchema = staffOperation({
    id: 'releasePickingTask',
    tag: 'Сборка',
    summary: 'Отдать задание',
    description: 'Своё задание снова свободно; собранное остаётся. Повтор ничего не меняет.',
    params,
    answers,
    errors: ['not_found', 'conflict'],
  })
  app.post<IdParams>('/picking-tasks/:id/release', { schema: releaseSchema }, (request) =>
    run(dependencies, request, request.params.id, releaseTask),
  )

  const takeOverSchema = staffOperation({
    id: 'takeOverPickingTask',
    tag: 'Сборка',
    summary: 'Передать задание',
    description: 'Задание переходит к названному пользователю или к себе, кто бы его ни взял.',
    params,
    body: TakeOver,
    answers,
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  const config = { role: 'manager' } as const
  app.post<IdParams>(
    '/picking-tasks/:id/take-over',
    { schema: takeOverSchema, config },
    (request) => {
      const { user_id: userId } = bodyIfAny(TakeOver, request)
      return run(dependencies, request, request.params.id, takeOverTask, userId)
    },
  )
}

async function run(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  id: string,
  verb: ClaimVerb,
  userId = memberOn(request).id,
): Promise<PickingTask> {
  const clientId = await ownerOfPickingTask(dependencies.db, id)
  const look = ({ tx, at }: Work) => findPickingTaskSummary(tx, clientId, id, at)
  return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
    const changed = await verb(work, clientId, id, userId)
    return { answer: found(await look(work)), changed }
  })
}
