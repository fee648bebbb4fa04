import Type, { type Static } from 'typebox'
import { SellerCabinet, type SellerCabinetRow, sellerCabinetView } from '../clients/cabinet-view.ts'
import type { Database } from '../db/connection.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { moment, momentOrNull, named } from '../kernel/schema.ts'

export const Me = Type.Object(
  {
    client: Type.Object(
      {
        id: Type.String({ description: 'Идентификатор юридического лица.' }),
        name: Type.String({ description: 'Название юридического лица.' }),
        inn: Type.Optional(Type.String({ description: 'ИНН; если не заполнен, поля нет.' })),
      },
      { description: 'Юридическое лицо, общее для всех кабинетов.' },
    ),
    cabinets: Type.Array(named<SellerCabinet>(SellerCabinet), {
      description: 'Кабинеты юридического лица.',
    }),
    warehouse: Type.Object(
      {
        code: Type.String({ description: 'Короткий код склада.' }),
        name: Type.String({ description: 'Название склада.' }),
      },
      { description: 'Склад, где лежат товары.' },
    ),
    key: Type.Object(
      {
        id: Type.String({ description: 'Идентификатор ключа.' }),
        name: Type.String({ description: 'Имя, данное при выпуске.' }),
        preview: Type.String({ description: 'Первые 8 и последние 4 знака ключа.' }),
        created_at: moment('Когда выпущен.'),
        last_used_at: momentOrNull('Последний успешный запрос до этого; null, если его не было.'),
      },
      { description: 'Ключ, которым сделан запрос.' },
    ),
  },
  { $id: 'Me', description: 'Кому принадлежит ключ.' },
)
export type Me = Static<typeof Me>

interface MeRow {
  client_id: string
  client_name: string
  inn: string | null
  warehouse_code: string
  warehouse_name: string
  key_id: string
  key_name: string
  preview: string
  key_created_at: Timestamp
}

type ClientRow = Omit<MeRow, 'key_id' | 'key_name' | 'preview' | 'key_created_at'>

/** The parts of `Me` that are about the client, for people without a key. */
export type OwnClient = Pick<Me, 'client' | 'cabinets' | 'warehouse'>

export async function readOwnClient(db: Database, clientId: string): Promise<OwnClient> {
  const [clients, cabinets] = await Promise.all([
    db<ClientRow[]>`
      select c.id as client_id, c.name as client_name, c.inn, w.code as warehouse_code,
        w.name as warehouse_name
      from clients c join warehouses w on w.code = c.warehouse_code where c.id = ${clientId}`,
    cabinetsOf(db, clientId),
  ])
  const [row] = clients
  if (row === undefined) throw new Error(`client ${clientId} is gone`)
  return ownClient(row, cabinets)
}

function cabinetsOf(db: Database, clientId: string): Promise<SellerCabinetRow[]> {
  return db<SellerCabinetRow[]>`
    select id, marketplace, name, active, synced_at, sync_error
    from cabinets where client_id = ${clientId} order by created_at, id`
}

function ownClient(row: ClientRow, cabinets: readonly SellerCabinetRow[]): OwnClient {
  return {
    client: {
      id: row.client_id,
      name: row.client_name,
      ...(row.inn === null ? {} : { inn: row.inn }),
    },
    cabinets: cabinets.map(sellerCabinetView),
    warehouse: { code: row.warehouse_code, name: row.warehouse_name },
  }
}

/** Whose key it is. `lastUsedAt` comes from admission: the last successful request before this one. */
export async function readIdentity(
  db: Database,
  clientId: string,
  keyId: string,
  lastUsedAt: Timestamp | null,
): Promise<Me> {
  const [identity, cabinets] = await Promise.all([
    db<MeRow[]>`
      select c.id as client_id, c.name as client_name, c.inn, w.code as warehouse_code,
        w.name as warehouse_name, k.id as key_id, k.name as key_name, k.preview,
        k.created_at as key_created_at
      from clients c
      join warehouses w on w.code = c.warehouse_code
      join api_keys k on k.client_id = c.id and k.id = ${keyId}
      where c.id = ${clientId}`,
    cabinetsOf(db, clientId),
  ])
  const [row] = identity
  if (row === undefined) throw new Error(`client ${clientId} or its key ${keyId} is gone`)
  return {
    ...ownClient(row, cabinets),
    key: {
      id: row.key_id,
      name: row.key_name,
      preview: row.preview,
      created_at: row.key_created_at,
      last_used_at: lastUsedAt,
    },
  }
}
