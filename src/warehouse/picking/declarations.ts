import type { Queryable } from '../../platform/db/connection.ts'

/** An order that may cross a border with its customs declaration alone. */
export interface OrderToDeclare {
  readonly externalId: string
  /** The number that was given with its unit; null: none yet. */
  readonly declaration: string | null
}

/** Those of a cabinet's orders that the marketplace wants a customs declaration of. */
export async function ordersToDeclare(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  numbers: readonly string[],
): Promise<readonly OrderToDeclare[]> {
  return db<OrderToDeclare[]>`
    select o.external_id as "externalId", (
      select p.marks ->> 'customs_declaration' from picks p
      where p.client_id = o.client_id and p.order_id = o.id and p.undone_at is null
        and p.marks ->> 'customs_declaration' is not null
      order by p.at desc, p.scan_id limit 1
    ) as declaration
    from orders o
    where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
      and o.external_id = any(${numbers as string[]})
      and exists (
        select from order_lines l where l.client_id = o.client_id and l.order_id = o.id
          and 'customs_declaration' = any(l.required_marks))`
}
