import { type Check, check } from '../check.ts'

/** Exceptions against what their scans name. */
export const exceptionChecks: readonly Check[] = [
  check(
    'exceptions name a receipt, picking task or batch of returns of their client',
    (db, own) => db`
      select x.client_id, 'exception ' || x.id as object, format('%s of %s', x.kind, x.object_id) as what
      from scan_exceptions x
      where ${own('x')} and not case x.kind
        when 'receipt_scan' then exists (
          select from receipts r where r.client_id = x.client_id and r.id = x.object_id)
        when 'pick' then exists (
          select from picking_tasks t where t.client_id = x.client_id and t.id = x.object_id)
        else exists (
          select from return_batches b where b.client_id = x.client_id and b.id = x.object_id) end`,
  ),
]
