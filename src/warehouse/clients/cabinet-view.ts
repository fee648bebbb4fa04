import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { integerOrNull, moment, momentOrNull, oneOfValues } from '../../platform/kernel/schema.ts'
import { type TokenType, tokenTypes } from './credentials.ts'
import {
  type Marketplace,
  marketplaces,
  type ShipmentsPlace,
  shipmentsPlaces,
} from './marketplace.ts'

/** Cabinets as sellers see them, and as staff do. */

const shownToAll = {
  marketplace: oneOfValues(marketplaces, 'Маркетплейс кабинета.'),
  name: Type.String({ description: 'Название кабинета.' }),
  active: Type.Boolean({ description: 'Подключён ли кабинет сейчас.' }),
  synced_at: momentOrNull('Когда данные маркетплейса успешно получены; null, если ещё ни разу.'),
  sync_error: Type.Optional(
    Type.String({
      description: 'Почему не удалась последняя синхронизация; при удачной поля нет.',
    }),
  ),
}

export const SellerCabinet = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор кабинета: его передают как cabinet_id.' }),
    ...shownToAll,
  },
  { $id: 'Cabinet', description: 'Кабинет продавца на маркетплейсе.' },
)
export type SellerCabinet = Static<typeof SellerCabinet>

export interface SellerCabinetRow {
  id: string
  marketplace: Marketplace
  name: string
  active: boolean
  synced_at: Timestamp | null
  sync_error: string | null
}

export function sellerCabinetView(row: SellerCabinetRow): SellerCabinet {
  return {
    id: row.id,
    marketplace: row.marketplace,
    name: row.name,
    active: row.active,
    synced_at: row.synced_at,
    ...(row.sync_error === null ? {} : { sync_error: row.sync_error }),
  }
}

export const credentialsStates = ['none', 'unchecked', 'good', 'expiring', 'refused'] as const
export type CredentialsState = (typeof credentialsStates)[number]

/** What the marketplace refuses while all that matters is read. */
export const CabinetLack = Type.Object({
  what: Type.String({ description: 'Что не обновляется.' }),
  since: moment('С какого времени.'),
  reason: Type.String({ description: 'Почему маркетплейс этого не даёт.' }),
  withdrawn: Type.Boolean({
    description: 'Маркетплейс больше суток не знает такого вызова: похоже, он его убрал.',
  }),
})
export type CabinetLack = Static<typeof CabinetLack>

const tokenTypeRule =
  'Тип токена WB: `base` — Базовый, `personal` — Персональный, `service` — Сервисный, `test` — Тестовый; ' +
  'null, если токен его не называет.'

export const StaffCabinet = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор кабинета.' }),
    client_id: Type.String({ description: 'Юридическое лицо.' }),
    client_name: Type.String({ description: 'Название клиента.' }),
    ...shownToAll,
    shipments: oneOfValues(
      shipmentsPlaces,
      'Где собирают новые отгрузки: `ours` — здесь, `mirrored` — в кабинете маркетплейса; `observe` — ' +
        'кабинет только наблюдают.',
    ),
    observed_since: momentOrNull('С какого времени кабинет только наблюдают; null, если нет.'),
    calls_recorded_until: momentOrNull(
      'До какого времени хранятся вызовы маркетплейса; null, если не хранятся.',
    ),
    has_credentials: Type.Boolean({ description: 'Заданы ли ключи маркетплейса.' }),
    credentials_at: momentOrNull('Когда они заданы; null, если их нет.'),
    credentials_state: oneOfValues(
      credentialsStates,
      'Что с ключами: нет, ещё не проверены, приняты, скоро истекут (за две недели), не приняты.',
    ),
    credentials_note: Type.Optional(
      Type.String({ description: 'Что стоит знать о ключах; если всё в порядке, поля нет.' }),
    ),
    credentials_rights: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Что ключу разрешено: категории WB, роли OZON; null, если ещё не известно.',
    }),
    credentials_sandbox: Type.Boolean({ description: 'Ключ для песочницы маркетплейса.' }),
    credentials_type: Type.Union([oneOfValues(tokenTypes, tokenTypeRule), Type.Null()]),
    credentials_expire_at: momentOrNull('До какого времени они действуют, если известно.'),
    warehouses: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      description:
        'Номера складов маркетплейса, заказы которых собирают здесь; null — склады не выбраны.',
    }),
    lacks: Type.Array(CabinetLack, {
      description:
        'Чего маркетплейс не даёт, хотя остальное обновляется: это не сбой синхронизации, и `sync_error` нет.',
    }),
    needs_warehouses: Type.Boolean({
      description:
        'true: кабинет подключён, а склады не выбраны. Новые его заказы не загружаются: выберите ' +
        'склады (`PATCH /cabinets/{id}`, поле `warehouses`). Единственный склад FBS выбирается сам.',
    }),
    deadline_hours: integerOrNull(
      'Через сколько часов после создания нужно передать заказ, которому маркетплейс не назвал ' +
        'срока; null — срока нет.',
    ),
    shipping_method_required: Type.Boolean({
      description:
        'Нужен ли отгрузкам WB пункт: без него их здесь не закрыть. Продавцам не из России он не нужен.',
    }),
    created_at: moment('Когда заведён.'),
  },
  { $id: 'StaffCabinet', description: 'Кабинет на маркетплейсе.' },
)
export type StaffCabinet = Static<typeof StaffCabinet>

export interface CabinetRow extends SellerCabinetRow {
  client_id: string
  client_name: string
  shipments: ShipmentsPlace
  observed_since: Timestamp | null
  calls_recorded_until: Timestamp | null
  credentials_at: Timestamp | null
  credentials_state: CredentialsState
  credentials_rights: string[] | null
  credentials_sandbox: boolean
  credentials_type: TokenType | null
  credentials_expire_at: Timestamp | null
  own_warehouses: string[] | null
  lacks: readonly CabinetLack[]
  deadline_hours: number | null
  shipping_method_required: boolean
  created_at: Timestamp
}

export function cabinetColumns(db: Queryable) {
  return db`
    k.id, k.client_id,
    (select owner.name from clients owner where owner.id = k.client_id) as client_name, k.marketplace, k.name, k.active, k.synced_at, k.sync_error, k.shipments, k.observed_since,
    case when k.calls_recorded_until > now() then k.calls_recorded_until end as calls_recorded_until,
    k.credentials_at, ${credentialsState(db)} as credentials_state, k.credentials_rights,
    k.credentials_sandbox, k.credentials_type, ${credentialsEnd(db)} as credentials_expire_at,
    k.own_warehouses, ${cabinetLacks(db)} as lacks, k.deadline_hours, k.shipping_method_required, k.created_at`
}

/** How long before credentials expire their state becomes `expiring`: OZON's keys live for three months. */
export const expiringDays = 21

export function credentialsState(db: Queryable) {
  return db`
    case when k.credentials is null then 'none'
      when (y.started_at is null or k.credentials_at > y.started_at) and k.credentials_rights is null
        then 'unchecked'
      when y.credentials_refused and k.credentials_at <= y.started_at then 'refused'
      when ${credentialsEnd(db)} < now() + make_interval(days => ${expiringDays}) then 'expiring'
      when y.access_at is null and k.credentials_rights is null then 'unchecked' else 'good' end`
}

/** What the last sync run did not get, of a cabinet that is read. */
export function cabinetLacks(db: Queryable) {
  return db`case when k.active and k.credentials is not null then coalesce(y.lacks, '[]') else '[]' end`
}

/** What the last sync run learned of these credentials, or else their entry. */
export function credentialsEnd(db: Queryable) {
  return db`
    coalesce(case when k.credentials_at <= y.access_at then y.credentials_expire_at end,
      k.credentials_end)`
}

/** Cabinets k with the state of their syncing, y. */
export function cabinetTables(db: Queryable) {
  return db`
    cabinets k
    left join cabinet_syncs y on y.client_id = k.client_id and y.cabinet_id = k.id`
}

const uncheckedNote =
  'Маркетплейс не ответил, ключи пока не проверены: это сделает первая синхронизация. Она же узнает, ' +
  'не подключён ли аккаунт в другом кабинете'

export function lackView({ what, since, reason, withdrawn }: CabinetLack): CabinetLack {
  return { what, since, reason, withdrawn }
}

/** What WB's rules say of a token that is for the seller's own programs alone. */
export const personalTokenNote =
  'Токен Персональный: по правилам WB он только для программ самого продавца, передавать его складу нельзя. ' +
  'Попросите у продавца Базовый токен с категориями «Маркетплейс» и «Контент»'

function noteOf(row: Pick<CabinetRow, 'credentials_state' | 'credentials_type'>) {
  if (row.credentials_state === 'unchecked') return { credentials_note: uncheckedNote }
  return row.credentials_type === 'personal' ? { credentials_note: personalTokenNote } : {}
}

export function staffCabinetView(row: CabinetRow): StaffCabinet {
  return {
    id: row.id,
    client_id: row.client_id,
    client_name: row.client_name,
    marketplace: row.marketplace,
    name: row.name,
    active: row.active,
    synced_at: row.synced_at,
    ...(row.sync_error === null ? {} : { sync_error: row.sync_error }),
    shipments: row.shipments,
    observed_since: row.observed_since,
    calls_recorded_until: row.calls_recorded_until,
    has_credentials: row.credentials_at !== null,
    credentials_at: row.credentials_at,
    credentials_state: row.credentials_state,
    ...noteOf(row),
    credentials_rights: row.credentials_rights,
    credentials_sandbox: row.credentials_sandbox,
    credentials_type: row.credentials_type,
    credentials_expire_at: row.credentials_expire_at,
    warehouses: row.own_warehouses,
    lacks: row.lacks.map(lackView),
    needs_warehouses: row.credentials_at !== null && row.active && row.own_warehouses === null,
    deadline_hours: row.deadline_hours,
    shipping_method_required: row.shipping_method_required,
    created_at: row.created_at,
  }
}
