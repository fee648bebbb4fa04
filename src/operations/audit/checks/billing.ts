import type { Transaction } from '../../../platform/db/connection.ts'
import { fromTimestamp, type Timestamp } from '../../../platform/kernel/moscow-time.ts'
import { missingCharges } from '../../../warehouse/billing/derive.ts'
import { adjustedMonths, billingScope } from '../../../warehouse/billing/run.ts'
import { type Check, check, type Finding, findBy, plannedOnce, type Sql } from '../check.ts'

/** Charges, their periods and acts. */
export const billingChecks: readonly Check[] = [
  derivedCheck('charges are those of what happened, by the tariffs in force'),
  check(
    'charges belong to a billing period',
    (db, own) => db`
      select distinct c.client_id, format('charges of %s', to_char(c.month, 'YYYY-MM')) as object,
        'there is no such period' as what
      from charges c
      where ${own('c')} and not exists (
        select from billing_periods p where p.client_id = c.client_id and p.month = c.month)`,
  ),
  check(
    'a charge is its quantity by its price',
    (db, own) => db`
      select c.client_id, format('%s of %s on %s', c.service, c.source, c.day) as object,
        format('%s by %s is charged as %s', c.quantity, c.price, c.amount) as what
      from charges c
      where ${own('c')} and c.day >= c.month and c.amount <> round(c.quantity * c.price)`,
  ),
  check(
    'acts are the sums of their charges',
    (db, own) => db`
      select a.client_id, format('act %s', a.number) as object,
        format('%s with VAT of %s, but its charges are %s with VAT of %s', a.amount, a.vat, s.amount, v.vat) as what
      from acts a
      cross join lateral (
        select coalesce(sum(c.amount), 0) as amount from charges c
        where c.client_id = a.client_id and c.month = a.month
          and (a.warehouse_code is null or client_warehouse_on(c.client_id, c.day, '') = a.warehouse_code)
      ) s
      cross join lateral (
        select round(s.amount * coalesce(a.vat_rate, 0)::numeric
          / case when a.vat_included then 100 + a.vat_rate else 100 end) as vat
      ) v
      where ${own('a')} and (a.amount, a.vat) <> (s.amount, v.vat)`,
  ),
  check(
    'acts of a closed period are all of its charges',
    (db, own) => db`
      select p.client_id, format('period %s', to_char(p.month, 'YYYY-MM')) as object,
        format('its charges are %s, and its acts %s', c.amount, a.amount) as what
      from billing_periods p
      cross join lateral (
        select sum(amount) as amount from acts where client_id = p.client_id and month = p.month) a
      cross join lateral (
        select coalesce(sum(amount), 0) as amount from charges where client_id = p.client_id and month = p.month) c
      where ${own('p')} and p.closed_at is not null and a.amount <> c.amount`,
  ),
  check(
    'each closed period has an act, and no other',
    (db, own) => db`
      select p.client_id, format('period %s', to_char(p.month, 'YYYY-MM')) as object,
        case when a.id is null then 'it is closed and has no act' else 'it is open and has an act' end as what
      from billing_periods p
      left join acts a on a.client_id = p.client_id and a.month = p.month
      where ${own('p')} and (p.closed_at is null) <> (a.id is null)`,
  ),
]

interface Computed {
  readonly client: string
  readonly month: string
  readonly warehouse: string
  /** The moment by which the charges for its days were last computed. */
  readonly as_of: Timestamp
}

/** Derives the charges for the days of open periods and of the closed ones that open ones still adjust. */
function derivedCheck(name: string): Check {
  return {
    name,
    async find({ tx, clients, limit }) {
      const findings: Finding[] = []
      let count = 0
      const deriveAll = async () => {
        for (const computed of await computedPeriods(tx, clients)) {
          const found = await findBy(name, tx, differencesOf(tx, computed), limit)
          findings.push(...found.findings)
          count += found.count
        }
      }
      // A large client is alone in its slice, and worth a plan of its own.
      await (clients.length > 1 ? plannedOnce(tx, deriveAll) : deriveAll())
      return { findings: findings.slice(0, limit), count }
    },
  }
}

/** Closed periods as the run of the first open one saw them; the last one alone while none is open. */
function computedPeriods(tx: Transaction, clients: readonly string[]): PromiseLike<Computed[]> {
  const months = `${adjustedMonths} months`
  return tx<Computed[]>`
    select p.client_id as client, p.month, p.warehouse_code as warehouse,
      case when p.closed_at is null then p.computed_at else coalesce(f.computed_at, p.computed_at) end as as_of
    from billing_periods p
    left join lateral (
      select month, computed_at from billing_periods o
      where o.client_id = p.client_id and o.closed_at is null and o.computed_at is not null order by month limit 1
    ) f on true
    where p.client_id = any(${clients as string[]}::uuid[]) and p.computed_at is not null
      and (p.closed_at is null or p.month >= f.month - ${months}::interval or f.month is null and p.month = (
        select max(l.month) from billing_periods l where l.client_id = p.client_id))
    order by 1, 2`
}

/**
 * Picks and marks of orders that have not left may have changed since, without a time of the change; the next run sees
 * it.
 */
function differencesOf(tx: Transaction, { client, month, warehouse, as_of }: Computed): Sql {
  const scope = billingScope(client, { month, warehouse }, fromTimestamp(as_of))
  return tx`
    select ${client}::uuid as client_id, format('%s of %s on %s', m.service, m.source, m.day) as object,
      format('its charges lack %s units and %s', m.quantity, m.amount) as what
    from (${missingCharges(tx, scope, null)}) m
    where m.source not like 'order:%' or exists (
      select from orders o join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
      where o.client_id = ${client} and o.id = substr(m.source, 7)::uuid and s.closed_at < ${as_of})`
}
