import Type, { type Static } from 'typebox'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment, named, textOrNull } from '../../platform/kernel/schema.ts'

/** Each of the lists of what lies at a location is shown up to this length. */
export const shownAtLocation = 500

const cut = `не больше ${shownAtLocation}; в списке мест поля нет`
const owner = Type.String({ description: 'Чьё это.' })
const ownerName = Type.String({ description: 'Название клиента.' })
const sscc = textOrNull('Номер SSCC; null, если его нет.')

const LooseUnits = Type.Object({
  client_id: owner,
  client_name: ownerName,
  barcode: Type.String({ description: 'Штрихкод товара.' }),
  name: Type.String({ description: 'Название товара.' }),
  article: textOrNull('Артикул продавца; null, если его нет.'),
  qty: Type.Integer({ minimum: 1, description: 'Сколько единиц лежит вне коробов.' }),
})
const LocatedBox = Type.Object({
  id: Type.String({ description: 'Короб.' }),
  client_id: owner,
  client_name: ownerName,
  sscc,
  pallet_id: textOrNull('Паллета, на которой он здесь стоит; null, если сам по себе.'),
  units: count('Единиц в нём.'),
})
const LocatedPallet = Type.Object({
  id: Type.String({ description: 'Паллета.' }),
  client_id: owner,
  client_name: ownerName,
  sscc,
})

export const Location = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор места.' }),
    warehouse_code: Type.String({ description: 'Склад.' }),
    code: Type.String({ description: 'Код на этикетке, один на складе.' }),
    zone: Type.String({ description: 'Зона; пусто, если зон нет.' }),
    order: Type.Integer({ description: 'Порядок обхода внутри зоны.' }),
    active: Type.Boolean({ description: 'false: сюда больше ничего не кладут.' }),
    units: count('Единиц на месте: в коробах и вне их.'),
    boxes_count: count('Коробов, вместе со стоящими на паллетах.'),
    pallets_count: count('Паллет.'),
    created_at: moment('Когда заведено.'),
    contents: Type.Optional(
      Type.Array(LooseUnits, { description: `Что лежит вне коробов: ${cut}.` }),
    ),
    boxes: Type.Optional(Type.Array(LocatedBox, { description: `Короба: ${cut}.` })),
    pallets: Type.Optional(Type.Array(LocatedPallet, { description: `Паллеты: ${cut}.` })),
  },
  { $id: 'Location', description: 'Место хранения: полка, ячейка, участок пола.' },
)
export type Location = Static<typeof Location>
export type LocationContent = Pick<Required<Location>, 'contents' | 'boxes' | 'pallets'>

export const LocationsMade = Type.Object(
  {
    created: count('Сколько мест заведено.'),
    existing: count('Сколько мест с такими кодами на складе уже было: они не изменились.'),
    locations: Type.Array(named<Location>(Location), {
      description: 'Заведённые места, в порядке обхода.',
    }),
  },
  { $id: 'LocationsMade', description: 'Что вышло из шаблона.' },
)
export type LocationsMade = Static<typeof LocationsMade>

export interface LocationRow {
  id: string
  warehouse_code: string
  code: string
  zone: string
  walk_order: number
  active: boolean
  units: number
  boxes_count: number
  pallets_count: number
  created_at: Timestamp
}

export function locationView(row: LocationRow): Location {
  return {
    id: row.id,
    warehouse_code: row.warehouse_code,
    code: row.code,
    zone: row.zone,
    order: row.walk_order,
    active: row.active,
    units: row.units,
    boxes_count: row.boxes_count,
    pallets_count: row.pallets_count,
    created_at: row.created_at,
  }
}
