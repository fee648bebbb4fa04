import type { AccountSession, Calls } from '../api/account-calls.ts'
import { makeCaller } from '../api/caller.ts'
import { signInAgain } from '../ui/sign-in/sign-in-again.ts'

/** A busy service copies the scenario of a sandbox, and plays it, for longer than other answers take. */
export const sandboxPatienceMs = 5 * 60_000

export const account = makeCaller<Calls>({ prefix: '/account/v1', signInAgain })

/** Who has signed in; null for nobody, which is no refusal. */
export async function whoAmI(): Promise<AccountSession | null> {
  return (await account('GET /session', { query: { optional: 'true' } })) ?? null
}
