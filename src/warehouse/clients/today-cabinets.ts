import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment, oneOfValues } from '../../platform/kernel/schema.ts'
import {
  type CredentialsState,
  cabinetTables,
  credentialsEnd,
  credentialsState,
} from './cabinet-view.ts'
import { type Marketplace, marketplaces } from './marketplace.ts'

const problems = [
  'credentials_refused',
  'sync_error',
  'warehouses_not_chosen',
  'credentials_expiring',
] as const

/** Cabinets shown at most. */
const shownMax = 50

const CabinetWithProblems = Type.Object({
  cabinet_id: Type.String({ description: 'Кабинет.' }),
  name: Type.String({ description: 'Его название.' }),
  marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  problems: Type.Array(oneOfValues(problems, 'Что не так.'), {
    description:
      '`credentials_refused` — ключи не приняты, `sync_error` — не удалась последняя ' +
      'синхронизация, `warehouses_not_chosen` — склады не выбраны, и новые заказы не ' +
      'загружаются, `credentials_expiring` — ключи скоро истекут.',
  }),
  sync_error: Type.Optional(
    Type.String({ description: 'Почему не удалась последняя синхронизация; иначе поля нет.' }),
  ),
  credentials_expire_at: Type.Optional(
    moment('До какого времени действуют ключи; если неизвестно, поля нет.'),
  ),
})

export const TodayCabinets = Type.Object(
  {
    total: count('Сколько подключённых кабинетов ждут внимания.'),
    items: Type.Array(CabinetWithProblems, {
      maxItems: shownMax,
      description: `Кабинеты, сначала самые срочные; не больше ${shownMax}.`,
    }),
  },
  { description: 'Подключённые кабинеты, которые ждут внимания.' },
)
type TodayCabinets = Static<typeof TodayCabinets>

interface Row {
  total: number
  cabinet_id: string
  name: string
  marketplace: Marketplace
  client_id: string
  client_name: string
  state: CredentialsState
  sync_error: string | null
  unchosen: boolean
  credentials_expire_at: Timestamp | null
}

/** Rows x: connected cabinets that wait for somebody, of the clients `c` that are seen. */
export function cabinetsWithProblems(db: Queryable, seen: Fragment): Fragment {
  return db`
    (select * from (
      select k.id as cabinet_id, k.name, k.marketplace, k.client_id, c.name as client_name,
        ${credentialsState(db)} as state, k.sync_error, k.own_warehouses is null as unchosen,
        ${credentialsEnd(db)} as credentials_expire_at
      from clients c join (${cabinetTables(db)}) on k.client_id = c.id
      where ${seen} and k.credentials is not null and k.active
    ) k
    where k.state in ('refused', 'expiring') or k.sync_error is not null or k.unchosen) x`
}

/** Connected cabinets that wait for somebody, of the clients `c` that are seen; the most urgent first. */
export async function cabinetsOfToday(db: Queryable, seen: Fragment): Promise<TodayCabinets> {
  const rows = await db<Row[]>`
    select count(*) over () as total, x.* from ${cabinetsWithProblems(db, seen)}
    order by x.state = 'refused' desc, x.sync_error is not null desc, x.unchosen desc,
      x.credentials_expire_at, x.cabinet_id
    limit ${shownMax}`
  return { total: rows[0]?.total ?? 0, items: rows.map(viewOf) }
}

function viewOf({ total: _, state, sync_error, unchosen, credentials_expire_at, ...row }: Row) {
  const has = {
    credentials_refused: state === 'refused',
    sync_error: sync_error !== null,
    warehouses_not_chosen: unchosen,
    credentials_expiring: state === 'expiring',
  }
  return {
    ...row,
    problems: problems.filter((problem) => has[problem]),
    ...(sync_error === null ? {} : { sync_error }),
    ...(credentials_expire_at === null ? {} : { credentials_expire_at }),
  }
}
