import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, invalidField } from '../../platform/kernel/errors.ts'
import { calendarDay, moment } from '../../platform/kernel/schema.ts'
import { readDateField } from '../../platform/kernel/time-field.ts'
import { kopecksOf, moneyPattern, quantityText, roubles, sumPattern } from './money.ts'
import { listServices } from './service-list.ts'

/**
 * Tariffs: versions of a price list from a day on, of a warehouse and of a client. Nothing of a version changes; a later
 * one, of the same day too, takes its place. Writes warehouse_tariffs, client_tariffs and storage_terms.
 */

const money = (description: string) =>
  Type.String({ pattern: moneyPattern, examples: ['12.50'], description })

const PriceStep = Type.Object(
  {
    up_to: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'До скольких единиц за месяц действует цена; null — без предела.',
    }),
    price: money('Цена за единицу услуги, рубли.'),
  },
  { additionalProperties: false },
)

export const TariffDraft = Type.Object(
  {
    first_day: calendarDay('С какого дня действует.'),
    prices: Type.Array(
      Type.Object(
        {
          service: Type.String({ description: 'Код услуги.' }),
          steps: Type.Array(PriceStep, {
            minItems: 1,
            maxItems: 20,
            description: 'Ступени по возрастанию; у последней up_to — null.',
          }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 300, description: 'Цены. Услугу без цены не начисляют.' },
    ),
    monthly_minimum: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        pattern: sumPattern,
        description: 'Минимум за месяц, рубли; у клиента null — как у всех.',
      }),
    ),
    free_days: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: 365,
        description: 'Дней хранения без платы; у клиента null — как у всех.',
      }),
    ),
  },
  { $id: 'TariffDraft', additionalProperties: false, description: 'Новая версия тарифа.' },
)
export type TariffDraft = Static<typeof TariffDraft>

export const Tariff = Type.Object(
  {
    ...TariffDraft.properties,
    version: Type.Integer({ description: 'Номер версии.' }),
    created_at: moment('Когда заведена.'),
  },
  { $id: 'Tariff', description: 'Версия тарифа.' },
)
export type Tariff = Static<typeof Tariff>

interface TariffRow {
  version: number
  first_day: string
  prices: Record<string, { up_to: number | null; price: number }[]>
  monthly_minimum: number | null
  free_days: number | null
  created_at: Tariff['created_at']
}

export type TariffOf = { readonly warehouse: string } | { readonly clientId: string }

/** All versions, the one that came last first. */
export async function listTariffs(db: Queryable, of: TariffOf): Promise<Tariff[]> {
  const rows = await db<TariffRow[]>`
    select version, first_day, prices, monthly_minimum, free_days, created_at from ${rowsOf(db, of)}
    order by version desc limit 500`
  return rows.map(({ prices, monthly_minimum: minimum, ...row }) => ({
    ...row,
    monthly_minimum: minimum === null ? null : roubles(minimum),
    prices: Object.entries(prices).map(([service, steps]) => ({
      service,
      steps: steps.map(({ up_to, price }) => ({ up_to, price: roubles(price) })),
    })),
  }))
}

function rowsOf(db: Queryable, of: TariffOf) {
  return 'warehouse' in of
    ? db`warehouse_tariffs where warehouse_code = ${of.warehouse}`
    : db`client_tariffs where client_id = ${of.clientId}`
}

/** Adds a version. Throws validation_error, and conflict for a day of a closed period. */
export async function addTariff(
  work: Work,
  of: TariffOf & { readonly servicesOf: string },
  draft: TariffDraft,
): Promise<number> {
  const { tx, at } = work
  const firstDay = readDateField('first_day', draft.first_day)
  const { free_days: freeDays = null, monthly_minimum: minimum = null } = draft
  await refuseClosedDay(work, of, firstDay)
  const prices = await pricesOf(work, of.servicesOf, draft)
  const common = [firstDay, minimum === null ? null : kopecksOf(minimum), freeDays] as const
  const by = actorText(work.actor)
  const [{ version }] =
    'warehouse' in of
      ? await tx<[{ version: number }]>`
          insert into warehouse_tariffs (warehouse_code, version, first_day, prices, monthly_minimum, free_days,
            created_at, created_by)
          select code, coalesce((select max(version) from warehouse_tariffs where warehouse_code = code), 0) + 1,
            ${common[0]}, ${tx.json(prices)}, ${common[1] ?? 0}, ${common[2] ?? 0}, ${at}, ${by}
          from (select code from warehouses where code = ${of.warehouse} for no key update) w returning version`
      : await tx<[{ version: number }]>`
          insert into client_tariffs (client_id, version, first_day, prices, monthly_minimum, free_days, created_at,
            created_by)
          select id, coalesce((select max(version) from client_tariffs where client_id = id), 0) + 1,
            ${common[0]}, ${tx.json(prices)}, ${common[1]}, ${common[2]}, ${at}, ${by}
          from (select id from clients where id = ${of.clientId} for no key update) c returning version`
  await recomputeSoon(work, of)
  return version
}

/** Periods in which the version holds are computed at the next pass of the daily run. */
export async function recomputeSoon({ tx }: Work, of: TariffOf): Promise<void> {
  const whose =
    'warehouse' in of ? tx`warehouse_code = ${of.warehouse}` : tx`client_id = ${of.clientId}`
  await tx`
    update billing_periods set computed_at = null where ${whose} and closed_at is null`
}

/** Throws validation_error for a first day in a month that is closed, or before one. */
export async function refuseClosedDay({ tx }: Work, of: TariffOf, firstDay: string): Promise<void> {
  const whose =
    'warehouse' in of ? tx`warehouse_code = ${of.warehouse}` : tx`client_id = ${of.clientId}`
  const [closed] = await tx<{ month: string }[]>`
    select month from billing_periods
    where ${whose} and closed_at is not null and month + interval '1 month' > ${firstDay}::date
    order by month desc limit 1`
  if (closed !== undefined) {
    throw invalidField(
      'first_day',
      `${closed.month.slice(0, 7)} уже закрыт, назовите день после него`,
    )
  }
}

/** As the database keeps them. Throws validation_error. */
async function pricesOf({ tx }: Work, warehouse: string, { prices }: TariffDraft) {
  const known = new Set((await listServices(tx, warehouse)).map(({ code }) => code))
  const kept: TariffRow['prices'] = {}
  for (const [index, { service, steps }] of prices.entries()) {
    const field = `prices[${index}]`
    if (!known.has(service))
      throw invalidField(`${field}.service`, 'на этом складе такой услуги нет')
    if (service in kept) throw invalidField(`${field}.service`, 'цена этой услуги уже названа')
    for (const [place, { up_to: upTo }] of steps.entries()) {
      const before = steps[place - 1]?.up_to ?? 0
      const isLast = place === steps.length - 1
      if (isLast ? upTo !== null : upTo === null || upTo <= before) {
        const rule = isLast ? 'у последней ступени null' : 'ступени идут по возрастанию'
        throw invalidField(`${field}.steps[${place}].up_to`, rule)
      }
    }
    kept[service] = steps.map(({ up_to, price }) => ({ up_to, price: kopecksOf(price) }))
  }
  return kept
}

export const storageWays = ['unit', 'litre', 'box', 'pallet'] as const

export const StorageTerms = Type.Object(
  {
    first_day: calendarDay('С какого дня действует.'),
    way: Type.Unsafe<(typeof storageWays)[number]>({
      type: 'string',
      enum: [...storageWays],
      description: 'unit — по штукам, litre — по литрам, box — по коробам, pallet — по паллетам.',
    }),
    assumed_litres: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        pattern: '^\\d{1,6}([.,]\\d)?$',
        description: 'Литров у единицы, которую не измерили; null — её не начисляют.',
      }),
    ),
  },
  { $id: 'StorageTerms', additionalProperties: false, description: 'Как считают хранение.' },
)
export type StorageTerms = Static<typeof StorageTerms>

/** All of a client, the latest first. */
export async function listStorageTerms(db: Queryable, clientId: string): Promise<StorageTerms[]> {
  const rows = await db<StorageTerms[]>`
    select first_day, way, assumed_litres from storage_terms
    where client_id = ${clientId} order by first_day desc limit 500`
  return rows.map((row) => ({
    ...row,
    assumed_litres: row.assumed_litres ? quantityText(row.assumed_litres) : null,
  }))
}

/** Says how storage is charged from a day on. Throws validation_error, and conflict for a day that has terms. */
export async function addStorageTerms(
  work: Work,
  clientId: string,
  { first_day: given, way, assumed_litres: litres = null }: StorageTerms,
): Promise<void> {
  const { tx, at } = work
  const firstDay = readDateField('first_day', given)
  await refuseClosedDay(work, { clientId }, firstDay)
  const added = await tx`
    insert into storage_terms (client_id, first_day, way, assumed_litres, created_at, created_by)
    values (${clientId}, ${firstDay}, ${way}, ${litres?.replace(',', '.') ?? null}, ${at}, ${actorText(work.actor)})
    on conflict (client_id, first_day) do nothing returning way`
  if (added.length === 0) throw conflict('С этого дня условия уже названы, выберите другой')
  await recomputeSoon(work, { clientId })
}
