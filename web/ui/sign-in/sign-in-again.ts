/**
 * A session may end in the middle of a form, and some changes want the password again. The page stays as it is, a
 * dialog over it asks for the password, and the call that was refused is made again.
 */

/** Why the page asks: the session has ended, or the change wants the password again. */
export type AskedBecause = 'ended' | 'password'

type Ask = (because: AskedBecause) => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** The surface says how it asks; undefined before somebody has signed in and after signing out. */
export function setSignInAgain(next: Ask | undefined): void {
  ask = next
}

/** Calls that are refused at the same time share one dialog. */
export function signInAgain(because: AskedBecause): Promise<boolean> {
  if (ask === undefined) return Promise.resolve(false)
  asking ??= ask(because).finally(() => {
    asking = undefined
  })
  return asking
}
