import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, invalidField } from '../../platform/kernel/errors.ts'
import { innProblemOf } from '../../platform/kernel/inn.ts'
import { calendarDay } from '../../platform/kernel/schema.ts'
import { readDateField } from '../../platform/kernel/time-field.ts'

/** The legal entity that charges for a warehouse, from a day on. Writes billing_providers. */

export const vatRates = [5, 7, 22] as const

export const ProviderDraft = Type.Object(
  {
    first_day: calendarDay('С какого дня действует.'),
    name: Type.String({ minLength: 1, maxLength: 300, description: 'Название исполнителя.' }),
    inn: Type.String({ description: 'Его ИНН.' }),
    kpp: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: '^\\d{9}$',
      description: 'КПП; у предпринимателя null.',
    }),
    address: Type.String({ minLength: 1, maxLength: 500, description: 'Адрес.' }),
    signatory: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Кто подписывает акты: должность и имя.',
    }),
    vat_rate: Type.Unsafe<(typeof vatRates)[number] | null>({
      type: ['integer', 'null'],
      enum: [...vatRates, null],
      description: 'Ставка НДС в процентах; null — без НДС.',
    }),
    vat_included: Type.Boolean({ description: 'true — цены уже с НДС.' }),
  },
  { $id: 'BillingProviderDraft', additionalProperties: false, description: 'Исполнитель.' },
)
export type ProviderDraft = Static<typeof ProviderDraft>

export const Provider = Type.Object(
  { warehouse_code: Type.String({ description: 'Склад.' }), ...ProviderDraft.properties },
  { $id: 'BillingProvider', description: 'Исполнитель: юрлицо, которое выставляет акты.' },
)
export type Provider = Static<typeof Provider>

const columns = (db: Queryable) =>
  db`warehouse_code, first_day, name, inn, kpp, address, signatory, vat_rate, vat_included`

/** All versions, the latest first. */
export function listProviders(db: Queryable, warehouse: string): Promise<Provider[]> {
  return db<Provider[]>`
    select ${columns(db)} from billing_providers
    where warehouse_code = ${warehouse} order by first_day desc`
}

/** Who charges on a day; undefined where nobody has said. */
export async function providerOn(
  db: Queryable,
  warehouse: string,
  day: string,
): Promise<Provider | undefined> {
  const [provider] = await db<Provider[]>`
    select ${columns(db)} from billing_providers
    where warehouse_code = ${warehouse} and first_day <= ${day} order by first_day desc limit 1`
  return provider
}

/** Says who charges from a day on; the same day again corrects it. Throws validation_error, and conflict for a day with acts. */
export async function putProvider(
  work: Work,
  warehouse: string,
  draft: ProviderDraft,
): Promise<void> {
  const firstDay = readDateField('first_day', draft.first_day)
  const { name, inn, kpp, address, signatory } = draft
  const problem = innProblemOf(inn)
  if (problem !== undefined) throw invalidField('inn', problem)
  if (draft.vat_rate === null && draft.vat_included) {
    throw invalidField('vat_included', 'без НДС цены не могут его содержать')
  }
  const [act] = await work.tx`
    select a.id from acts a join billing_periods p using (client_id, month)
    where coalesce(a.warehouse_code, p.warehouse_code) = ${warehouse} and a.day >= ${firstDay} limit 1`
  if (act !== undefined) throw conflict('С этого дня уже есть акты: назовите день после них')
  await work.tx`
    insert into billing_providers (warehouse_code, first_day, name, inn, kpp, address, signatory, vat_rate,
      vat_included, created_at, created_by)
    values (${warehouse}, ${firstDay}, ${name}, ${inn}, ${kpp}, ${address}, ${signatory}, ${draft.vat_rate},
      ${draft.vat_included}, ${work.at}, ${actorText(work.actor)})
    on conflict (warehouse_code, first_day) do update set name = excluded.name, inn = excluded.inn, kpp = excluded.kpp,
      address = excluded.address, signatory = excluded.signatory, vat_rate = excluded.vat_rate,
      vat_included = excluded.vat_included, created_at = excluded.created_at, created_by = excluded.created_by`
}
