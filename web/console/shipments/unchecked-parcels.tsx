import { useAnswer } from '../../api/use-answer.ts'
import { uncheckedWords } from '../../handheld/checking/check.ts'
import { staff } from '../../staff/api.ts'

/** How many parcels of a shipment nobody has checked, where there are any. */
export function UncheckedParcels({ task: id }: { readonly task: string }) {
  const { data } = useAnswer(`checks of ${id}`, (signal) =>
    staff('GET /picking-tasks/{id}', { path: { id }, signal }),
  )
  const words = data && uncheckedWords(data)
  return words === undefined ? null : <p class="notice warn">{words}</p>
}
