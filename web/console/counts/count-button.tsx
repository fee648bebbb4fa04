import { useLocation } from 'preact-iso'
import type { CountDraft } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { pathOf } from '../paths.ts'

/** Opens a count of a place or of goods and starts it: workers see it at once. Resolves with its page. */
export async function startCount(body: CountDraft): Promise<string> {
  const { id } = await staff('POST /counts', { body })
  const path = { id }
  await staff('POST /counts/{id}/start', { path })
  showToast('Пересчёт идёт: работники видят его на терминалах', () =>
    staff('POST /counts/{id}/cancel', { path }),
  )
  return pathOf('count', id)
}

/** Has a place or goods counted: one press, which the toast takes back. */
export function CountButton({ of }: { readonly of: CountDraft }) {
  const { route } = useLocation()
  return <ActionButton label="Пересчитать" act={async () => route(await startCount(of))} />
}
