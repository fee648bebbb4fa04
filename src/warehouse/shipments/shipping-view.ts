import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { named, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { shippingTypes } from './shipping-method.ts'

/** Shipping points and methods as staff see them. */

const pointFields = {
  name: Type.String({ description: 'Название.' }),
  address: textOrNull('Адрес; null, если неизвестен.'),
  city: textOrNull('Город; null, если неизвестен.'),
  kind: textOrNull(
    'Вид пункта словом маркетплейса. WB: `pp` — пункт выдачи, ему нужны грузоместа; `sc` — ' +
      'сортировочный центр.',
  ),
}

export const ShippingPointView = Type.Object(
  {
    id: Type.Integer({ description: 'Номер пункта на маркетплейсе.' }),
    ...pointFields,
    cargo_types: Type.Array(Type.Integer(), {
      description: 'Какие габаритные типы принимает: 1 — МГТ, 2 — СГТ, 3 — КГТ+.',
    }),
  },
  { $id: 'ShippingPoint', description: 'Пункт, который принимает отгрузки.' },
)
export type ShippingPointView = Static<typeof ShippingPointView>

export const shippingType = oneOfValues(
  shippingTypes,
  'Как отгрузка попадёт в пункт: `selfShipping` — привезём сами, `transportCompany` — привезёт ' +
    'транспортная компания. WB объявлял, что тогда нужна электронная транспортная накладная (ЭТрН): здесь её ' +
    'не вводят, а если её попросит кабинет WB, оформите её там.',
)

export const ShippingMethodView = Type.Object(
  {
    point_id: Type.Integer({ description: 'Номер пункта на маркетплейсе.' }),
    ...pointFields,
    type: shippingType,
    date: textOrNull('Дата отгрузки, ГГГГ-ММ-ДД; null — день закрытия.'),
  },
  { $id: 'ShippingMethod', description: 'Куда, как и когда поедет отгрузка.' },
)
export type ShippingMethodView = Static<typeof ShippingMethodView>

export const ShippingDefaultView = Type.Object(
  {
    cargo_type: Type.Integer({ description: 'Габаритный тип: 1 — МГТ, 2 — СГТ, 3 — КГТ+.' }),
    point_id: Type.Integer({ description: 'Номер пункта на маркетплейсе.' }),
    ...pointFields,
    type: shippingType,
  },
  { $id: 'ShippingDefault', description: 'Куда по умолчанию едут отгрузки с таким грузом.' },
)
export type ShippingDefaultView = Static<typeof ShippingDefaultView>

export const ShippingDefaultList = Type.Object(
  {
    items: Type.Array(named<ShippingDefaultView>(ShippingDefaultView), {
      description: 'По одному на тип.',
    }),
  },
  { $id: 'ShippingDefaultList', description: 'Пункты кабинета по умолчанию.' },
)
export type ShippingDefaultList = Static<typeof ShippingDefaultList>

export async function listShippingDefaults(
  db: Queryable,
  clientId: string,
  cabinetId: string,
): Promise<ShippingDefaultList> {
  const items = await db<ShippingDefaultView[]>`
    select d.cargo_type, d.point_id::float8 as point_id, p.name, p.address, p.city, p.kind, d.type
    from shipping_defaults d
    join shipping_points p on p.client_id = d.client_id and p.cabinet_id = d.cabinet_id
      and p.id = d.point_id
    where d.client_id = ${clientId} and d.cabinet_id = ${cabinetId} order by d.cargo_type`
  return { items: [...items] }
}

/** The method of the shipment `s` as JSON of the API, or null. */
export function shippingMethodColumn(db: Queryable) {
  return db`(
    select row_to_json(method) from (
      select m.point_id, p.name, p.address, p.city, p.kind, m.type, m.ships_on as date
      from shipping_methods m
      join shipping_points p on p.client_id = m.client_id and p.cabinet_id = m.cabinet_id
        and p.id = m.point_id
      where m.client_id = s.client_id and m.shipment_id = s.id) method)`
}
