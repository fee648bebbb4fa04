import type { Queryable } from '../../platform/db/connection.ts'
import { quantityText } from './money.ts'
import { type ActRow, findAct, vatOf } from './periods.ts'
import { serviceNames } from './service-list.ts'

/** An act service by service, as its papers show it. Money is in kopecks. */
export interface ActLine {
  readonly code: string
  readonly name: string
  readonly unit: string
  readonly quantity: string
  /** Null where quantity × price would not be the amount: steps, adjustments, roundings. */
  readonly price: number | null
  readonly amount: number
  readonly vat: number
  readonly total: number
}

export interface ActWithLines extends ActRow {
  readonly lines: readonly ActLine[]
}

export async function findActWithLines(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<ActWithLines | undefined> {
  const act = await findAct(db, clientId, id)
  if (act === undefined) return undefined
  const rows = await db<Omit<ActLine, 'vat' | 'total'>[]>`
    select c.service as code, coalesce(s.name, c.service) as name, coalesce(s.unit, '') as unit,
      sum(c.quantity)::text as quantity, sum(c.amount)::bigint as amount,
      case when min(c.price) = max(c.price) and sum(c.amount) = round(sum(c.quantity) * min(c.price))
        then min(c.price) end as price
    from charges c left join (${serviceNames(db, clientId)}) s on s.code = c.service
    where c.client_id = ${clientId} and c.month = ${act.month}
      and (${act.warehouse_code}::text is null or client_warehouse_on(c.client_id, c.day, '') = ${act.warehouse_code})
    group by 1, 2, 3, s.place order by s.place, 1`
  return { ...act, lines: withVat(rows, act) }
}

/**
 * VAT is rounded once per act: each line takes what it adds to that of the lines before, so that the lines add up to
 * the act.
 */
function withVat(rows: readonly Omit<ActLine, 'vat' | 'total'>[], act: ActRow): ActLine[] {
  let [amount, vat] = [0, 0]
  return rows.map((row) => {
    const before = vat
    amount += row.amount
    vat = vatOf(amount, act).vat
    const own = vat - before
    return {
      ...row,
      quantity: quantityText(row.quantity),
      vat: own,
      total: act.vat_included ? row.amount : row.amount + own,
    }
  })
}
