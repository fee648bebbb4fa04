import { useModule } from '../../ui/use-module.ts'

/** What is still to be sent from this device, by whomever; nothing where nothing waits. */
export function WaitingWork() {
  const list = useModule(() => import('./waiting-list.tsx'))
  return list === undefined ? null : <list.WaitingList />
}
