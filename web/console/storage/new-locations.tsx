import { useState } from 'preact/hooks'
import { ServiceError } from '../../../src/platform/kernel/errors.ts'
import { asSentences } from '../../../src/platform/kernel/sentences.ts'
import { codesOfPattern } from '../../../src/warehouse/storage/location-code.ts'
import type { LocationsMade } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { TextField } from '../../ui/forms/form.tsx'
import { plural } from '../../words/format.ts'
import { OpenedForm } from '../parts/opened-form.tsx'
import { WarehouseChoice } from '../parts/warehouse-choice.tsx'

/** Many places at once by a pattern, with what it will make before it is done. */
export function NewLocations({ onMade }: { readonly onMade: (made: LocationsMade) => void }) {
  const [pattern, setPattern] = useState('')
  return (
    <OpenedForm
      title="Новые места"
      submit="Завести"
      busy="Заводим…"
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
    </OpenedForm>
  )
}

/** What the pattern makes, by the service's own reading of it. */
function previewText(pattern: string): string {
  if (pattern.trim() === '') return ''
  try {
    const codes = codesOfPattern(pattern)
    const [first, last] = [codes[0], codes.at(-1)]
    if (codes.length === 1) return `Будет одно место: ${first}`
    return `Будет ${plural(codes.length, 'место', 'места', 'мест')}: от ${first} до ${last}`
  } catch (error) {
    return error instanceof ServiceError ? asSentences(error.breaches.map(({ rule }) => rule)) : ''
  }
}
