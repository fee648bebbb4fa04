import type { Today } from '../../api/staff-calls.ts'
import { number } from '../../words/format.ts'
import { placesText } from '../../words/lot-places.ts'
import { daysLeftText, lotText } from '../../words/lots.ts'
import { listOf, pathOf, paths } from '../paths.ts'
import { ButtonLink, type Item, Section, Thing } from './section.tsx'

type Lot = Item<Today['expiring']>

/** Lots that have expired or expire soon, with where they lie. */
export function Expiring({ expiring }: { readonly expiring: Today['expiring'] }) {
  return (
    <Section
      title="Срок годности"
      href={listOf(paths.lots, { state: 'expiring' })}
      {...expiring}
      keyOf={(lot) => `${lot.client_id} ${lot.barcode} ${lot.expires_on} ${lot.number}`}
      item={(lot) => (
        <>
          <Thing
            href={`${pathOf('client', lot.client_id, 'products')}&product=${lot.barcode}`}
            title={lot.name}
          >
            <Left lot={lot} /> · {lotText(lot)} · {number(lot.quantity)} шт. · {lot.client_name} ·{' '}
            {placesText(lot)}
          </Thing>
          <ButtonLink
            href={listOf(paths.lots, { client_id: lot.client_id, barcode: lot.barcode })}
            label="Партии"
            of={lot.name}
          />
        </>
      )}
    />
  )
}

function Left({ lot }: { readonly lot: Lot }) {
  const text = daysLeftText(lot)
  if (lot.state === 'expired') return <strong class="problem">{text}</strong>
  return <span>{lot.days_left === 0 ? text : `ещё ${text}`}</span>
}
