import { type Check, check } from '../check.ts'

/** Charges, their periods and acts. */
export const billingChecks: readonly Check[] = [
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
      ) s
      cross join lateral (
        select round(s.amount * coalesce(a.vat_rate, 0)::numeric
          / case when a.vat_included then 100 + a.vat_rate else 100 end) as vat
      ) v
      where ${own('a')} and (a.amount, a.vat) <> (s.amount, v.vat)`,
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
