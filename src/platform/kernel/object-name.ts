import Type, { type Static } from 'typebox'
import { oneOfValues } from './schema.ts'

/** An object as people name it: «1000021», not an id. `warehouse/lookup/object-names.ts` finds it. */

export const objectKinds = [
  ...(['receipt', 'order', 'shipment', 'picking_task', 'return_batch', 'count'] as const),
  ...(['box', 'pallet', 'location', 'client', 'cabinet', 'key', 'webhook'] as const),
  ...(['user', 'device', 'print_station'] as const),
] as const

export const ObjectName = Type.Object(
  {
    kind: oneOfValues(
      objectKinds,
      'receipt — приёмка, order — заказ, shipment — отгрузка, picking_task — задание на сборку, ' +
        'return_batch — приём возвратов, count — пересчёт, box — короб, pallet — паллета, location — место, ' +
        'client — клиент, cabinet — кабинет, key — ключ API, webhook — подписка, user — сотрудник, ' +
        'device — терминал, print_station — станция печати.',
    ),
    id: Type.String({ description: 'Идентификатор.' }),
    title: Type.String({ description: 'Номер или название; пусто, если у объекта их нет.' }),
  },
  { $id: 'ObjectName', description: 'Объект и как его называют люди.' },
)
export type ObjectName = Static<typeof ObjectName>
