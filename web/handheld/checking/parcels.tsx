import { number } from '../../words/format.ts'
import { Place } from '../scan/place.tsx'
import { isComplete, type Parcel } from './check.ts'

interface ParcelsProps {
  readonly parcels: readonly Parcel[]
  /** The order whose parcel is being checked. */
  readonly opened: string | undefined
}

const shownMax = 100

/** What still has to be scanned in the open parcel, and which parcels are left. */
export function Parcels({ parcels, opened }: ParcelsProps) {
  const parcel = parcels.find((each) => each.orderId === opened)
  const left = parcels.filter((each) => each !== parcel && !isComplete(each))
  const isAllDone = parcels.length > 0 && parcels.every(isComplete)
  return (
    <>
      {isAllDone && <p class="sentence">Вся отгрузка проверена</p>}
      {parcel === undefined ? (
        !isAllDone && <Place name="Заказ?" />
      ) : (
        <Place name={parcel.number} />
      )}
      {parcel === undefined && !isAllDone && (
        <p>Отсканируйте этикетку заказа, потом всё, что в посылке</p>
      )}
      {parcel !== undefined && <Contents parcel={parcel} />}
      {left.length > 0 && (
        <>
          <h2>Ещё не проверены</h2>
          <ul class="lines">
            {left.slice(0, shownMax).map((each) => (
              <li key={each.orderId}>
                <span class="line-name">{each.number}</span>
                <Progress {...each} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Contents({ parcel }: { readonly parcel: Parcel }) {
  return (
    <ul class="lines" aria-label="В посылке">
      {parcel.lines.map(({ barcode, name, checked, qty, picked }) => (
        <li key={barcode} class={checked >= qty ? 'complete' : ''}>
          <span class="line-name">
            {name}
            {picked < qty && <span class="small"> · собрано {number(picked)}</span>}
          </span>
          <Progress checked={checked} units={qty} />
        </li>
      ))}
    </ul>
  )
}

function Progress({ checked, units }: Pick<Parcel, 'checked' | 'units'>) {
  return (
    <span class="qty">
      {checked >= units && '✓ '}
      {number(checked)} из {number(units)}
    </span>
  )
}
