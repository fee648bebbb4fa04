import { type Check, check } from '../check.ts'

/** Exceptions against what their scans name. An empty shipment is deleted with its task, and its exceptions stay. */
export const exceptionChecks: readonly Check[] = [
  check(
    'exceptions name a receipt, batch of returns, count, location, box or pallet of their client',
    (db, own) => db`
      select x.client_id, 'exception ' || x.id as object, format('%s of %s', x.kind, x.object_id) as what
      from scan_exceptions x
      where ${own('x')} and not case x.kind
        when 'receipt_scan' then exists (
          select from receipts r where r.client_id = x.client_id and r.id = x.object_id)
        when 'return_scan' then exists (
          select from return_batches b where b.client_id = x.client_id and b.id = x.object_id)
        when 'count_scan' then exists (
          select from stock_counts n where n.client_id = x.client_id and n.id = x.object_id)
        when 'return_scan_of_day' then x.object_id = x.client_id
        when 'pick' then true
        when 'pack_check' then true
        when 'pallet_place' then exists (
          select from pallets p where p.client_id = x.client_id and p.id = x.object_id)
        else case when x.kind like 'box%' then exists (
          select from boxes b where b.client_id = x.client_id and b.id = x.object_id)
        else exists (select from locations l where l.id = x.object_id) end end`,
  ),
]
