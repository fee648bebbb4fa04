import { useState } from 'preact/hooks'
import type { Location } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, Filters, oneOf, TextFilter } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { number, plural } from '../../words/format.ts'
import { ExportLinks } from '../parts/export-links.tsx'
import { OpenLink } from '../parts/open-link.tsx'
import { useWarehouses } from '../parts/warehouse-choice.tsx'
import { pathOf, paths } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'
import { LocationLabels } from './location-labels.tsx'
import { NewLocations } from './new-locations.tsx'

const columns: readonly Column<Location>[] = [
  { title: 'Место', cell: ({ id, code }) => <a href={pathOf('location', id)}>{code}</a> },
  { title: 'Зона', cell: ({ zone }) => zone || <span class="quiet">вне зон</span> },
  { title: 'Единиц', cell: ({ units }) => number(units), end: true },
  { title: 'Коробов', cell: ({ boxes_count: boxes }) => number(boxes), end: true },
  { title: 'Паллет', cell: ({ pallets_count: pallets }) => number(pallets), end: true },
  { title: 'Обход', cell: ({ order }) => number(order), end: true },
  {
    title: 'Состояние',
    main: true,
    cell: ({ active }) =>
      active ? <Badge tone="good" word="открыто" /> : <Badge tone="quiet" word="закрыто" />,
  },
  {
    title: 'Этикетка',
    cell: ({ id, code }) => (
      <OpenLink button={false} href={labelOf(id)} label="Открыть" of={`этикетку места ${code}`} />
    ),
  },
]

export function labelOf(id: string): string {
  return `/staff/v1/locations/${encodeURIComponent(id)}/label`
}

export default function Locations() {
  const { query, hrefWith, go } = useAddress()
  const { user } = useSession()
  const [version, setVersion] = useState(0)
  const [made, setMade] = useState('')
  const { warehouse_code, zone, barcode } = query
  const active = oneOf(query.active, ['true', 'false'])
  const filter = { warehouse_code, zone, barcode, active }
  const manages = isAtLeast(user, 'manager')
  const form =
    query.form === 'labels' ? (
      <LocationLabels />
    ) : (
      manages &&
      query.form === 'new' && (
        <NewLocations
          onMade={({ created, existing }) => {
            setMade(
              `Заведено ${plural(created, 'место', 'места', 'мест')}` +
                (existing > 0 ? `, ещё ${number(existing)} уже были.` : '.'),
            )
            setVersion((last) => last + 1)
            go({ form: undefined })
          }}
        />
      )
    )
  return (
    <div class="stack">
      <Heading title="Места хранения" about="Полки, ячейки и участки пола с этикетками">
        <a class="button" href={paths.map}>
          Карта
        </a>
        <a class="button" href={hrefWith({ form: 'labels' })}>
          Этикетки
        </a>
        {manages && (
          <a class="button primary" href={hrefWith({ form: 'new' })}>
            Завести места
          </a>
        )}
      </Heading>
      <p role="status">{made}</p>
      <Beside form={form}>
        <LocationFilters />
        <List
          name="Места хранения"
          of={JSON.stringify(filter)}
          version={version}
          columns={columns}
          keyOf={({ id }) => id}
          ask={({ signal, ...page }) =>
            staff('GET /locations', { query: { ...filter, ...page }, signal })
          }
          files={<ExportLinks list="locations" filter={filter} />}
          empty="Мест нет. Заведите их по шаблону: A-{01..10}-{1..4} — это 40 полок."
        />
      </Beside>
    </div>
  )
}

function LocationFilters() {
  const { data } = useWarehouses()
  const warehouses = (data?.items ?? []).map(({ code, name }) => [code, `${code} · ${name}`])
  return (
    <Filters>
      {warehouses.length > 1 && (
        <ChoiceFilter
          name="warehouse_code"
          label="Склад"
          options={Object.fromEntries(warehouses)}
        />
      )}
      <TextFilter name="zone" label="Зона" />
      <TextFilter name="barcode" label="Штрихкод товара" />
      <ChoiceFilter
        name="active"
        label="Состояние"
        options={{ true: 'Открытые', false: 'Закрытые' }}
      />
    </Filters>
  )
}
