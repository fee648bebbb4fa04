import type { StockCount } from '../../api/staff-calls.ts'
import { number } from '../../words/format.ts'
import { Place } from '../scan/place.tsx'
import { type CountPlace, countedAt, countedOf, linesAt, placeName } from './count.ts'

interface CountProgressProps {
  readonly count: StockCount
  readonly place: CountPlace | undefined
}

const shownMax = 100

/** Where the worker counts, what was counted there, and which places were visited. */
export function CountProgress({ count, place }: CountProgressProps) {
  const { places = [], recount = [] } = count
  const visited = places.filter(({ scans }) => scans > 0).length
  const here = linesAt(count, place)
  const byPlace = places.length > 0
  return (
    <>
      {count.reviewed_at !== null && (
        <p class="notice warn">Менеджер попросил посчитать заново. Остальное уже посчитано.</p>
      )}
      <Place name={place === undefined ? (byPlace ? 'Место?' : 'Весь склад') : placeName(place)} />
      {place === undefined && (
        <p>
          {byPlace
            ? 'Отсканируйте место или короб, потом товар'
            : 'Отсканируйте товар; лежит в месте или коробе — сначала их код'}
        </p>
      )}
      {here.length > 0 && (
        <ul class="lines" aria-label="Посчитано здесь">
          {here.slice(0, shownMax).map((line) => (
            <li key={line.barcode}>
              <span class="line-name">{line.name}</span>
              <span class="qty">{number(countedAt(count, line.barcode, place))}</span>
            </li>
          ))}
        </ul>
      )}
      {recount.length > 0 && (
        <>
          <h2>Посчитать заново</h2>
          <ul class="lines" aria-label="Посчитать заново">
            {recount.slice(0, shownMax).map(({ barcode, name }) => (
              <li key={barcode}>
                <span class="line-name">{name}</span>
                <span class="qty">{number(countedOf(count, barcode))}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {byPlace && (
        <>
          <h2>
            Обойдено мест: {number(visited)} из {number(places.length)}
          </h2>
          <ul class="lines" aria-label="Где считать">
            {places.slice(0, shownMax).map((each) => (
              <li key={each.box_id ?? each.location_id} class={each.scans > 0 ? 'complete' : ''}>
                <span class="line-name">
                  {each.location_code}
                  {each.sscc !== null && ` короб …${each.sscc.slice(-5)}`}
                </span>
                <span class="qty">{each.scans > 0 ? '✓ считали' : 'ждёт'}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
