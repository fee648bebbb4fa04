import type { FastifyInstance } from 'fastify'
import {
  CabinetWarehouses,
  listCabinetWarehouses,
} from '../../../../exchange/marketplaces/cabinet-warehouses.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { ownerOfCabinet } from '../../../../warehouse/clients/cabinet-queries.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'

export function addCabinetWarehouses(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listCabinetWarehouses',
    tag: 'Клиенты',
    summary: 'Склады кабинета на маркетплейсе',
    description:
      'Склады продавца, как их сейчас называет маркетплейс: какие из них наши и сколько заказов ' +
      'остальных сюда не принято. Выбирают их через `PATCH /cabinets/{id}`, поле `warehouses`.',
    params: { id: 'Идентификатор кабинета.' },
    answers: { 200: { description: 'Склады.', schema: named(CabinetWarehouses) } },
    errors: ['not_found', 'conflict', 'marketplace_unavailable'],
  })
  const options = { schema, config: { role: 'manager' } as const }
  app.get<{ Params: { id: string } }>('/cabinets/:id/warehouses', options, async (request) => {
    const { id } = request.params
    const { db, clock } = dependencies
    const clientId = await ownerOfCabinet(db, id)
    return listCabinetWarehouses(dependencies, clientId, id, clock.now())
  })
}
