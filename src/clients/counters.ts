import type { Transaction } from '../db/connection.ts'

/** Consecutive numbers within a client; the row is also the client's lock. */

/** The statement that takes the client's next receipt number, as a row (receipts). */
export function countReceipt(tx: Transaction, clientId: string) {
  return tx`
    update client_counters set receipts = receipts + 1
    where client_id = ${clientId} returning receipts`
}

/** The statement that takes the client's next number of a return batch, as a row (returns). */
export function countReturnBatch(tx: Transaction, clientId: string) {
  return tx`
    update client_counters set returns = returns + 1
    where client_id = ${clientId} returning returns`
}

/** Makes a client's next numbers follow those of another client. */
export async function copyCounters(tx: Transaction, from: string, to: string): Promise<void> {
  await tx`
    update client_counters c set receipts = o.receipts, returns = o.returns
    from client_counters o where o.client_id = ${from} and c.client_id = ${to}`
}

export async function resetCounters(tx: Transaction, clientId: string): Promise<void> {
  await tx`update client_counters set receipts = 0, returns = 0 where client_id = ${clientId}`
}
