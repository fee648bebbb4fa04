import type { SharedWork, Work } from '../../platform/db/work.ts'
import { excerpt, invalidField } from '../../platform/kernel/errors.ts'

/** Balances as they are read before a change. `ledger.ts` alone writes them. */

export interface Balance {
  readonly barcode: string
  readonly quantity: number
  readonly in_question: number
  readonly reserved: number
  /** Units that left with shipments and did not come back. */
  readonly outside: number
}

/**
 * Locks the balances of goods until the transaction ends, in barcode order, so that two writers never
 * deadlock. The answer has no entry for goods that the client does not have.
 */
export async function lockBalances(
  work: SharedWork,
  clientId: string,
  barcodes: readonly string[],
): Promise<Map<string, Balance>> {
  const balances = await work.tx<Balance[]>`
    select barcode, quantity, in_question, reserved, outside from stock_balances
    where client_id = ${clientId} and barcode = any(${[...barcodes]})
    order by barcode for update`
  return new Map(balances.map((balance) => [balance.barcode, balance]))
}

/** Units that no picking task has reserved, by barcode; they stay free until the transaction ends. */
export async function freeUnits(
  work: Work,
  clientId: string,
  barcodes: readonly string[],
): Promise<Map<string, number>> {
  const balances = await lockBalances(work, clientId, [...new Set(barcodes)])
  return new Map(
    [...balances].map(([barcode, { quantity, in_question, reserved }]) => [
      barcode,
      quantity - in_question - reserved,
    ]),
  )
}

/** The error for a barcode in a request that is no product of the client. */
export function unknownProduct(barcode: string): Error {
  return invalidField('barcode', `у клиента нет товара ${excerpt(barcode)}`)
}
