import { useModule } from '../use-module.ts'
import type { Entry } from './disk.ts'
import { useQueue } from './use-queue.ts'

/** What is still to be sent from this device, by whomever; nothing where nothing waits. */
export function WaitingScans() {
  const waiting = useQueue().entries.filter(({ state }) => state === 'waiting')
  return waiting.length === 0 ? null : <List waiting={waiting} />
}

function List({ waiting }: { readonly waiting: readonly Entry[] }) {
  const list = useModule(() => import('./waiting-list.tsx'))
  return list === undefined ? null : <list.WaitingList waiting={waiting} />
}
