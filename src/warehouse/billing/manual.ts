import Type, { type Static } from 'typebox'
import type { Transaction } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, invalidField, notFound } from '../../platform/kernel/errors.ts'
import { isId, newId } from '../../platform/kernel/ids.ts'
import { moscowDate } from '../../platform/kernel/moscow-time.ts'
import { calendarDay, oneOfValues } from '../../platform/kernel/schema.ts'
import { readDateField } from '../../platform/kernel/time-field.ts'
import { kopecksOf, moneyPattern } from './money.ts'
import { lockOpenPeriods, monthOf } from './run.ts'
import { serviceNamed } from './service-list.ts'

/** Services whose quantity somebody enters. Writes manual_charges. */

export const chargedObjects = ['receipt', 'order', 'shipment', 'return', 'count'] as const

export const ManualChargeDraft = Type.Object(
  {
    service: Type.String({ description: 'Код своей услуги склада.' }),
    day: Type.Optional(calendarDay('День; без поля — сегодня.')),
    quantity: Type.String({
      pattern: '^-?\\d{1,6}([.,]\\d{1,3})?$',
      examples: ['3'],
      description: 'Сколько, до трёх знаков; с минусом — вернуть клиенту, тогда нужна price.',
    }),
    price: Type.Optional(
      Type.String({
        pattern: moneyPattern,
        examples: ['150.00'],
        description: 'Цена за единицу, рубли; без поля — по тарифу.',
      }),
    ),
    comment: Type.String({ minLength: 1, maxLength: 1000, description: 'За что: увидит клиент.' }),
    entry_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Свой номер: повтор с ним не начислит второй раз.',
      }),
    ),
    object: Type.Optional(
      Type.Object(
        {
          kind: oneOfValues(chargedObjects, 'Приёмка, заказ, отгрузка, приём возвратов, пересчёт.'),
          id: Type.String({ description: 'Идентификатор.' }),
        },
        { additionalProperties: false, description: 'К чему относится.' },
      ),
    ),
  },
  { $id: 'ManualChargeDraft', additionalProperties: false, description: 'Услуга вручную.' },
)
export type ManualChargeDraft = Static<typeof ManualChargeDraft>

interface ManualEntry {
  readonly id: string
  /** False: it was charged before, by a request with the same number. */
  readonly isNew: boolean
}

/** Locks the open periods of what is new. Throws validation_error, and conflict for a closed day. */
export async function addManualCharge(
  work: Work,
  { clientId, warehouse }: { readonly clientId: string; readonly warehouse: string },
  draft: ManualChargeDraft,
): Promise<ManualEntry> {
  const { tx, at } = work
  const { service: code, price, comment, object } = draft
  const id = draft.entry_id === undefined ? newId() : await idOfEntry(tx, draft.entry_id)
  if (await isEntered(tx, { clientId, id }, draft)) return { id, isNew: false }
  const today = moscowDate(work.now)
  const day = draft.day === undefined ? today : readDateField('day', draft.day)
  if (day > today) throw invalidField('day', 'этот день ещё не наступил')
  const quantity = draft.quantity.replace(',', '.')
  if (Number(quantity) === 0) throw invalidField('quantity', 'не ноль')
  if (Number(quantity) < 0 && price === undefined)
    throw invalidField('price', 'возврат — по цене, назовите её')
  const service = await serviceNamed(tx, warehouse, { field: 'service', code })
  if (service.measured) throw invalidField('service', 'эту услугу склад считает сам')
  if (object !== undefined) await refuseForeignObject(tx, clientId, object)
  await holdMonth(work, clientId, day)
  const added = await tx`
    insert into manual_charges (client_id, id, day, service, quantity, price, comment, object_kind, object_id,
      created_at, created_by)
    values (${clientId}, ${id}, ${day}, ${code}, ${quantity}, ${price === undefined ? null : kopecksOf(price)},
      ${comment}, ${object?.kind ?? null}, ${object?.id ?? null}, ${at}, ${actorText(work.actor)})
    on conflict do nothing returning id`
  return { id, isNew: added.length > 0 || !(await isEntered(tx, { clientId, id }, draft)) }
}

const tablesOf = {
  ...{ receipt: 'receipts', order: 'orders', shipment: 'shipments' },
  ...{ return: 'return_batches', count: 'stock_counts' },
} as const

async function refuseForeignObject(
  tx: Transaction,
  clientId: string,
  { kind, id }: NonNullable<ManualChargeDraft['object']>,
): Promise<void> {
  const found = isId(id)
    ? await tx`select from ${tx(tablesOf[kind])} where client_id = ${clientId} and id = ${id}`
    : []
  if (found.length === 0) throw invalidField('object.id', 'у клиента такого нет')
}

async function idOfEntry(tx: Transaction, entry: string): Promise<string> {
  const [{ id }] = await tx<[{ id: string }]>`select md5(${entry})::uuid as id`
  return id
}

/** Whether a request with this number has charged it. Throws validation_error if it charged something else. */
async function isEntered(
  tx: Transaction,
  { clientId, id }: { readonly clientId: string; readonly id: string },
  { service, quantity, comment }: ManualChargeDraft,
): Promise<boolean> {
  const [known] = await tx<{ same: boolean }[]>`
    select (service, quantity, comment) = (${service}, ${quantity.replace(',', '.')}::numeric, ${comment}) as same
    from manual_charges where client_id = ${clientId} and id = ${id}`
  if (known?.same === false)
    throw invalidField('entry_id', 'с этим номером уже начислено другое: возьмите новый')
  return known !== undefined
}

/** Takes one back while its month is open, and locks the open periods. Throws not_found and conflict. */
export async function cancelManualCharge(work: Work, clientId: string, id: string): Promise<void> {
  const { tx } = work
  await lockOpenPeriods(work, clientId)
  const [charge] = isId(id)
    ? await tx<{ day: string }[]>`
        select day from manual_charges
        where client_id = ${clientId} and id = ${id} and cancelled_at is null for update`
    : []
  if (charge === undefined) throw notFound('Такой услуги нет, или её уже отменили')
  await holdMonth(work, clientId, charge.day)
  await tx`
    update manual_charges set cancelled_at = ${work.at}, cancelled_by = ${actorText(work.actor)}
    where client_id = ${clientId} and id = ${id}`
}

/** The month of the day stays open until the transaction ends. */
async function holdMonth(work: Work, clientId: string, day: string): Promise<void> {
  const open = await lockOpenPeriods(work, clientId, day)
  if (open.some(({ month }) => month === monthOf(day))) return
  const [closed] = await work.tx`
    select from billing_periods
    where client_id = ${clientId} and month >= month_of(${day}::date) and closed_at is not null limit 1`
  throw closed === undefined
    ? invalidField('day', 'тогда клиент ещё не работал со складом, или прошло больше года')
    : conflict('Этот месяц закрыт: начислите или верните днём из открытого')
}
