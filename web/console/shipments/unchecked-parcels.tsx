import { useAnswer } from '../../api/use-answer.ts'
import { isComplete, parcelsOf } from '../../handheld/checking/check.ts'
import { staff } from '../../staff/api.ts'
import { plural } from '../../words/format.ts'

/** How many parcels of a shipment nobody has checked, where there are any. */
export function UncheckedParcels({ task: id }: { readonly task: string }) {
  const { data } = useAnswer(`checks of ${id}`, (signal) =>
    staff('GET /picking-tasks/{id}', { path: { id }, signal }),
  )
  const parcels = data === undefined ? [] : parcelsOf(data)
  const checked = parcels.filter(isComplete).length
  if (checked === parcels.length) return null
  return (
    <p class="notice warn">
      Упаковка проверена у {checked} из {plural(parcels.length, 'посылки', 'посылок', 'посылок')}
    </p>
  )
}
