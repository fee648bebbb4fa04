import { createUser, issueToken } from '../../src/identity/staff/users.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import type { FakesReady } from '../sync/fakes.ts'

/** Makes a client for each pair of accounts and connects both cabinets, as managers do. Returns the clients. */
export async function connectSellers(
  db: Database,
  url: string,
  accounts: FakesReady['accounts'],
  log: (line: string) => void,
): Promise<readonly string[]> {
  const token = await perform(db, systemClock, { kind: 'service' }, async (work) => {
    const manager = await createUser(work, { login: 'bench', role: 'manager', passwordHash: null })
    return (await issueToken(work, manager, 'bench')).token
  })
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(`${url}/staff/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }
  const clients: string[] = []
  for (let at = 0; at < accounts.length; at += 2) {
    const { id } = await post('/clients', { name: `Продавец ${at / 2 + 1}` })
    for (const { marketplace, credentials } of accounts.slice(at, at + 2)) {
      const draft = { marketplace, name: marketplace, credentials, shipments: 'mirrored' }
      await post(`/clients/${id}/cabinets`, draft)
    }
    clients.push(id)
    if (clients.length % 100 === 0) log(`${clients.length} sellers are connected`)
  }
  return clients
}
