import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { excerpt, invalidField } from '../../platform/kernel/errors.ts'
import { isId } from '../../platform/kernel/ids.ts'
import type { Merging } from '../catalogue/merged-products.ts'
import { unitsOfOrder } from './outside.ts'

/** What a batch expects: the rows of return_lines, written when it opens. */

/** An order whose units are expected: its id, or its number in a cabinet. */
export interface ExpectedUnits {
  readonly order_id?: string | undefined
  readonly external_id?: string | undefined
}

interface NewLine {
  readonly order_id: string | null
  readonly expected_return_id: string | null
  readonly external_id: string
  readonly barcode: string | null
  readonly units: number
}

/** Expects all units of orders that are still outside. Throws validation_error, naming the order. */
export async function expectUnits(
  work: Work,
  clientId: string,
  returnId: string,
  cabinetId: string | undefined,
  expected: readonly ExpectedUnits[],
): Promise<void> {
  const lines: NewLine[] = []
  const taken = new Set<string>()
  for (const [index, named] of expected.entries()) {
    const order = await orderOf(work, clientId, cabinetId, named, `expected[${index}]`)
    if (taken.has(order.id)) {
      throw invalidField(`expected[${index}]`, `заказ ${order.external_id} уже есть в этом списке`)
    }
    taken.add(order.id)
    const left = await unitsOfOrder(work.tx, clientId, order.id)
    const outside = left.filter(({ units }) => units > 0)
    if (outside.length === 0) {
      const why = left.length === 0 ? 'с этого склада не отгружался' : 'уже вернулся на склад'
      throw invalidField(`expected[${index}]`, `заказ ${order.external_id} ${why}: ждать нечего`)
    }
    for (const { barcode, units } of outside) {
      const { id: order_id, external_id } = order
      lines.push({ order_id, expected_return_id: null, external_id, barcode, units })
    }
  }
  await insertLines(work, clientId, returnId, lines)
}

interface KnownOrder {
  readonly id: string
  readonly external_id: string
}

async function orderOf(
  { tx }: Work,
  clientId: string,
  cabinetId: string | undefined,
  { order_id: id, external_id: number }: ExpectedUnits,
  field: string,
): Promise<KnownOrder> {
  if ((id === undefined) === (number === undefined)) {
    throw invalidField(field, 'укажите order_id или external_id, одно из двух')
  }
  if (id !== undefined) {
    const [order] = isId(id)
      ? await tx<KnownOrder[]>`
          select id, external_id from orders where client_id = ${clientId} and id = ${id}`
      : []
    if (order === undefined) throw invalidField(`${field}.order_id`, 'у клиента нет такого заказа')
    return order
  }
  const orders = await tx<KnownOrder[]>`
    select o.id, o.external_id
    from cabinets k join orders o on o.client_id = k.client_id and o.cabinet_id = k.id
    where k.client_id = ${clientId} and o.external_id = ${number ?? ''}
      and (${cabinetId ?? null}::uuid is null or k.id = ${cabinetId ?? null}::uuid)
    limit 2`
  const [order, other] = orders
  if (order === undefined) {
    throw invalidField(`${field}.external_id`, `у клиента нет заказа ${excerpt(number ?? '')}`)
  }
  if (other !== undefined) {
    throw invalidField(
      `${field}.external_id`,
      'такой номер есть в нескольких кабинетах: укажите cabinet_id или order_id',
    )
  }
  return order
}

const readyMax = 1000

/**
 * Expects what the cabinet's marketplace has ready to be fetched, the longest waiting first. WB does not say
 * what is ready: of it everything is expected that is on its way back.
 */
export async function unitsToFetch(
  work: Work,
  clientId: string,
  returnId: string,
  cabinetId: string,
): Promise<void> {
  const lines = await work.tx<NewLine[]>`
    select e.order_id, e.id as expected_return_id,
      coalesce(e.order_number, e.external_id) as external_id,
      coalesce(l.barcode, g.barcodes[1]) as barcode, e.units - s.came as units
    from expected_returns e
    cross join lateral (
      select count(*)::int as came from return_scans s
      where s.client_id = e.client_id and s.expected_return_id = e.id and s.undone_at is null
    ) s
    ${goodsOfExpected(work.tx)}
    join cabinets k on k.client_id = e.client_id and k.id = e.cabinet_id
    where e.client_id = ${clientId} and e.cabinet_id = ${cabinetId}
      and (e.state = 'READY' or k.marketplace = 'WB' and e.state = 'ON_THE_WAY')
      and e.units > s.came
    order by e.created_at, e.id limit ${readyMax}`
  await insertLines(work, clientId, returnId, lines)
}

async function insertLines(
  { tx }: Work,
  clientId: string,
  returnId: string,
  lines: readonly NewLine[],
): Promise<void> {
  const rows = lines.map((line, index) => ({ ...line, line: index + 1 }))
  await tx`
    insert into return_lines (client_id, return_id, line, order_id, expected_return_id, external_id,
      barcode, units)
    select ${clientId}, ${returnId}, l.*
    from jsonb_to_recordset(${tx.json(rows)}) as l
      (line integer, order_id uuid, expected_return_id uuid, external_id text, barcode text,
       units integer)`
}

/**
 * Joins for expected returns called `e`: `g`, the card of their goods, and `l`, the line of their order with
 * the barcode of these goods. Either may be missing.
 */
export function goodsOfExpected(db: Queryable) {
  return db`
    left join marketplace_cards g on g.client_id = e.client_id and g.cabinet_id = e.cabinet_id
      and g.item_id = e.item_id
    left join lateral (
      select l.barcode from order_lines l
      where l.client_id = e.client_id and l.order_id = e.order_id and l.item_id = e.item_id
      order by l.line limit 1
    ) l on true`
}

/** Open batches expect the product that goods became, and have taken in its units. */
export async function mergeReturnLines(
  { tx }: Work,
  clientId: string,
  { from, into }: Merging,
): Promise<void> {
  const open = await tx<{ id: string }[]>`
    select id from return_batches where client_id = ${clientId} and status = 'OPEN'
    order by id for no key update`
  const ids = open.map(({ id }) => id)
  await tx`
    update return_lines set barcode = ${into}
    where client_id = ${clientId} and return_id = any(${ids}::uuid[]) and barcode = ${from}`
  await tx`
    update return_scans set barcode = ${into}
    where client_id = ${clientId} and return_id = any(${ids}::uuid[]) and barcode = ${from}`
}
