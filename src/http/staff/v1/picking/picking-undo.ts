import type { FastifyInstance } from 'fastify'
import { refuseWhileEnding } from '../../../../exchange/marketplaces/coordination/request-command.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { findPick, ownerOfPickingTask } from '../../../../warehouse/picking/queries.ts'
import { undoPick } from '../../../../warehouse/picking/undo.ts'
import { PickResult } from '../../../../warehouse/picking/view.ts'
import { found } from '../../../route/list.ts'
import { change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'

export function addUndoOfPicks(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'undoPick',
    tag: 'Сборка',
    summary: 'Отменить скан сборки',
    description:
      'Пока отгрузка открыта: единица снова числится в коробе или на месте, откуда её взяли, и остаётся в резерве ' +
      'заказа: верните её туда. Её код маркировки и метки снова свободны, проверку упаковки заказа начинают заново. Повтор ' +
      'ничего не меняет; номер отменённого скана остаётся занятым.',
    params: { id: 'Идентификатор задания.', scan_id: 'Номер скана единицы.' },
    answers: { 200: { description: 'Отменён, или уже был.', schema: named(PickResult) } },
    errors: ['not_found', 'conflict'],
  })
  app.post<{ Params: { id: string; scan_id: string } }>(
    '/picking-tasks/:id/picks/:scan_id/undo',
    { schema },
    async (request) => {
      const { id, scan_id: scanId } = request.params
      const clientId = await ownerOfPickingTask(dependencies.db, id)
      const look = ({ tx }: Work) => findPick(tx, clientId, id, scanId)
      return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
        const changed = await undoPick(work, clientId, id, scanId, refuseWhileEnding)
        return { answer: { ...found(await look(work)), repeated: !changed }, changed }
      })
    },
  )
}
