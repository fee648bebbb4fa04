import type { Database } from '../../src/platform/db/connection.ts'
import { addManager, postToStaff } from '../place.ts'
import { log } from '../report.ts'
import type { FakesReady } from '../sync/fakes.ts'

/** Makes a client for each pair of accounts and connects both cabinets, as managers do. Returns the clients. */
export async function connectSellers(
  db: Database,
  url: string,
  accounts: FakesReady['accounts'],
): Promise<readonly string[]> {
  const api = { url, token: await addManager(db) }
  const clients: string[] = []
  for (let at = 0; at < accounts.length; at += 2) {
    const { id } = await postToStaff(api, '/clients', { name: `Продавец ${at / 2 + 1}` })
    for (const { marketplace, credentials } of accounts.slice(at, at + 2)) {
      const draft = { marketplace, name: marketplace, credentials, shipments: 'mirrored' }
      await postToStaff(api, `/clients/${id}/cabinets`, draft)
    }
    clients.push(id)
    if (clients.length % 100 === 0) log(`${clients.length} sellers are connected`)
  }
  return clients
}
