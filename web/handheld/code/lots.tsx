import type { LookupMatch } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { number } from '../../words/format.ts'
import { placesText } from '../../words/lot-places.ts'
import { daysLeftText, lotText } from '../../words/lots.ts'

const shownMax = 30

/** The expiry dates of goods that keep them, the first to expire first, with where the units lie. */
export function Lots({ match }: { readonly match: LookupMatch }) {
  const { client_id: id, barcode } = match
  if (id === null || barcode == null) return null
  return <LotsOf path={{ id, barcode }} />
}

function LotsOf({ path }: { readonly path: { readonly id: string; readonly barcode: string } }) {
  const { data, error } = useAnswer(`lots ${path.id} ${path.barcode}`, (signal) =>
    staff('GET /clients/{id}/products/{barcode}/lots', { path, signal }),
  )
  if (data === undefined || data.items.length === 0) return <Failure error={error} />
  const { items } = data
  return (
    <>
      <p>Сроки годности:</p>
      <ul class="lines" aria-label="Сроки годности">
        {items.slice(0, shownMax).map((lot) => (
          <li key={`${lot.expires_on} ${lot.number}`}>
            <span class="line-name">
              <b>{lotText(lot)}</b>
              {lot.days_left !== null && `, ${daysLeftText(lot)}`}
              <span class="small"> {placesText(lot)}</span>
            </span>
            <span class="qty">{number(lot.quantity)}</span>
          </li>
        ))}
      </ul>
      {items.length > shownMax && <p class="small">Показаны первые {shownMax}.</p>}
    </>
  )
}
