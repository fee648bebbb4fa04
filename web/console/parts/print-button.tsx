import type { PrintJobDraft } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { showToast } from '../../ui/toast.tsx'

interface PrintButtonProps {
  readonly kind: PrintJobDraft['kind']
  readonly id: string
}

/** Prints on a station of the warehouse, which takes the job by itself. */
export function PrintButton({ kind, id }: PrintButtonProps) {
  return <ActionButton label="Напечатать на станции" act={() => printAtStation(kind, id)} />
}

export async function printAtStation(kind: PrintJobDraft['kind'], id: string): Promise<void> {
  await staff('POST /print-jobs', { body: { kind, object_id: id } })
  showToast('Ждёт станцию печати')
}
