import type { StockCount } from '../../api/staff-calls.ts'
import { number } from '../../words/format.ts'
import { Place } from '../scan/place.tsx'
import { type CountPlace, countedAt, countedOf, linesAt, placeName } from './count.ts'
import { codeOfPlace, type PlacesDone } from './places-done.ts'

interface CountProgressProps {
  readonly count: StockCount
  readonly place: CountPlace | undefined
  readonly done: PlacesDone
}

const shownMax = 100

/** Where the worker counts, what was counted there, and which places were visited. */
export function CountProgress({ count, place, done }: CountProgressProps) {
  const { places = [], recount = [] } = count
  const here = linesAt(count, place)
  const byPlace = places.length > 0
  return (
    <>
      {count.reviewed_at !== null && (
        <p class="notice warn">Менеджер попросил посчитать заново. Остальное уже посчитано.</p>
      )}
      {count.counted_at !== null && (
        <p class="notice">Здесь уже всё посчитали. Отсканируете ещё — счёт пойдёт дальше.</p>
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
      {byPlace && <Places places={places} place={place} done={done} />}
    </>
  )
}

type EachPlace = NonNullable<StockCount['places']>[number]

interface PlacesProps extends Pick<CountProgressProps, 'place' | 'done'> {
  readonly places: readonly EachPlace[]
}

/** A place is counted when the worker says so: one scan there begins it. */
function Places({ places, place, done }: PlacesProps) {
  const isDone = (each: EachPlace) => done.has(codeOfPlace(each))
  const visited = places.filter(isDone).length
  const stateOf = (each: EachPlace) => {
    if (codeOfPlace(each) === place?.code) return 'считаете'
    if (isDone(each)) return '✓ готово'
    return each.scans > 0 ? 'начато' : 'ждёт'
  }
  return (
    <>
      {visited === places.length && (
        <p class="notice good">
          Все места посчитаны. Нажмите «Готово»: дальше пересчёт проверит менеджер.
        </p>
      )}
      <h2>
        Обойдено мест: {number(visited)} из {number(places.length)}
      </h2>
      <ul class="lines" aria-label="Где считать">
        {places.slice(0, shownMax).map((each) => (
          <li key={each.box_id ?? each.location_id} class={isDone(each) ? 'complete' : ''}>
            <span class="line-name">
              {each.location_code}
              {each.sscc !== null && ` короб …${each.sscc.slice(-5)}`}
            </span>
            <span class="qty">{stateOf(each)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
