import { useState } from 'preact/hooks'
import { newId } from '../../api/new-id.ts'
import type { Client, ManualChargeDraft } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Choice, TextField } from '../../ui/forms/form.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { moscowDay } from '../../words/format.ts'
import { OpenedForm } from '../parts/opened-form.tsx'
import { listOf, paths } from '../paths.ts'
import { pricePattern } from './tariff-form.tsx'

interface ManualChargeProps {
  readonly client: Client
  readonly onSaved: () => void
}

const kinds = {
  receipt: 'приёмке',
  order: 'заказу',
  shipment: 'отгрузке',
  return: 'приёму возвратов',
  count: 'пересчёту',
} as const

/** A service of the warehouse's own, charged by hand. The address may name the object that it was for. */
export function ManualCharge({ client, onSaved }: ManualChargeProps) {
  const { query } = useAddress()
  // One name for all tries of an entry: an answer that was lost charges nothing twice.
  const [entry, setEntry] = useState(newId)
  const { id, warehouse_code: code } = client
  const { data, error, reload } = useAnswer(`services ${code}`, (signal) =>
    staff('GET /warehouses/{code}/billing-services', { path: { code }, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  const own = data.items.filter(({ measured }) => !measured)
  if (own.length === 0) {
    return (
      <p>
        Своих услуг у склада ещё нет.{' '}
        <a href={listOf(paths.tariffs, { warehouse: code, form: 'service' })}>Заведите услугу</a>
      </p>
    )
  }
  const object = objectIn(query.object)
  return (
    <OpenedForm
      title="Начислить вручную"
      submit="Начислить"
      by={['form', 'object']}
      act={async (values) => {
        await staff('POST /clients/{id}/manual-charges', {
          path: { id },
          body: {
            service: values.text('service'),
            day: values.optional('day'),
            quantity: values.text('quantity'),
            price: values.optional('price'),
            comment: values.text('comment'),
            entry_id: entry,
            object,
          },
        })
        setEntry(newId())
        onSaved()
      }}
    >
      <Choice
        name="service"
        label="Услуга"
        options={own.map((service) => ({
          value: service.code,
          text: `${service.name}, ${service.unit}`,
        }))}
      />
      <TextField name="day" label="День" type="date" defaultValue={moscowDay(new Date())} />
      <TextField
        name="quantity"
        label="Сколько"
        pattern="-?\d{1,9}([.,]\d{1,3})?"
        hint="С минусом — вернуть клиенту, тогда назовите цену"
        required
      />
      <TextField
        name="price"
        label="Цена за единицу, ₽"
        inputMode="decimal"
        pattern={pricePattern}
        hint="Пусто — по тарифу"
      />
      <TextField name="comment" label="За что" hint="Увидит клиент" maxLength={1000} required />
      {object !== undefined && <p class="small quiet">Относится к {kinds[object.kind]}.</p>}
    </OpenedForm>
  )
}

/** «order:01a2…» of an address. */
function objectIn(text = ''): ManualChargeDraft['object'] {
  const [named, id] = text.split(':')
  const kind = (Object.keys(kinds) as (keyof typeof kinds)[]).find((each) => each === named)
  return kind === undefined || !id ? undefined : { kind, id }
}
