/**
 * A session may end in the middle of a form. Then the page stays as it is, a dialog over it asks for the password,
 * and the call that was refused is made again.
 */

type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** The surface says how it asks; undefined before somebody has signed in and after signing out. */
export function setSignInAgain(next: Ask | undefined): void {
  ask = next
}

/** Calls that are refused at the same time share one dialog. */
export function signInAgain(): Promise<boolean> {
  if (ask === undefined) return Promise.resolve(false)
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return asking
}
