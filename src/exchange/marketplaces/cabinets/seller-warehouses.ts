import Type, { type Static } from 'typebox'
import type { Database } from '../../../platform/db/connection.ts'
import { conflict, excerpt, invalidField, notFound } from '../../../platform/kernel/errors.ts'
import type { Instant } from '../../../platform/kernel/moscow-time.ts'
import { count } from '../../../platform/kernel/schema.ts'
import {
  type ConnectedCabinet,
  connectionOf,
  isConnected,
} from '../connecting/connected-cabinet.ts'
import type { Connect } from '../connecting/open-connector.ts'
import type { SellerWarehouse } from '../connector.ts'
import { withStaffErrors } from '../coordination/staff-errors.ts'
import { leftOutDays, leftOutSince, ownWarehousesOf } from '../intake/own-orders.ts'

/** Shown at most. */
const schemesMax = 20

const CabinetWarehouse = Type.Object({
  id: Type.String({ description: 'Номер склада на маркетплейсе.' }),
  name: Type.Optional(Type.String({ description: 'Название; если неизвестно, поля нет.' })),
  status: Type.Optional(
    Type.String({ description: 'Состояние словом маркетплейса; если неизвестно, поля нет.' }),
  ),
  scheme: Type.Optional(
    Type.String({ description: '`fbs` или другая схема; выбрать можно только склады FBS.' }),
  ),
  listed: Type.Boolean({ description: 'false: маркетплейс такого склада больше не называет.' }),
  ours: Type.Boolean({ description: 'Заказы этого склада собирают здесь.' }),
  left_out: count(`Сколько его заказов за ${leftOutDays} дней не принято сюда.`),
})

export const CabinetWarehouses = Type.Object(
  {
    chosen: Type.Boolean({
      description: 'false: склады не выбраны, и заказы не загружаются.',
    }),
    items: Type.Array(CabinetWarehouse, { description: 'Склады продавца на маркетплейсе.' }),
    left_out_elsewhere: count(
      `Сколько заказов за ${leftOutDays} дней не принято, потому что продавец доставляет их сам, ` +
        'а склад не назван.',
    ),
    left_out_schemes: Type.Array(
      Type.Object({
        scheme: Type.String({
          description:
            'Схема, как у маркетплейса: у OZON — `integration_type_flow`, например `aggregator`.',
        }),
        orders: count('Сколько таких заказов.'),
      }),
      {
        maxItems: schemesMax,
        description:
          `Заказы за ${leftOutDays} дней, которые продавец доставляет сам, по схемам, сначала частые. Их здесь ` +
          'не собирают и не отгружают; в `left_out` они тоже посчитаны.',
      },
    ),
  },
  { $id: 'CabinetWarehouses', description: 'Склады кабинета на маркетплейсе.' },
)
type CabinetWarehouses = Static<typeof CabinetWarehouses>

interface WarehousesTools {
  readonly db: Database
  readonly connect: Connect
}

/** The warehouses as the marketplace names them now. Throws not_found, conflict, marketplace_unavailable. */
export async function listCabinetWarehouses(
  { db, connect }: WarehousesTools,
  clientId: string,
  id: string,
  now: Instant,
): Promise<CabinetWarehouses> {
  const listed = await askWarehouses(connect, await connectedCabinet(db, clientId, id))
  const own = await ownWarehousesOf(db, clientId, id)
  const leftOut = await leftOutByWarehouse(db, clientId, id, now)
  const known = new Set(listed.map((warehouse) => warehouse.id))
  const others = new Set([...(own ?? []), ...leftOut.keys()].filter((key) => !known.has(key)))
  others.delete('')
  const unlisted = [...others].map((key) => ({ id: key }))
  return {
    chosen: own !== null,
    items: [...listed, ...unlisted].map((warehouse) => ({
      ...warehouse,
      listed: known.has(warehouse.id),
      ours: own?.includes(warehouse.id) ?? false,
      left_out: leftOut.get(warehouse.id) ?? 0,
    })),
    left_out_elsewhere: leftOut.get('') ?? 0,
    left_out_schemes: await leftOutByScheme(db, clientId, id, now),
  }
}

async function connectedCabinet(
  db: Database,
  clientId: string,
  id: string,
): Promise<ConnectedCabinet> {
  const cabinet = await connectionOf(db, clientId, id)
  if (cabinet === undefined) throw notFound('Кабинет не найден')
  if (isConnected(cabinet)) return cabinet
  throw conflict('Кабинет не подключён: задайте ключи маркетплейса и включите его')
}

function askWarehouses(
  connect: Connect,
  cabinet: ConnectedCabinet,
): Promise<readonly SellerWarehouse[]> {
  return withStaffErrors(() => connect(cabinet).warehouses())
}

/** Unless the seller delivers from it himself. */
export function mayBeChosen({ scheme }: SellerWarehouse): boolean {
  return scheme === undefined || scheme === 'fbs'
}

/** Numbers of left out orders by warehouse; those without a warehouse under an empty key. */
async function leftOutByWarehouse(
  db: Database,
  clientId: string,
  cabinetId: string,
  now: Instant,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db<{ warehouse: string; orders: number }[]>`
    select coalesce(warehouse_id, '') as warehouse, count(*) as orders from left_out_orders
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and created_at >= ${leftOutSince(now)}
    group by 1`
  return new Map(rows.map(({ warehouse, orders }) => [warehouse, orders]))
}

function leftOutByScheme(
  db: Database,
  clientId: string,
  cabinetId: string,
  now: Instant,
): Promise<{ scheme: string; orders: number }[]> {
  return db<{ scheme: string; orders: number }[]>`
    select scheme, count(*) as orders from left_out_orders
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and scheme is not null
      and created_at >= ${leftOutSince(now)}
    group by 1 order by 2 desc, 1 limit ${schemesMax}`
}

/**
 * Checks a choice against the marketplace's list, and returns the sealed credentials that it was read
 * with. Throws validation_error for a warehouse that the marketplace does not name, or that the seller
 * delivers from himself.
 */
export async function checkWarehouses(
  { db, connect }: WarehousesTools,
  clientId: string,
  id: string,
  chosen: readonly string[],
): Promise<Buffer> {
  const cabinet = await connectedCabinet(db, clientId, id)
  const listed = new Map(
    (await askWarehouses(connect, cabinet)).map((warehouse) => [warehouse.id, warehouse]),
  )
  for (const [at, number] of chosen.entries()) {
    const warehouse = listed.get(number)
    if (warehouse === undefined) {
      throw invalidField(
        `warehouses[${at}]`,
        `номер склада из GET /cabinets/{id}/warehouses: склада ${excerpt(number)} в кабинете нет`,
      )
    }
    if (!mayBeChosen(warehouse)) {
      throw invalidField(
        `warehouses[${at}]`,
        `склад схемы FBS: со склада ${excerpt(number)} продавец доставляет сам (${warehouse.scheme})`,
      )
    }
  }
  return cabinet.credentials
}
