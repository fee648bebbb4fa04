import type { ShippingDefault, StaffCabinet } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Failure } from '../../ui/failure.tsx'
import { Choice, Form } from '../../ui/forms/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { plural } from '../../words/format.ts'
import { carrierHint } from '../shipments/shipping-method.tsx'

const cargoTypes: readonly (readonly [number, string])[] = [
  [1, 'Малогабарит (МГТ)'],
  [2, 'Сверхгабарит (СГТ)'],
  [3, 'Крупногабарит (КГТ+)'],
]

const ways: readonly { value: ShippingDefault['type']; text: string }[] = [
  { value: 'selfShipping', text: 'Привезём сами' },
  { value: 'transportCompany', text: 'Привезёт транспортная компания' },
]

/** Where shipments of a cabinet go unless somebody chooses otherwise. */
export function ShippingDefaults({ cabinet }: { readonly cabinet: StaffCabinet }) {
  const { query, go } = useAddress()
  const path = { id: cabinet.id }
  const chosen = useAnswer(`shipping defaults ${cabinet.id}`, (signal) =>
    staff('GET /cabinets/{id}/shipping-defaults', { path, signal }),
  )
  const city = query.city ?? ''
  const points = useAnswer(`shipping points ${cabinet.id} ${city}`, (signal) =>
    city === ''
      ? Promise.resolve({ items: [] })
      : staff('GET /cabinets/{id}/shipping-points', { path, query: { city }, signal }),
  )
  if (cabinet.marketplace !== 'WB') {
    return <p class="empty">У OZON пункт выбирать не нужно: его знает склад продавца.</p>
  }
  if (chosen.data === undefined) return <Waiting error={chosen.error} retry={chosen.reload} />
  const known = new Map(chosen.data.items.map((item) => [item.cargo_type, item]))
  const options = (points.data?.items ?? []).map(({ id, name, address }) => ({
    value: String(id),
    text: address === null ? name : `${name}, ${address}`,
  }))
  return (
    <section class="panel narrow stack">
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          go({ city: String(new FormData(event.currentTarget).get('city')).trim() })
        }}
      >
        <div class="field">
          <label for="city">Город пункта</label>
          <input id="city" name="city" defaultValue={city} />
        </div>
        <button type="submit">Показать пункты</button>
      </form>
      <p class="quiet" role="status">
        {aboutPoints(city, points.data?.items.length)}
      </p>
      <Failure error={points.error} retry={points.reload} />
      <Form
        title="Пункты по умолчанию"
        submit="Сохранить пункты"
        act={async (values) => {
          const items = cargoTypes.flatMap(([cargo]) => {
            const point = values.number(`point_${cargo}`)
            const type = values.text(`type_${cargo}`) as ShippingDefault['type']
            return point === undefined ? [] : [{ cargo_type: cargo, point_id: point, type }]
          })
          await staff('PUT /cabinets/{id}/shipping-defaults', { path, body: { items } })
          showToast('Пункты сохранены')
          chosen.reload()
        }}
      >
        {cargoTypes.map(([cargo, title]) => (
          <PointChoice
            key={cargo}
            cargo={cargo}
            title={title}
            chosen={known.get(cargo)}
            options={options}
          />
        ))}
        <p class="small quiet">{carrierHint}</p>
      </Form>
    </section>
  )
}

/** `count` is undefined while the marketplace is asked. */
function aboutPoints(city: string, count: number | undefined): string {
  if (city === '') return 'Назовите город, чтобы выбрать другой пункт.'
  if (count === undefined) return ''
  if (count === 0) return `В городе «${city}» пунктов нет: проверьте название.`
  return `Нашли ${plural(count, 'пункт', 'пункта', 'пунктов')}: выберите ниже и сохраните.`
}

interface PointChoiceProps {
  readonly cargo: number
  readonly title: string
  readonly chosen: ShippingDefault | undefined
  readonly options: readonly { readonly value: string; readonly text: string }[]
}

function PointChoice({ cargo, title, chosen, options }: PointChoiceProps) {
  const value = chosen === undefined ? '' : String(chosen.point_id)
  const isListed = chosen === undefined || options.some((option) => option.value === value)
  const own = isListed ? [] : [{ value, text: chosen.name }]
  return (
    <div class="stack">
      <Choice
        name={`point_${cargo}`}
        label={title}
        options={[{ value: '', text: 'Не выбран' }, ...own, ...options]}
        value={value}
      />
      <Choice
        name={`type_${cargo}`}
        label={`Кто привезёт: ${title}`}
        options={ways}
        value={chosen?.type}
      />
    </div>
  )
}
