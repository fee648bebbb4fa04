import type { Transaction } from '../../platform/db/connection.ts'

/** Clients whose warehouse goes to another cell (operations/moving/). The triggers of a move keep everybody else from these rows. */

/** Triggers let the writes of this transaction pass. */
async function passTriggers(tx: Transaction): Promise<void> {
  await tx`select set_config('sklad.moving', 'on', true)`
}

/** No worker begins anything for the clients of the warehouse from now on. Returns their ids. */
export async function markLeaving(tx: Transaction, warehouse: string): Promise<string[]> {
  await passTriggers(tx)
  const rows = await tx<{ id: string }[]>`
    update clients set leaving = true where warehouse_code = ${warehouse} and mode = 'live' returning id`
  return rows.map(({ id }) => id).sort()
}

/** Nobody reads the clients here any more. */
export async function closeLeaving(
  tx: Transaction,
  warehouse: string,
  clients: readonly string[],
): Promise<void> {
  await passTriggers(tx)
  await tx`update clients set mode = 'moved' where id = any(${[...clients]}::uuid[])`
  await tx`update warehouses set mode = 'moved' where code = ${warehouse}`
}

/** The move is given up. */
export async function takeBackLeaving(
  tx: Transaction,
  warehouse: string,
  clients: readonly string[],
): Promise<void> {
  await passTriggers(tx)
  await tx`
    update clients set mode = 'live', leaving = false where id = any(${[...clients]}::uuid[])`
  await tx`update warehouses set mode = 'live' where code = ${warehouse}`
}
