/** All tabs of a browser share one session: one says to the others when somebody has signed in. */

const channel =
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('sklad-session')

export function announceSignIn(): void {
  channel?.postMessage('signed-in')
}

export function onSignInElsewhere(listener: () => void): () => void {
  channel?.addEventListener('message', listener)
  return () => channel?.removeEventListener('message', listener)
}
