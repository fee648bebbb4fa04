import type { Work } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { quoted } from '../../platform/kernel/quoted.ts'
import type { SetPart } from '../catalogue/set-fields.ts'
import { freeUnits } from '../stock/balances.ts'
import { type Composition, compositionsOf } from '../stock/parts-allow.ts'
import { type Served, serveWanted } from '../stock/serve.ts'

/**
 * Sets that were ordered. While an order is in a shipment made here, and after it left, the lines of a set that does
 * not lie ready are those of its parts. They are reserved, picked, checked and shipped as any other goods.
 * `order_sets` keeps the line that was ordered, so the order keeps the parts that it took, whatever the set is made
 * of later.
 *
 *   the set --take parts--> its parts, and the sets that lie ready --stand as ordered--> the set
 */

interface OrderedLine {
  readonly order_id: string
  readonly line: number
  readonly barcode: string
  readonly units: number
  readonly number: string
  readonly name: string
  readonly article: string | null
  readonly item_id: number | null
  readonly marked: boolean
  readonly optional_marks: readonly string[]
}

/** What happens where parts lack: nobody takes any, or the shipment has left without them. */
export type LackOfParts = 'refused' | 'missing'

/**
 * Puts parts in the place of sets that do not lie ready. The caller has locked the orders, and then reserves the lines
 * or takes them from the ledger. Balances stay locked, so that free units stay free until then. Throws conflict where
 * parts lack and `lack` is 'refused', and for a set of which the marketplace wants marks: parts have none.
 */
export async function takeParts(
  work: Work,
  clientId: string,
  orderIds: readonly string[],
  lack: LackOfParts,
): Promise<void> {
  const { lines, sets } = await linesWithSets(work, clientId, orderIds)
  if (sets.size === 0) return
  const parts = [...sets.values()].flatMap((set) => set.parts.map(({ barcode }) => barcode))
  const free = await freeUnits(work, clientId, [...lines.map(({ barcode }) => barcode), ...parts])
  const served = serveWanted(lines, free, sets)
  const composed = served.filter(
    ({ wanted, ready }) => sets.has(wanted.barcode) && ready < wanted.units,
  )
  if (lack === 'refused') for (const each of composed) refuse(each)
  await writeParts(work, clientId, composed, sets)
}

/** The lines of orders, where one of them is a set. */
async function linesWithSets({ tx }: Work, clientId: string, orderIds: readonly string[]) {
  const lines = await tx<OrderedLine[]>`
    select l.order_id, l.line, l.barcode, l.quantity as units, o.external_id as number, p.name, l.article,
      l.item_id, cardinality(l.required_marks) > 0 as marked, l.optional_marks
    from order_lines l
    join orders o on o.client_id = l.client_id and o.id = l.order_id
    join products p on p.client_id = l.client_id and p.barcode = l.barcode
    where l.client_id = ${clientId} and l.order_id = any(${orderIds as string[]}::uuid[])
    order by l.order_id, l.line`
  const barcodes = lines.map(({ barcode }) => barcode)
  const sets = await compositionsOf(tx, clientId, barcodes)
  return { lines, sets }
}

function refuse({ wanted, ready, fromParts, short }: Served<OrderedLine>): void {
  const { name, number, units, marked } = wanted
  if (short > 0) {
    throw conflict(
      `Заказ ${number}: наборов ${quoted(name)} нужно ${units}, готовых свободно ${ready}, из частей выйдет ${fromParts}`,
    )
  }
  if (marked) {
    throw conflict(
      `Заказ ${number}: маркетплейс ждёт код или метку набора ${quoted(name)}, а у частей их нет: соберите набор заранее`,
    )
  }
}

async function writeParts(
  { tx }: Work,
  clientId: string,
  composed: readonly Served<OrderedLine>[],
  sets: ReadonlyMap<string, Composition>,
): Promise<void> {
  if (composed.length === 0) return
  const rows = composed.map(({ wanted, ready }) => ({
    ...wanted,
    optional_marks: [...wanted.optional_marks],
    from_parts: wanted.units - ready,
  }))
  const lines = composed.flatMap((each) => linesOfSet(each, sets.get(each.wanted.barcode)?.parts))
  await tx`
    insert into order_sets (client_id, order_id, line, barcode, article, item_id, quantity, from_parts, optional_marks)
    select ${clientId}, s.* from jsonb_to_recordset(${tx.json(rows)}) as s
      (order_id uuid, line integer, barcode text, article text, item_id bigint, units integer,
       from_parts integer, optional_marks text[])`
  await tx`
    insert into order_lines (client_id, order_id, line, barcode, article, item_id, quantity, set_line)
    select ${clientId}, n.order_id, n.at + (
        select max(l.line) from order_lines l where l.client_id = ${clientId} and l.order_id = n.order_id
      ), n.barcode, n.article, n.item_id, n.units, n.set_line
    from (
      select d.*, row_number() over (partition by d.order_id order by d.set_line, d.ready desc, d.barcode collate "C") as at
      from jsonb_to_recordset(${tx.json(lines)}) as d
        (order_id uuid, set_line integer, ready boolean, barcode text, article text, item_id bigint, units integer)
    ) n`
  await tx`
    delete from order_lines l using order_sets s
    where l.client_id = ${clientId} and l.order_id = any(${rows.map(({ order_id }) => order_id)}::uuid[])
      and s.client_id = l.client_id and s.order_id = l.order_id and s.line = l.line`
}

function linesOfSet({ wanted, ready }: Served<OrderedLine>, parts: readonly SetPart[] = []) {
  const { order_id, line: set_line, barcode, article, item_id, units } = wanted
  const own = { order_id, set_line }
  return [
    ...(ready > 0 ? [{ ...own, ready: true, barcode, article, item_id, units: ready }] : []),
    ...parts.map((part) => ({
      ...own,
      ready: false,
      barcode: part.barcode,
      article: null,
      item_id: null,
      units: (units - ready) * part.qty,
    })),
  ]
}

/**
 * Puts the ordered sets back in the place of their parts. The orders have left their shipments, and nothing of them is
 * picked or reserved.
 */
export async function standAsOrdered(
  { tx }: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<void> {
  const ids = [...orderIds]
  const removed = await tx`
    delete from order_lines
    where client_id = ${clientId} and order_id = any(${ids}::uuid[]) and set_line is not null
    returning line`
  if (removed.length === 0) return
  await tx`
    with gone as (
      delete from order_sets where client_id = ${clientId} and order_id = any(${ids}::uuid[]) returning *
    )
    insert into order_lines (client_id, order_id, line, barcode, article, item_id, quantity, optional_marks)
    select client_id, order_id, line, barcode, article, item_id, quantity, optional_marks from gone`
}
