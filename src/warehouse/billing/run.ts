import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { SharedWork } from '../../platform/db/work.ts'
import {
  type Instant,
  minute,
  moscowDate,
  toMidnight,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { derivedCharges, missingCharges } from './derive.ts'
import type { BillingScope } from './scope.ts'

/**
 * A run computes the open periods of a client whole and writes the charges that differ. It may be repeated, killed at
 * any point, and run twice at once. The lock on the periods lets one go after the other, and what it writes depends
 * on the facts alone. This file alone writes `charges`.
 */

/** Closed periods for whose days an open one takes adjustments. */
export const adjustedMonths = 3

/** A period as months name it: its first day, YYYY-MM-01. */
export interface BillingPeriod {
  readonly month: string
  readonly warehouse: string
}

/** What is younger may still be written by a transaction that has not ended. */
const settlesMs = minute

/** The moment by which a run reads facts. */
export const settledBy = (now: Instant): Instant => now - settlesMs

export const monthOf = (date: string): string => `${date.slice(0, 7)}-01`

/** The first day of the month that is so many months later. */
export function monthAfter(month: string, months = 1): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 10)
}

/** A month of a client as of a moment, as derivations read it. */
export function billingScope(clientId: string, period: BillingPeriod, asOf: Instant): BillingScope {
  const { month, warehouse } = period
  const [from, to] = [toMidnight(month), toMidnight(monthAfter(month))]
  return { clientId, warehouse, from, to, asOf: toTimestamp(asOf) }
}

/** Computes all open periods of a client. Returns the number of charges that changed. */
export async function computeCharges(work: SharedWork, clientId: string): Promise<number> {
  const periods = await lockOpenPeriods(work, clientId)
  let changed = 0
  for (const [place, period] of periods.entries()) {
    const adjusted = place === 0 ? await closedBefore(work, clientId, period.month) : []
    changed += await computePeriod(work, clientId, period, adjusted)
  }
  return changed
}

/** Opens the periods from a day up to now, whatever the client's mode. */
export async function openPeriods(
  { tx, now }: SharedWork,
  clientId: string,
  from: string,
): Promise<void> {
  await tx`
    insert into billing_periods (client_id, month, warehouse_code)
    select c.id, m::date, c.warehouse_code
    from clients c
    cross join generate_series(
      ${monthOf(from)}::timestamp, ${monthOf(moscowDate(settledBy(now)))}::timestamp, interval '1 month') m
    where c.id = ${clientId}
    order by m
    on conflict (client_id, month) do nothing`
}

/**
 * Opens the periods up to now, from the client's first tariff or an earlier day that is given, and locks all open ones
 * in the order of time. A transaction that sees fewer of them could wait crosswise with one that sees all, so those of
 * a client go in turn.
 */
export async function lockOpenPeriods(
  { tx, now }: SharedWork,
  clientId: string,
  from: string | null = null,
): Promise<BillingPeriod[]> {
  const current = monthOf(moscowDate(now))
  // What derives charges is a long statement: compiling it would take a server seconds.
  await tx`
    select pg_advisory_xact_lock(hashtext('billing periods'), hashtext(${clientId}::text)), set_config('jit', 'off', true)`
  await tx`
    insert into billing_periods (client_id, month, warehouse_code)
    select c.id, m::date, c.warehouse_code
    from clients c
    cross join lateral (
      select least(min(first_day), ${from}::date) as day from (
        select first_day from client_tariffs where client_id = c.id
        union all
        select first_day from warehouse_tariffs where warehouse_code = c.warehouse_code) t
    ) t
    cross join lateral generate_series(
      greatest(month_of(t.day), month_of(moscow_day(c.created_at)), ${monthAfter(current, -12)}::date)::timestamp,
      ${current}::date, interval '1 month') m
    where c.id = ${clientId} and c.mode = 'live' and t.day is not null and m > coalesce(
      (select max(month) from billing_periods p where p.client_id = c.id and p.closed_at is not null), '-infinity')
    order by m
    on conflict (client_id, month) do nothing`
  await tx`
    select from billing_periods where client_id = ${clientId} and closed_at is null order by month for update`
  await tx`
    update billing_periods p set warehouse_code = w.code from (
      select o.month, client_warehouse_on(c.id, (o.month + interval '1 month')::date - 1, c.warehouse_code) as code
      from billing_periods o join clients c on c.id = o.client_id
      where o.client_id = ${clientId} and o.closed_at is null
    ) w
    where p.client_id = ${clientId} and p.month = w.month and p.warehouse_code <> w.code`
  return tx<BillingPeriod[]>`
    select month, warehouse_code as warehouse from billing_periods
    where client_id = ${clientId} and closed_at is null order by month`
}

function closedBefore(
  { tx }: SharedWork,
  clientId: string,
  month: string,
): PromiseLike<BillingPeriod[]> {
  return tx<BillingPeriod[]>`
    select month, warehouse_code as warehouse from billing_periods
    where client_id = ${clientId} and closed_at is not null
      and month >= ${monthAfter(month, -adjustedMonths)} and month < ${month} order by month`
}

async function computePeriod(
  { tx, now }: SharedWork,
  clientId: string,
  period: BillingPeriod,
  adjusted: readonly BillingPeriod[],
): Promise<number> {
  const { month } = period
  const asOf = settledBy(now)
  const adjustments = adjusted.map(
    (closed): Fragment => missingCharges(tx, billingScope(clientId, closed, asOf), month),
  )
  const own: Fragment = derivedCharges(tx, billingScope(clientId, period, asOf))
  const all = adjustments.reduce((joined, part): Fragment => tx`${joined} union all ${part}`, own)
  const [{ changed } = { changed: 0 }] = await tx<{ changed: number }[]>`
    with derived as materialized (${all}),
    written as (
      insert into charges as c (client_id, month, day, service, source, step, quantity, price, amount, tariff)
      select ${clientId}, ${month}, day, service, source, step, quantity, price, amount, tariff
      from derived order by day, service, source, step
      on conflict (client_id, day, service, source, step, month) do update set
        quantity = excluded.quantity, price = excluded.price, amount = excluded.amount, tariff = excluded.tariff
      where (c.quantity, c.price, c.amount, c.tariff)
        is distinct from (excluded.quantity, excluded.price, excluded.amount, excluded.tariff)
      returning 1
    ),
    gone as (
      delete from charges c where c.client_id = ${clientId} and c.month = ${month} and not exists (
        select from derived d
        where (d.day, d.service, d.source, d.step) = (c.day, c.service, c.source, c.step))
      returning 1
    )
    select (select count(*) from written) + (select count(*) from gone) as changed`
  await tx`
    update billing_periods set computed_at = ${toTimestamp(asOf)}
    where client_id = ${clientId} and month = ${month}`
  return changed
}
