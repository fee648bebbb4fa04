import { useState } from 'preact/hooks'
import type { ShippingPoint, StaffShipment } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { Choice, TextField } from '../../ui/forms/form.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { OpenedForm } from '../parts/opened-form.tsx'

/** WB announced that a supply of a carrier needs a waybill, and has not said since whether it does. */
export const carrierHint =
  'WB объявлял, что с октября 2026 года поставке транспортной компании нужна электронная транспортная накладная ' +
  '(ЭТрН). Если кабинет WB её попросит, оформите её там.'

interface ShippingMethodProps {
  readonly shipment: StaffShipment
  readonly done: () => void
}

/** Which point of the marketplace the shipment goes to, and when. */
export function ShippingMethod({ shipment, done }: ShippingMethodProps) {
  const [city, setCity] = useState(shipment.shipping_method?.city ?? 'Москва')
  const [points, setPoints] = useState<readonly ShippingPoint[]>()
  const finding = useAction(async () => {
    const found = await staff('GET /cabinets/{id}/shipping-points', {
      path: { id: shipment.cabinet_id },
      query: { city },
    })
    setPoints(found.items)
  })
  return (
    <OpenedForm
      title="Куда везти"
      submit="Выбрать"
      act={async (values, close) => {
        await staff('PUT /shipments/{id}/shipping-method', {
          path: { id: shipment.id },
          body: {
            point_id: Number(values.text('point_id')),
            date: values.optional('date'),
            type: values.text('type') === 'transportCompany' ? 'transportCompany' : 'selfShipping',
          },
        })
        done()
        close()
      }}
    >
      <TextField
        name="city"
        label="Город"
        value={city}
        onInput={(event) => setCity(event.currentTarget.value)}
      />
      <button type="button" disabled={finding.busy} onClick={() => finding.run()}>
        {finding.busy ? 'Ищем…' : 'Показать пункты'}
      </button>
      <Failure error={finding.error} />
      {points?.length === 0 && <p class="quiet">В этом городе пунктов не нашли.</p>}
      {points !== undefined && points.length > 0 && (
        <Choice
          name="point_id"
          label="Пункт"
          options={points.map(({ id, name, address }) => ({
            value: String(id),
            text: address ? `${name}, ${address}` : name,
          }))}
        />
      )}
      <TextField name="date" label="Когда едет" type="date" hint="Без даты — в день закрытия" />
      <Choice
        name="type"
        label="Кто везёт"
        options={[
          { value: 'selfShipping', text: 'Сами' },
          { value: 'transportCompany', text: 'Транспортная компания' },
        ]}
        hint={carrierHint}
      />
    </OpenedForm>
  )
}
