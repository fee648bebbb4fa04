import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { invalidField } from '../../platform/kernel/errors.ts'
import { moscowDate, type Timestamp } from '../../platform/kernel/moscow-time.ts'
import { calendarDay, integerOrNull, moment } from '../../platform/kernel/schema.ts'
import { readDateField } from '../../platform/kernel/time-field.ts'
import { recomputeSoon, refuseClosedDay } from './tariffs.ts'

/** Measures of goods, each from a day on. Writes product_measures. */

const side = (name: string) =>
  Type.Number({ minimum: 0.1, maximum: 1000, description: `${name}, см, до миллиметра.` })

export const MeasuresDraft = Type.Object(
  {
    length_cm: side('Длина'),
    width_cm: side('Ширина'),
    height_cm: side('Высота'),
    weight_g: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 1,
        maximum: 1_000_000,
        description: 'Вес, г; null или без поля — не взвешен.',
      }),
    ),
    first_day: Type.Optional(calendarDay('С какого дня действуют; без поля — с сегодня.')),
  },
  { $id: 'MeasuresDraft', additionalProperties: false, description: 'Размеры одной единицы.' },
)
export type MeasuresDraft = Static<typeof MeasuresDraft>

export const ProductMeasures = Type.Object(
  {
    first_day: calendarDay('С какого дня действуют.'),
    length_cm: side('Длина'),
    width_cm: side('Ширина'),
    height_cm: side('Высота'),
    weight_g: integerOrNull('Вес, г; null — не взвешен.'),
    litres: Type.Number({ description: 'Объём, л: вверх до 0,1, как считают хранение.' }),
    measured_at: moment('Когда измерен.'),
    measured_by: Type.String({ description: 'Кто измерил.' }),
  },
  { $id: 'ProductMeasures', description: 'Размеры товара с какого-то дня.' },
)
export type ProductMeasures = Static<typeof ProductMeasures>

interface ProductOf {
  readonly clientId: string
  readonly barcode: string
}

interface MeasuresRow {
  first_day: string
  length_mm: number
  width_mm: number
  height_mm: number
  weight_g: number | null
  created_at: Timestamp
  created_by: string
}

/** All of a product, the latest day first. `measured_by` is the text of an actor. */
export async function listMeasures(
  db: Queryable,
  { clientId, barcode }: ProductOf,
): Promise<ProductMeasures[]> {
  const rows = await db<MeasuresRow[]>`
    select first_day, length_mm, width_mm, height_mm, weight_g, created_at, created_by from product_measures
    where client_id = ${clientId} and barcode = ${barcode} order by first_day desc limit 500`
  return rows.map((row) => ({
    first_day: row.first_day,
    ...centimetresOf(row),
    weight_g: row.weight_g,
    litres: Math.ceil((row.length_mm * row.width_mm * row.height_mm) / 100_000) / 10,
    measured_at: row.created_at,
    measured_by: row.created_by,
  }))
}

/** Whether the text of an actor says that measures come from a marketplace's card. */
export const isByCard = (actor: string): boolean => actor.startsWith('marketplace:')
const byCard = 'marketplace:%'

/**
 * Takes measures from cards, from today on, for goods that nobody has measured by hand. Of several cards the first one
 * holds, so the measures change only when that card does.
 */
export async function takeCardMeasures(
  { tx, now, at }: SharedWork,
  clientId: string,
): Promise<void> {
  await tx`
    insert into product_measures
      (client_id, barcode, first_day, length_mm, width_mm, height_mm, weight_g, created_at, created_by)
    select ${clientId}, c.barcode, ${moscowDate(now)}, c.length_mm, c.width_mm, c.height_mm, c.weight_g, ${at},
      'marketplace:' || c.cabinet_id
    from (
      select distinct on (p.barcode) p.barcode, c.cabinet_id, c.length_mm, c.width_mm, c.height_mm, c.weight_g
      from marketplace_cards c
      cross join unnest(c.barcodes) with ordinality b (barcode, place)
      left join barcode_aliases a on a.client_id = c.client_id and a.spelling = b.barcode
      join products p on p.client_id = c.client_id and p.barcode = coalesce(a.barcode, b.barcode)
      where c.client_id = ${clientId} and c.length_mm is not null
      order by p.barcode, c.cabinet_id, c.item_id, b.place
    ) c
    left join lateral (
      select length_mm, width_mm, height_mm, weight_g, created_by from product_measures m
      where m.client_id = ${clientId} and m.barcode = c.barcode order by (created_by like ${byCard}), first_day desc limit 1
    ) m on true
    where (m.created_by is null or m.created_by like ${byCard})
      and (m.length_mm, m.width_mm, m.height_mm, m.weight_g)
        is distinct from (c.length_mm, c.width_mm, c.height_mm, c.weight_g)
    order by c.barcode
    on conflict (client_id, barcode, first_day) do nothing`
}

/** What a day's measures were before, if it had any, and are now. */
export interface Measured {
  readonly before: MeasuresDraft | undefined
  readonly after: MeasuresDraft
}

/**
 * Measures a product from a day on; the same day once more corrects it. Undefined where nothing changed. Throws
 * validation_error, for a day of a closed month too.
 */
export async function addMeasures(
  work: Work,
  product: ProductOf,
  draft: MeasuresDraft,
): Promise<Measured | undefined> {
  const { clientId, barcode } = product
  const firstDay =
    draft.first_day === undefined
      ? moscowDate(work.now)
      : readDateField('first_day', draft.first_day)
  await refuseClosedDay(work, { clientId }, firstDay)
  const [length_mm = 0, width_mm = 0, height_mm = 0] = (
    ['length_cm', 'width_cm', 'height_cm'] as const
  ).map((field) => millimetresOf(field, draft[field]))
  const measured = { barcode, length_mm, width_mm, height_mm, weight_g: draft.weight_g ?? null }
  await lockProducts(work, clientId, [barcode])
  // Where the goods were merged meanwhile, the transaction runs again and measures the product that they became.
  await work.tx`select refuse_merged(${clientId}, array[${barcode}])`
  const before = await measuresFrom(work, product, firstDay)
  const written = await writeMeasures(work, clientId, { firstDay, measured: [measured] })
  return written === 0
    ? undefined
    : { before, after: { weight_g: null, ...draft, first_day: firstDay } }
}

/** Measures of one of many products, as a file has them. */
export interface MeasuredProduct extends Pick<MeasuresRow, MeasuredSide | 'weight_g'> {
  readonly barcode: string
}
type MeasuredSide = 'length_mm' | 'width_mm' | 'height_mm'

/**
 * Measures many products of a client from a day on, today where none is given. Returns how many changed. Throws
 * validation_error, for a day of a closed month too.
 */
export async function addMeasuresOfMany(
  work: Work,
  clientId: string,
  { firstDay: given, measured }: { firstDay: string | undefined; measured: MeasuredProduct[] },
): Promise<{ readonly firstDay: string; readonly changed: number }> {
  const firstDay = given === undefined ? moscowDate(work.now) : readDateField('first_day', given)
  await refuseClosedDay(work, { clientId }, firstDay)
  await lockProducts(
    work,
    clientId,
    measured.map(({ barcode }) => barcode),
  )
  return { firstDay, changed: await writeMeasures(work, clientId, { firstDay, measured }) }
}

/** Nobody else measures them until the transaction ends. */
function lockProducts(
  { tx }: Work,
  clientId: string,
  barcodes: readonly string[],
): PromiseLike<unknown> {
  return tx`
    select from products where client_id = ${clientId} and barcode = any(${[...barcodes]})
    order by barcode for no key update`
}

/** Returns how many differ from what the day had. */
async function writeMeasures(
  work: Work,
  clientId: string,
  { firstDay, measured }: { firstDay: string; measured: readonly MeasuredProduct[] },
): Promise<number> {
  const { tx, at } = work
  const written = await tx`
    insert into product_measures as m
      (client_id, barcode, first_day, length_mm, width_mm, height_mm, weight_g, created_at, created_by)
    select ${clientId}, r.barcode, ${firstDay}, r.length_mm, r.width_mm, r.height_mm, r.weight_g, ${at},
      ${actorText(work.actor)}
    from jsonb_to_recordset(${tx.json(measured.map((each) => ({ ...each })))}) r
      (barcode text, length_mm integer, width_mm integer, height_mm integer, weight_g integer)
    order by r.barcode
    on conflict (client_id, barcode, first_day) do update set
      length_mm = excluded.length_mm, width_mm = excluded.width_mm, height_mm = excluded.height_mm,
      weight_g = excluded.weight_g, created_at = excluded.created_at, created_by = excluded.created_by
    where m.created_by like ${byCard} or (m.length_mm, m.width_mm, m.height_mm, m.weight_g)
      is distinct from (excluded.length_mm, excluded.width_mm, excluded.height_mm, excluded.weight_g)
    returning barcode`
  if (written.length > 0 && firstDay < moscowDate(work.now)) await recomputeSoon(work, { clientId })
  return written.length
}

/**
 * A product becomes another one, which nobody has measured. That one gets these measures from today on, with the day
 * and the person of the measuring, so no charge of a past day changes.
 */
export async function mergeMeasures(
  { tx, now }: Work,
  clientId: string,
  { from, into }: { readonly from: string; readonly into: string },
): Promise<void> {
  const today = moscowDate(now)
  await tx`
    insert into product_measures
      (client_id, barcode, first_day, length_mm, width_mm, height_mm, weight_g, created_at, created_by)
    select distinct on (m.starts) m.client_id, ${into}, m.starts, m.length_mm, m.width_mm, m.height_mm, m.weight_g,
      m.created_at, m.created_by
    from (select *, greatest(first_day, ${today}::date) as starts from product_measures) m
    where m.client_id = ${clientId} and m.barcode = ${from} and not exists (
      select from product_measures k where k.client_id = m.client_id and k.barcode = ${into})
    order by m.starts, m.first_day desc
    on conflict (client_id, barcode, first_day) do nothing`
}

/** Those that begin on a day. */
async function measuresFrom(
  { tx }: Work,
  { clientId, barcode }: ProductOf,
  firstDay: string,
): Promise<MeasuresDraft | undefined> {
  const [row] = await tx<Omit<MeasuresRow, 'created_at' | 'created_by'>[]>`
    select first_day, length_mm, width_mm, height_mm, weight_g from product_measures
    where client_id = ${clientId} and barcode = ${barcode} and first_day = ${firstDay}`
  return row && { ...centimetresOf(row), weight_g: row.weight_g, first_day: row.first_day }
}

function centimetresOf(row: Pick<MeasuresRow, 'length_mm' | 'width_mm' | 'height_mm'>) {
  return {
    length_cm: row.length_mm / 10,
    width_cm: row.width_mm / 10,
    height_cm: row.height_mm / 10,
  }
}

function millimetresOf(field: string, centimetres: number): number {
  const millimetres = Math.round(centimetres * 10)
  if (Math.abs(centimetres * 10 - millimetres) > 1e-6) {
    throw invalidField(field, 'сантиметры с одним знаком после запятой, например 12.5')
  }
  return millimetres
}
