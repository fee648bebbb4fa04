import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { postToStaff, type StaffApi } from '../place.ts'
import type { Call } from '../staff/caller.ts'
import type { Scene } from '../staff/scene.ts'
import type { FakesReady } from '../sync/fakes.ts'

/** What sellers ask for all day. */
const paths = [
  '/v1/stock?limit=100',
  '/v1/orders?limit=100',
  '/v1/events?limit=100',
  '/v1/receipts?limit=20',
  '/v1/metrics',
  '/v1/shipments?limit=20',
  '/v1/me',
]

/** Calls of each of so many keys in turn, which belong to the clients in turn. */
export async function readsOf(
  db: Database,
  { clients }: Scene,
  count: number,
): Promise<readonly Call[]> {
  const keys = await perform(db, systemClock, { kind: 'service' }, async (work) => {
    const issued: string[] = []
    while (issued.length < count) {
      const owner = clients[issued.length % clients.length]
      if (owner === undefined) throw new Error('there are no clients')
      issued.push((await issueApiKey(work, owner.id, { name: 'soak', receiptsEnabled: true })).key)
    }
    return issued
  })
  return paths.flatMap((_, turn) =>
    keys.map((key, n) => ({
      method: 'GET' as const,
      path: paths[(turn + n) % paths.length] ?? '',
      body: '',
      headers: { 'x-api-key': key },
    })),
  )
}

/** Connects a cabinet of each account of the stand-ins, each of a client of its own. */
export async function connectCabinets(
  api: StaffApi,
  accounts: FakesReady['accounts'],
): Promise<void> {
  for (const [index, { marketplace, credentials }] of accounts.entries()) {
    const { id } = await postToStaff(api, '/clients', { name: `Клиент ${index}` })
    const draft = { marketplace, name: 'Кабинет', credentials, shipments: 'mirrored' }
    await postToStaff(api, `/clients/${id}/cabinets`, draft)
  }
}
