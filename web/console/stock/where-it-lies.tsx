import type { LookupPlace } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { number } from '../../words/format.ts'
import { CountButton } from '../counts/count-button.tsx'
import { listOf, pathOf, paths } from '../paths.ts'
import { stockChanges } from './stock-form.tsx'

interface WhereItLiesProps {
  readonly clientId: string
  readonly barcode: string
}

/** One kind of goods: where it lies, and what can be done to its stock. */
export function WhereItLies({ clientId, barcode }: WhereItLiesProps) {
  const { hrefWith } = useAddress()
  const { data, error, reload } = useAnswer(`goods ${clientId} ${barcode}`, async (signal) => {
    const { matches } = await staff('GET /lookup', { query: { code: barcode }, signal })
    return matches.find(({ kind, client_id: of }) => kind === 'goods' && of === clientId) ?? null
  })
  return (
    <section class="stack" aria-label="Товар">
      <h2 class="name">{data?.name ?? barcode}</h2>
      <Failure error={error} retry={reload} />
      {data && (
        <>
          <Facts
            of={{
              Штрихкод: <code>{barcode}</code>,
              Остаток: number(data.quantity ?? 0),
              'Под вопросом': number(data.in_question ?? 0),
              'В резерве': number(data.reserved ?? 0),
            }}
          />
          <h3>Где лежит</h3>
          <Places places={data.places ?? []} loose={data.loose ?? 0} />
        </>
      )}
      <h3>Что сделать</h3>
      <div class="row">
        {Object.entries(stockChanges).map(([change, title]) => (
          <a key={change} class="button" href={hrefWith({ form: change, of: barcode })}>
            {title}
          </a>
        ))}
        <a class="button" href={hrefWith({ form: 'labels', of: barcode })}>
          Этикетки
        </a>
        <CountButton of={{ client_id: clientId, scope: { barcodes: [barcode] } }} />
        <a class="button" href={listOf(paths.movements, { client_id: clientId, barcode })}>
          Движения
        </a>
        <a class="button" href={listOf(paths.orders, { client_id: clientId, barcode })}>
          Заказы
        </a>
        <a class="button plain" href={hrefWith({ of: undefined })}>
          Закрыть
        </a>
      </div>
    </section>
  )
}

interface PlacesProps {
  readonly places: readonly LookupPlace[]
  /** Units that lie in no box and on no location. */
  readonly loose: number
}

function Places({ places, loose }: PlacesProps) {
  if (places.length === 0 && loose === 0) return <p class="quiet">Нигде: остатка нет.</p>
  return (
    <ul class="places">
      {places.map((place) => (
        <li key={`${place.location_id} ${place.box_id}`}>
          <span>
            <Place place={place} />
          </span>{' '}
          <strong>{number(place.qty)}</strong>
        </li>
      ))}
      {loose > 0 && (
        <li>
          <span>Не разложено</span> <strong>{number(loose)}</strong>
        </li>
      )}
    </ul>
  )
}

function Place({ place }: { readonly place: LookupPlace }) {
  const { location_id: location, location_code: code, box_id: box, sscc } = place
  return (
    <>
      {location !== null && <a href={pathOf('location', location)}>{code}</a>}
      {location !== null && box !== null && ', '}
      {box !== null && <a href={pathOf('box', box)}>короб {sscc ?? ''}</a>}
    </>
  )
}
