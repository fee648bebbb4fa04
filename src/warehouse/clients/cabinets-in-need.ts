import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { moment, momentOrNull, oneOfValues } from '../../platform/kernel/schema.ts'
import {
  CabinetLack,
  type CredentialsState,
  cabinetLacks,
  cabinetTables,
  credentialsEnd,
  credentialsState,
  expiringDays,
  lackView,
} from './cabinet-view.ts'
import { type Marketplace, marketplaces } from './marketplace.ts'

/** What a seller can do something about. */
const problems = [
  'credentials_refused',
  'credentials_expiring',
  'sync_error',
  'warehouses_not_chosen',
  'data_missing',
  'credentials_personal',
] as const

export const CabinetInNeed = Type.Object(
  {
    id: Type.String({ description: 'Кабинет.' }),
    name: Type.String({ description: 'Его название.' }),
    marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
    problems: Type.Array(oneOfValues(problems, 'Что не так.'), {
      description:
        '`credentials_refused` — маркетплейс не принимает ключ, `credentials_expiring` — ключ истекает ' +
        `раньше чем через ${expiringDays} дней, \`sync_error\` — данные не обновляются, ` +
        '`warehouses_not_chosen` — новые заказы не загружаются: склад не выбрал, с каких складов продавца ' +
        'он их отправляет, `data_missing` — ' +
        'часть данных маркетплейс не даёт, `credentials_personal` — токен WB Персональный, а складу нужен Базовый.',
    }),
    sync_error: Type.Optional(
      Type.String({ description: 'Почему данные не обновляются; иначе поля нет.' }),
    ),
    lacks: Type.Array(CabinetLack, { description: 'Чего маркетплейс не даёт.' }),
    synced_at: momentOrNull('За какое время данные; null — их ещё не было.'),
    credentials_expire_at: Type.Optional(
      moment('До какого времени действует ключ; если неизвестно, поля нет.'),
    ),
  },
  { $id: 'CabinetInNeed', description: 'Кабинет, который ждёт продавца.' },
)
export type CabinetInNeed = Static<typeof CabinetInNeed>

interface Row {
  id: string
  name: string
  marketplace: Marketplace
  state: CredentialsState
  sync_error: string | null
  synced_at: Timestamp | null
  waits: boolean
  is_personal: boolean
  lacks: readonly CabinetLack[]
  ends: Timestamp | null
}

/**
 * Cabinets of a client whose keys or data need the seller, refused keys first. An observed cabinet waits for no choice
 * of warehouses: the seller sees none of its orders.
 */
export async function cabinetsInNeed(db: Queryable, clientId: string): Promise<CabinetInNeed[]> {
  const rows = await db<Row[]>`
    select * from (
      select k.id, k.name, k.marketplace, k.sync_error, k.synced_at,
        ${credentialsState(db)} as state, ${credentialsEnd(db)} as ends,
        k.credentials is not null and k.own_warehouses is null and k.shipments <> 'observe'
          and k.synced_at is not null and k.sync_error is null as waits,
        coalesce(k.credentials_type = 'personal', false) as is_personal,
        ${cabinetLacks(db)} as lacks
      from ${cabinetTables(db)}
      where k.client_id = ${clientId} and k.active
    ) x
    where state in ('refused', 'expiring') or sync_error is not null or waits or is_personal
      or lacks <> '[]'
    order by state = 'refused' desc, sync_error is not null desc, ends, id`
  return rows.map(({ state, sync_error, waits, is_personal, lacks, ends, ...row }) => {
    const has = {
      credentials_refused: state === 'refused',
      credentials_expiring: state === 'expiring',
      sync_error: sync_error !== null,
      warehouses_not_chosen: waits,
      data_missing: lacks.length > 0,
      credentials_personal: is_personal,
    }
    return {
      ...row,
      lacks: lacks.map(lackView),
      problems: problems.filter((problem) => has[problem]),
      ...(sync_error === null ? {} : { sync_error }),
      ...(ends === null ? {} : { credentials_expire_at: ends }),
    }
  })
}
