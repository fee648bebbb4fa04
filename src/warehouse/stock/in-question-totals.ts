import type { Queryable } from '../../platform/db/connection.ts'

export interface InQuestionTotals {
  readonly goods: number
  readonly units: number
}

/** How many goods of a client are in question, and how many units of them. */
export async function inQuestionTotals(db: Queryable, clientId: string): Promise<InQuestionTotals> {
  const [row] = await db<[InQuestionTotals]>`
    select count(*) as goods, coalesce(sum(in_question), 0)::bigint as units
    from stock_balances where client_id = ${clientId} and in_question > 0`
  return row
}
