import type { Location } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Failure } from '../../ui/failure.tsx'
import { Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../ui/lists/filters.tsx'
import { Scrolled } from '../../ui/lists/scrolled.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { number, plural } from '../../words/format.ts'
import { useWarehouses } from '../parts/warehouse-choice.tsx'
import { pathOf, paths } from '../paths.ts'
import { fillOf, shelfOf, type Zone, zonesOf } from './racks.ts'

/** Places that the map shows at most; with more it asks to choose a zone. */
const placesMax = 2_000

export default function WarehouseMap() {
  const { query } = useAddress()
  const warehouses = useWarehouses()
  const known = warehouses.data?.items ?? []
  const choices = known.map(({ code, name }) => [code, `${code} · ${name}`])
  const warehouse = query.warehouse_code ?? known[0]?.code
  return (
    <div class="stack">
      <Heading title="Карта склада" about="Полки по стеллажам: чем ярче цвет, тем больше лежит">
        <a class="button" href={paths.locations}>
          Списком
        </a>
      </Heading>
      <Filters>
        {choices.length > 1 && (
          <ChoiceFilter
            name="warehouse_code"
            label="Склад"
            all={warehouse ?? ''}
            options={Object.fromEntries(choices)}
          />
        )}
        <TextFilter name="zone" label="Зона" />
        <TextFilter name="barcode" label="Где лежит штрихкод" />
      </Filters>
      <Failure error={warehouses.error} retry={warehouses.reload} />
      {warehouses.data === undefined && warehouses.error === undefined && (
        <div class="waiting" aria-busy="true" />
      )}
      {warehouse !== undefined && (
        <Places warehouse={warehouse} zone={query.zone} barcode={query.barcode} />
      )}
    </div>
  )
}

interface PlacesProps {
  readonly warehouse: string
  readonly zone: string | undefined
  readonly barcode: string | undefined
}

function Places({ warehouse, zone, barcode }: PlacesProps) {
  const { data, error, reload } = useAnswer(
    `map ${warehouse} ${zone ?? ''} ${barcode ?? ''}`,
    (signal) => allPlaces({ warehouse_code: warehouse, zone, barcode }, signal),
    { refreshMs: 60_000 },
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  if (data.places.length === 0) {
    return <p class="empty">Таких мест нет. Заведите их по шаблону на странице мест хранения.</p>
  }
  const most = Math.max(1, ...data.places.map(({ units }) => units))
  return (
    <>
      {data.total > data.places.length && (
        <p class="notice warn">
          Показаны {number(data.places.length)} из {plural(data.total, 'места', 'мест', 'мест')}:
          выберите зону.
        </p>
      )}
      <Legend />
      {zonesOf(data.places).map((each) => (
        <ZoneMap key={each.name} zone={each} most={most} />
      ))}
    </>
  )
}

type Filter = { readonly [Name in 'warehouse_code' | 'zone' | 'barcode']: string | undefined }

async function allPlaces(filter: Filter, signal: AbortSignal) {
  const places: Location[] = []
  let cursor: string | undefined
  let total = 0
  do {
    const page = await staff('GET /locations', { query: { ...filter, limit: 200, cursor }, signal })
    places.push(...page.items)
    total = page.total
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined && places.length < placesMax)
  return { places, total }
}

function Legend() {
  return (
    <p class="row small" aria-hidden="true">
      <span class="place" /> пусто
      <span class="place low" /> есть товар
      <span class="place high" /> много
      <span class="place closed" /> закрыто
    </p>
  )
}

const fillWords = { closed: 'закрыто', free: 'пусто', low: 'есть товар', high: 'много' } as const

function ZoneMap({ zone, most }: { readonly zone: Zone; readonly most: number }) {
  const title = zone.name === '' ? 'Вне зон' : `Зона ${zone.name}`
  return (
    <section class="panel stack">
      <h2>{title}</h2>
      <Scrolled class="map" aria-label={`${title}: стеллажи`}>
        {zone.racks.map(({ name, places }) => (
          <div class="rack" key={name}>
            <span title={name}>{name}</span>
            {places.map((place) => {
              const fill = fillOf(place, most)
              const words = `${place.code}: ${fillWords[fill]}, единиц ${number(place.units)}`
              return (
                <a
                  key={place.id}
                  class={`place ${fill}`}
                  href={pathOf('location', place.id)}
                  title={words}
                  aria-label={words}
                >
                  {shelfOf(place.code)}
                </a>
              )
            })}
          </div>
        ))}
      </Scrolled>
    </section>
  )
}
