import { useLocation } from 'preact-iso'
import type { CountDraft } from '../../api/staff-calls.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { startCount } from './start-count.ts'

/** Has a place or goods counted: one press, which the toast takes back. */
export function CountButton({ of }: { readonly of: CountDraft }) {
  const { route } = useLocation()
  return <ActionButton label="Пересчитать" act={async () => route(await startCount(of))} />
}
