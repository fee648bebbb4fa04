import type { ProductMeasures } from '../../api/staff-calls.ts'
import { quantityWords } from '../../words/money.ts'
import { type FormValues, TextField } from '../forms/form.tsx'

/** Fields for the sides and the weight of a product, as people measure it: centimetres with a comma. */

const sides = { length_cm: 'Длина, см', width_cm: 'Ширина, см', height_cm: 'Высота, см' } as const

export function MeasureFields() {
  return (
    <>
      {Object.entries(sides).map(([name, label]) => (
        <TextField
          key={name}
          name={name}
          label={label}
          inputMode="decimal"
          pattern="\d{1,4}([.,]\d)?"
          required
        />
      ))}
      <TextField
        name="weight_g"
        label="Вес, г"
        inputMode="numeric"
        pattern="\d{1,7}"
        hint="Пусто — не взвешен"
      />
    </>
  )
}

export function measuresIn(values: FormValues) {
  const side = (name: keyof typeof sides) => Number(values.text(name).replace(',', '.'))
  return {
    length_cm: side('length_cm'),
    width_cm: side('width_cm'),
    height_cm: side('height_cm'),
    weight_g: values.number('weight_g') ?? null,
  }
}

/** «12,5 × 10 × 3 см, 250 г». */
export function sidesText(measures: ProductMeasures): string {
  const { length_cm: length, width_cm: width, height_cm: height, weight_g: weight } = measures
  const text = `${[length, width, height].map(quantityWords).join(' × ')} см`
  return weight === null ? text : `${text}, ${quantityWords(weight)} г`
}
