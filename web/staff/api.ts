import { makeCaller } from '../api/caller.ts'
import type { Calls, StaffUser } from '../api/staff-calls.ts'
import { signInAgain } from '../ui/sign-in/sign-in-again.ts'

let actingUser: string | undefined

/** From now on the service refuses calls of this page once somebody else has signed in in another tab. */
export function actAs(userId: string | undefined): void {
  actingUser = userId
}

/** The staff API, for both surfaces of the staff. */
export const staff = makeCaller<Calls>({
  prefix: '/staff/v1',
  signInAgain,
  headers: () => (actingUser === undefined ? {} : { 'X-Staff-User': actingUser }),
})

/** Who has signed in; null for nobody, which is no refusal. */
export async function whoAmI(): Promise<StaffUser | null> {
  return (await staff('GET /session', { query: { optional: 'true' } })) ?? null
}
