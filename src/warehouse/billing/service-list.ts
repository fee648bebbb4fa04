import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, excerpt, invalidField } from '../../platform/kernel/errors.ts'
import { measuredServices } from './services.ts'

/** What a warehouse charges for: measured services, and its own, whose quantity somebody enters. Writes billing_services. */
export const BillingService = Type.Object(
  {
    code: Type.String({ description: 'Код услуги.' }),
    name: Type.String({ description: 'Название, как в акте.' }),
    unit: Type.String({ description: 'За что цена.' }),
    measured: Type.Boolean({
      description: 'true — склад считает сам, по сканам и документам; false — начисляют вручную.',
    }),
  },
  { $id: 'BillingService', description: 'Услуга склада.' },
)
export type BillingService = Static<typeof BillingService>

export const OwnServiceDraft = Type.Object(
  {
    code: Type.String({
      pattern: '^OWN_[A-Z0-9_]{1,40}$',
      examples: ['OWN_GIFT_WRAP'],
      description: 'Код: OWN_ и заглавные латинские буквы, цифры, подчёркивания.',
    }),
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Название, как в акте.' }),
    unit: Type.String({ minLength: 1, maxLength: 30, description: 'За что цена: шт., час.' }),
  },
  { $id: 'OwnServiceDraft', additionalProperties: false, description: 'Своя услуга склада.' },
)
export type OwnServiceDraft = Static<typeof OwnServiceDraft>

/** A service that only a run charges. */
export const minimumService = {
  code: 'MONTHLY_MINIMUM',
  name: 'Доплата до минимума за месяц',
  unit: 'месяц',
} as const

/** Measured ones in the order of the goods' way, then the warehouse's own by name. */
export async function listServices(db: Queryable, warehouse: string): Promise<BillingService[]> {
  const own = await db<Omit<BillingService, 'measured'>[]>`
    select code, name, unit from billing_services
    where warehouse_code = ${warehouse} and active order by name, code`
  return [
    ...measuredServices.map((service) => ({ ...service, measured: true })),
    ...own.map((service) => ({ ...service, measured: false })),
  ]
}

/** Adds a service. Throws conflict for a code that the warehouse has. */
export async function addOwnService(
  { tx, at }: Work,
  warehouse: string,
  { code, name, unit }: OwnServiceDraft,
): Promise<void> {
  const added = await tx`
    insert into billing_services (warehouse_code, code, name, unit, created_at)
    values (${warehouse}, ${code}, ${name}, ${unit}, ${at}) on conflict do nothing returning code`
  if (added.length === 0) throw conflict(`Услуга ${code} на этом складе уже есть`)
}

/** Throws validation_error, naming the field, for a service that the warehouse does not have. */
export async function serviceNamed(
  db: Queryable,
  warehouse: string,
  { field, code }: { readonly field: string; readonly code: string },
): Promise<BillingService> {
  const service = (await listServices(db, warehouse)).find((each) => each.code === code)
  if (service === undefined) throw invalidField(field, `нет услуги ${excerpt(code)}`)
  return service
}

/**
 * Names of all services, also of those that are offered no longer: rows (code, name, unit, place), one for each code.
 * Where a client moved and both warehouses have a code, the one that charged the client first names it.
 */
export function serviceNames(db: Queryable, clientId: string) {
  const measured = [...measuredServices, minimumService].map((service, place) => ({
    ...service,
    place,
  }))
  return db`
    select code, name, unit, place from jsonb_to_recordset(${db.json(measured)})
      m (code text, name text, unit text, place integer)
    union all
    (select distinct on (s.code) s.code, s.name, s.unit, 1000
    from billing_services s join (
      select warehouse_code, month from billing_periods where client_id = ${clientId}
      union all select warehouse_code, null from clients where id = ${clientId}
    ) charging using (warehouse_code)
    order by s.code, charging.month nulls last)`
}
