import Type, { type Static } from 'typebox'
import type { Database } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Tag } from '../../platform/db/statements/tag.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { moment, momentOrNull, named } from '../../platform/kernel/schema.ts'
import {
  SellerCabinet,
  type SellerCabinetRow,
  sellerCabinetView,
} from '../../warehouse/clients/cabinet-view.ts'
import type { ClientId } from '../../warehouse/clients/list-conditions.ts'

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

/** A client beside one of its cabinets, or beside none where it has none. */
type ClientRow = (SellerCabinetRow | Record<keyof SellerCabinetRow, null>) & {
  client_id: string
  client_name: string
  inn: string | null
  warehouse_code: string
  warehouse_name: string
}

interface KeyRow {
  key_id: string
  key_name: string
  preview: string
  key_created_at: Timestamp
}

/** The parts of `Me` that are about the client, for people without a key. */
export type OwnClient = Pick<Me, 'client' | 'cabinets' | 'warehouse'>

export async function readOwnClient(db: Database, clientId: string): Promise<OwnClient> {
  return ownClient(
    await db<ClientRow[]>`
      select ${clientColumns(db)} from ${clientTables(db)}
      where c.id = ${clientId} order by b.created_at, b.id`,
  )
}

function clientColumns(db: Tag) {
  return db`
    c.id as client_id, c.name as client_name, c.inn, w.code as warehouse_code,
    w.name as warehouse_name, b.id, b.marketplace, b.name, b.active, b.synced_at, b.sync_error`
}

function clientTables(db: Tag) {
  return db`
    clients c join warehouses w on w.code = c.warehouse_code
    left join cabinets b on b.client_id = c.id`
}

/** @throws Error where there are no rows: the client is gone */
function ownClient(rows: readonly ClientRow[]): OwnClient {
  const [row] = rows
  if (row === undefined) throw new Error('the client is gone')
  return {
    client: {
      id: row.client_id,
      name: row.client_name,
      ...(row.inn === null ? {} : { inn: row.inn }),
    },
    cabinets: rows.flatMap((each) => (each.id === null ? [] : [sellerCabinetView(each)])),
    warehouse: { code: row.warehouse_code, name: row.warehouse_name },
  }
}

/** What is known of a key beside its calls. */
export type Identity = OwnClient & { readonly key: Omit<Me['key'], 'last_used_at'> }

/**
 * Whose key it is, in one statement.
 * @param key its id, or an SQL expression for it
 */
export async function readIdentity(
  db: Tag,
  client: ClientId,
  key: string | Fragment,
): Promise<Identity> {
  const rows = await db<[ClientRow & KeyRow, ...(ClientRow & KeyRow)[]]>`
    select ${clientColumns(db)}, k.id as key_id, k.name as key_name, k.preview,
      k.created_at as key_created_at
    from ${clientTables(db)}
    join api_keys k on k.client_id = c.id and k.id = ${key}
    where c.id = ${client} order by b.created_at, b.id`
  const owner = ownClient(rows)
  const [{ key_id: id, key_name: name, preview, key_created_at: created_at }] = rows
  return { ...owner, key: { id, name, preview, created_at } }
}
