import type { Calls } from '../api/account-calls.ts'
import { makeCaller } from '../api/caller.ts'
import { signInAgain } from '../ui/sign-in-again.ts'

export const account = makeCaller<Calls>({ prefix: '/account/v1', signInAgain })
