import type { Database, Queryable } from '../../platform/db/connection.ts'
import { perform, type Work } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { moscowDate } from '../../platform/kernel/moscow-time.ts'
import { freeUnits, lockBalances } from './balances.ts'
import { recordMovements } from './ledger.ts'
import { holdLots } from './lots.ts'
import { balancesOf, openQuestions } from './units-in-question.ts'

/**
 * Units whose date has passed go in question, with the reason EXPIRED: nobody can reserve them, and sellers see that they are
 * not available. `lot_goods.expired_units` says how many went there, so that no unit goes twice.
 */

/** SQL: the lot `l` has expired, and does not wait in an order. */
const hasExpired = (db: Queryable, today: string) => db`
  l.place <> 'picked' and l.expires_on > '-infinity' and l.expires_on < ${today}::date`

/** Goods of one client per transaction. */
const batch = 100

/** Finds goods with newly expired units, and puts these in question. Returns how many goods it found. */
export async function questionExpired(db: Database, clock: Clock): Promise<number> {
  const today = moscowDate(clock.now())
  const found = await db<{ client_id: string; barcodes: string[] }[]>`
    select c.client_id, (array_agg(g.barcode order by g.barcode))[1:${batch}] as barcodes
    from (select distinct client_id from lot_goods) c
    cross join lateral (
      select l.barcode, sum(l.quantity) as units from stock_lots l
      where l.client_id = c.client_id and ${hasExpired(db, today)}
      group by l.barcode
    ) e
    join lot_goods g on g.client_id = c.client_id and g.barcode = e.barcode
    join stock_balances b on b.client_id = g.client_id and b.barcode = g.barcode
    where e.units > g.expired_units and b.quantity > b.in_question + b.reserved
    group by c.client_id`
  let goods = 0
  for (const { client_id: clientId, barcodes } of found) {
    goods += barcodes.length
    await perform(db, clock, { kind: 'service' }, (work) =>
      questionExpiredOf(work, clientId, barcodes),
    )
  }
  return goods
}

/**
 * The same for goods that are about to be reserved. The run of each minute may have still to come for units that expired
 * while they were reserved and were released since.
 */
export async function questionExpiredBefore(
  work: Work,
  clientId: string,
  barcodes: readonly string[],
): Promise<void> {
  const today = moscowDate(work.now)
  const found = await work.tx`
    select from lot_goods g
    where g.client_id = ${clientId} and g.barcode = any(${[...barcodes]}) and g.expired_units < (
      select coalesce(sum(l.quantity), 0) from stock_lots l
      where l.client_id = g.client_id and l.barcode = g.barcode and ${hasExpired(work.tx, today)})
    limit 1`
  if (found.length > 0) await questionExpiredOf(work, clientId, barcodes)
}

/** Puts newly expired units of these goods in question, as many of them as are free. */
export async function questionExpiredOf(
  work: Work,
  clientId: string,
  barcodes: readonly string[],
): Promise<void> {
  const { tx } = work
  const today = moscowDate(work.now)
  const free = await freeUnits(work, clientId, barcodes)
  await holdLots(
    work,
    barcodes.map((barcode) => ({ clientId, barcode })),
  )
  // Where dates were forgotten and are kept anew, units may be in question for an earlier one.
  const open = openQuestions(tx, balancesOf(tx, clientId, barcodes))
  const rows = await tx<{ barcode: string; counted: number; lacking: number }[]>`
    select g.barcode, c.units as counted, e.units - c.units as lacking
    from lot_goods g
    cross join lateral (
      select coalesce(sum(quantity), 0)::bigint as units from stock_lots l
      where l.client_id = g.client_id and l.barcode = g.barcode and ${hasExpired(tx, today)}
    ) e
    left join (
      select barcode, sum(units)::bigint as units from (${open}) q where q.reason = 'EXPIRED' group by 1
    ) q on q.barcode = g.barcode
    cross join lateral (
      select least(e.units, greatest(g.expired_units, coalesce(q.units, 0))) as units
    ) c
    where g.client_id = ${clientId} and g.barcode = any(${[...barcodes]}) and e.units > g.expired_units`
  const expired = rows.map(({ barcode, counted, lacking }) => {
    return { barcode, counted, units: Math.max(0, Math.min(free.get(barcode) ?? 0, lacking)) }
  })
  await recordMovements(
    work,
    clientId,
    expired
      .filter(({ units }) => units > 0)
      .map(({ barcode, units }) => {
        return { kind: 'question', barcode, delta: 0, questionDelta: units, reason: 'EXPIRED' }
      }),
  )
  await tx`
    update lot_goods g set expired_units = e.counted + e.units
    from jsonb_to_recordset(${tx.json(expired)}) as e (barcode text, counted bigint, units bigint)
    where g.client_id = ${clientId} and g.barcode = e.barcode`
}

/**
 * Units of an expired lot got a date that has not passed. As many of them as were in question for their date are free
 * again; what is in question for another reason stays so.
 */
export async function freeRedated(
  work: Work,
  clientId: string,
  barcode: string,
  units: number,
): Promise<void> {
  const { tx } = work
  await lockBalances(work, clientId, [barcode])
  const open = openQuestions(tx, balancesOf(tx, clientId, [barcode]))
  const [goods] = await tx<{ expired_units: number; in_question: number }[]>`
    select expired_units, coalesce((
        select sum(units) from (${open}) q where q.reason = 'EXPIRED'
      ), 0)::bigint as in_question
    from lot_goods where client_id = ${clientId} and barcode = ${barcode}`
  const freed = Math.min(units, goods?.expired_units ?? 0, goods?.in_question ?? 0)
  if (freed === 0) return
  await recordMovements(work, clientId, [
    { kind: 'question', barcode, delta: 0, questionDelta: -freed, reason: 'EXPIRED' },
  ])
  await tx`
    update lot_goods set expired_units = expired_units - ${freed}
    where client_id = ${clientId} and barcode = ${barcode}`
}
