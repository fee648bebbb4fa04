import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { amountsOf, type FigureRows } from './figure-rows.ts'

/** What lies in storage now. */
export interface StoredNow {
  readonly units: number
  readonly in_question: number
  readonly sku_count: number
  readonly boxes: number
  readonly pallets: number
}

/** From the sums that are kept where units and boxes change. */
export function storedNow(db: Queryable, clientId: string): Fragment {
  return db`
    select 'stored' as source, f.name, '' as detail, f.amount from (
      select sum(units)::bigint as units, sum(in_question)::bigint as in_question, sum(goods)::bigint as goods,
        sum(boxes)::bigint as boxes, sum(pallets)::bigint as pallets
      from stock_versions where client_id = ${clientId}
    ) s, lateral (values
      ('units', s.units), ('in_question', s.in_question), ('goods', s.goods), ('boxes', s.boxes), ('pallets', s.pallets)
    ) f (name, amount)`
}

export function storedNowOf(rows: FigureRows): StoredNow {
  const amount = amountsOf(rows, 'stored')
  return {
    units: amount('units'),
    in_question: amount('in_question'),
    sku_count: amount('goods'),
    boxes: amount('boxes'),
    pallets: amount('pallets'),
  }
}
