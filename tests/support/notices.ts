import { randomUUID } from 'node:crypto'
import { addMember, createSellerUser } from '../../src/identity/sellers/members.ts'
import { setWarehouses } from '../../src/identity/staff/user-warehouses.ts'
import { createUser } from '../../src/identity/staff/users.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { tell } from '../../src/warehouse/events/news.ts'
import { requestReceipt } from '../../src/warehouse/receipts/request.ts'
import { at, makeClient, noon } from './warehouse.ts'

/** A seller's user, a viewer of each client. */
export function makeSeller(db: Database, clientIds: readonly string[]): Promise<string> {
  return at(db, noon, async (work) => {
    const userId = await createSellerUser(work, `s-${randomUUID().slice(0, 8)}`, 'hash')
    for (const clientId of clientIds) await addMember(work, clientId, userId, 'viewer')
    return userId
  })
}

/** Users of several clients, each of one: the client of each user. */
export async function makeSellers(
  db: Database,
  { clients, usersOfEach }: { readonly clients: number; readonly usersOfEach: number },
): Promise<ReadonlyMap<string, string>> {
  const of = new Map<string, string>()
  for (let n = 0; n < clients; n++) {
    const { id: client } = await makeClient(db)
    for (let user = 0; user < usersOfEach; user++) of.set(await makeSeller(db, [client]), client)
  }
  return of
}

/** A receipt of a client came with a discrepancy: its users are to learn of it. */
export function tellDiscrepancy(db: Database, clientId: string, subject: string, now: number) {
  const news = {
    clientId,
    kind: 'receipt_discrepancy',
    key: subject,
    objectId: 'a',
    subject,
  } as const
  return at(db, now, (work) => tell(work, [news]))
}

export function makeStaff(
  db: Database,
  role: 'worker' | 'manager' = 'manager',
  warehouses: readonly string[] = [],
): Promise<string> {
  return at(db, noon, async (work) => {
    const login = `m-${randomUUID().slice(0, 8)}`
    const userId = await createUser(work, { login, role, passwordHash: null })
    if (warehouses.length > 0) await setWarehouses(work, userId, warehouses, [])
    return userId
  })
}

/** A seller's announcement, which waits for a manager. Returns its id. */
export async function announceReceipt(db: Database, clientId: string, now = noon): Promise<string> {
  const requester = { clientId, keyId: newId(), requestId: newId() }
  const items = [{ barcode: '1', name: 'Плед', qty: 1, honest_mark: false }]
  const { receipt } = await at(db, now, (work) => requestReceipt(work, requester, { items }))
  return receipt.id
}
