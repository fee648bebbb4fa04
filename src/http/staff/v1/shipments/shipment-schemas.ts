import Type from 'typebox'
import type { Database } from '../../../../platform/db/connection.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { givenTime } from '../../../../platform/kernel/schema.ts'
import { marketplaces } from '../../../../warehouse/clients/marketplace.ts'
import {
  findStaffShipmentSummary,
  ownerOfShipment,
  shipmentSorts,
} from '../../../../warehouse/shipments/staff-queries.ts'
import { StaffShipment } from '../../../../warehouse/shipments/staff-view.ts'
import { shipmentStatuses } from '../../../../warehouse/shipments/state.ts'
import { pageSchema } from '../../../route/list.ts'
import { oneOf, query, shortPages, sortBy, text, time } from '../../../route/query.ts'
import { warehouseFilter } from '../../gate.ts'

/** Orders that join a shipment with one call at most. */
export const joiningMax = 1000

export const ShipmentDraft = Type.Object(
  {
    cabinet_id: Type.String({ description: 'Кабинет, заказы которого поедут.' }),
    external_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Номер отгрузки в кабинете маркетплейса; в кабинете он один. У подключённого кабинета ' +
          'номер даёт маркетплейс, а этот отличает запрос: повтор не создаст вторую поставку. Без него номер — ' +
          'день и место в нём, например `28.11.26-3`.',
      }),
    ),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Название для людей.' }),
    ),
    order_ids: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: joiningMax,
        description:
          'Заказы этого кабинета, которые сразу войдут в отгрузку. Подключённому кабинету OZON с ' +
          'несколькими способами доставки они нужны: у отгрузки способ один, и его знают её заказы.',
      }),
    ),
  },
  { $id: 'ShipmentDraft', additionalProperties: false, description: 'Новая отгрузка.' },
)
export const JoiningOrders = Type.Object(
  {
    order_ids: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: joiningMax,
      description: 'Идентификаторы заказов, без повторов.',
    }),
  },
  { $id: 'JoiningOrders', additionalProperties: false, description: 'Что добавить в отгрузку.' },
)
export const FilledShipment = Type.Object(
  {
    ...StaffShipment.properties,
    refused_orders: Type.Optional(
      Type.Array(
        Type.Object({
          external_id: Type.String({ description: 'Номер заказа на маркетплейсе.' }),
          reason: Type.String({ description: 'Почему маркетплейс его не принял, по-русски.' }),
        }),
        {
          description:
            'Заказы, которые маркетплейс не принял; остальные в отгрузке. Если приняты все, поля нет.',
        },
      ),
    ),
  },
  { $id: 'FilledShipment', description: 'Отгрузка после добавления заказов.' },
)
export const Acceptance = Type.Object(
  {
    accepted_at: Type.Optional(
      givenTime('Когда маркетплейс её принял, по RFC 3339; по умолчанию — сейчас.'),
    ),
  },
  { $id: 'Acceptance', additionalProperties: false, description: 'Приёмка маркетплейсом.' },
)
export const StaffShipmentPage = pageSchema(
  StaffShipment,
  'StaffShipmentPage',
  'Страница отгрузок.',
)

export const staffShipmentsQuery = query({
  client_id: text({ description: 'Отгрузки одного клиента; без него — всех действующих.' }),
  warehouse_code: warehouseFilter,
  marketplace: oneOf(marketplaces, { description: 'Маркетплейс; без него — все.' }),
  status: oneOf(shipmentStatuses, { description: 'Состояние; без него — все.' }),
  external_id: text({ description: 'Точный номер отгрузки в кабинете.' }),
  observed: oneOf(['true', 'false'], {
    description:
      '`true` — только из наблюдаемых кабинетов, `false` — только остальные; без него — все.',
  }),
  created_from: time({ description: 'Открыты не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Открыты раньше этого времени.' }),
  deadline_to: time({
    description: 'Собираются, и срок хотя бы одного их заказа раньше этого времени.',
    example: '2026-11-23',
  }),
  sort: sortBy(shipmentSorts, {
    description: 'deadline — только отгрузки, которые собирают и у которых есть срок.',
  }),
  ...shortPages,
})

/** The shipment of a path, and how the journal names it. */

export type ShipmentPath = { Params: { id: string } }
export const shipmentParams = { id: 'Идентификатор отгрузки в сервисе.' }

/** The journal shows a shipment without its orders: there may be thousands. Throws not_found. */
export async function shipmentSubject(db: Database, id: string) {
  const clientId = await ownerOfShipment(db, id)
  const look = ({ tx }: Work) => findStaffShipmentSummary(tx, clientId, id)
  return { clientId, objectId: id, look }
}
