import type { Transaction } from '../../platform/db/connection.ts'

/** Consecutive numbers within a client; the row is also the client's lock. */

/**
 * The statement that takes the next receipt numbers of clients, as rows (client_id, before): the numbers follow `before`.
 * The caller holds the clients' locks, or names one client.
 */
export function countReceipts(tx: Transaction, taken: ReadonlyMap<string, number>) {
  return tx`
    update client_counters c set receipts = c.receipts + t.taken
    from unnest(${[...taken.keys()]}::uuid[], ${[...taken.values()]}::bigint[]) as t (client_id, taken)
    where c.client_id = t.client_id returning c.client_id, c.receipts - t.taken as before`
}

/** The statement that takes the client's next number of a return batch, as a row (returns). */
export function countReturnBatch(tx: Transaction, clientId: string) {
  return tx`
    update client_counters set returns = returns + 1
    where client_id = ${clientId} returning returns`
}

/** The last numbers that a client has given. */
export interface Counters {
  readonly receipts: number
  readonly returns: number
}

export async function readCounters(tx: Transaction, clientId: string): Promise<Counters> {
  const [row] = await tx<[Counters]>`
    select receipts, returns from client_counters where client_id = ${clientId}`
  return row
}

/** Makes the client's next numbers follow these. */
export async function setCounters(
  tx: Transaction,
  clientId: string,
  { receipts, returns }: Counters,
): Promise<void> {
  await tx`
    update client_counters set receipts = ${receipts}, returns = ${returns} where client_id = ${clientId}`
}
