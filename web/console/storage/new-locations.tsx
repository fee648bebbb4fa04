import { useState } from 'preact/hooks'
import type { LocationsMade } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { plural } from '../../words/format.ts'
import { useAddress } from '../parts/address.ts'
import { Form, TextField } from '../parts/form.tsx'
import { WarehouseChoice } from '../parts/warehouse-choice.tsx'
import { previewOf } from './pattern.ts'

/** Many places at once by a pattern, with what it will make before it is done. */
export function NewLocations({ onMade }: { readonly onMade: (made: LocationsMade) => void }) {
  const { hrefWith } = useAddress()
  const [pattern, setPattern] = useState('')
  return (
    <Form
      title="Новые места"
      submit="Завести"
      busy="Заводим…"
      cancel={hrefWith({ form: undefined })}
      act={async (values) => {
        const made = await staff('POST /locations/bulk', {
          body: {
            warehouse_code: values.text('warehouse_code'),
            pattern: values.text('pattern'),
            zone: values.optional('zone'),
            order: values.number('order'),
          },
        })
        onMade(made)
      }}
    >
      <WarehouseChoice />
      <TextField
        name="pattern"
        label="Коды"
        hint="Один код или шаблон: A-{01..10}-{1..4}"
        value={pattern}
        onInput={(event) => setPattern(event.currentTarget.value)}
        required
        autofocus
      />
      <p role="status">{previewText(pattern)}</p>
      <TextField name="zone" label="Зона" hint="Например, A или «Холод»; можно без зоны" />
      <TextField
        name="order"
        label="Порядок обхода первого места"
        inputMode="numeric"
        hint="Следующие — на один больше; можно не заполнять"
      />
    </Form>
  )
}

function previewText(pattern: string): string {
  if (pattern.trim() === '') return ''
  const preview = previewOf(pattern)
  if (preview === undefined)
    return 'Диапазон пишут в фигурных скобках, от меньшего к большему: {01..10}'
  const { count, first, last } = preview
  if (count === 1) return `Будет одно место: ${first}`
  return `Будет ${plural(count, 'место', 'места', 'мест')}: от ${first} до ${last}`
}
