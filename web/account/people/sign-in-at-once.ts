import { account } from '../api.ts'
import { paths } from '../paths.ts'

interface Given {
  readonly login: string
  readonly password: string
  /** Whose account opens, where the user belongs to several. */
  readonly clientName: string
}

/**
 * Signs in who has just set the password, and opens the account. Does nothing where that takes more, as a one-time code: the
 * page leads to the usual sign-in.
 */
export async function signInAtOnce({ login, password, clientName }: Given): Promise<void> {
  const session = await account('POST /session', { body: { login, password } }).catch(() => null)
  if (session === null || !('client' in session)) return
  const wanted = session.clients.find(({ name }) => name === clientName)
  if (wanted !== undefined && wanted.id !== session.client.id) {
    await account('PUT /session/client', { body: { client_id: wanted.id } })
  }
  location.assign(paths.overview)
}
