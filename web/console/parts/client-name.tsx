import { useEffect, useState } from 'preact/hooks'
import type { Client } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'

const known = new Map<string, Promise<Client | undefined>>()

function clientOf(id: string): Promise<Client | undefined> {
  const client =
    known.get(id) ?? staff('GET /clients/{id}', { path: { id } }).catch(() => undefined)
  known.set(id, client)
  return client
}

/** A client by its id; each is asked for once. */
export function useClient(id: string | undefined): Client | undefined {
  const [client, setClient] = useState<Client>()
  useEffect(() => {
    let isShown = true
    if (id !== undefined) void clientOf(id).then((found) => isShown && setClient(found))
    return () => {
      isShown = false
    }
  }, [id])
  return client?.id === id ? client : undefined
}
