import type { Product } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { Form, TextField } from '../../ui/forms/form.tsx'

interface ProductPartsProps {
  readonly product: Product
  readonly onChanged: () => void
}

/** What a set is made of. */
export function ProductParts({ product, onChanged }: ProductPartsProps) {
  const { client_id: id, barcode, parts = [], parts_allow: allowed } = product
  const put = async (changed: readonly { barcode: string; qty: number }[]) => {
    const kept = changed.map((part) => ({ barcode: part.barcode, qty: part.qty }))
    const path = { id, barcode }
    await staff('PUT /clients/{id}/products/{barcode}/parts', { path, body: { parts: kept } })
    onChanged()
  }
  return (
    <section class="stack" aria-label="Состав набора">
      <p class="small quiet">
        {parts.length === 0
          ? 'Если товар — набор, укажите, из чего он: под заказ склад соберёт его из частей.'
          : `Это набор. Из свободных частей выйдет: ${allowed ?? 0}. Собранные заранее — в остатке самого набора.`}
      </p>
      {parts.map((part) => (
        <div key={part.barcode} class="row">
          <span>
            {part.name}, <code>{part.barcode}</code> × {part.qty}
          </span>
          <ActionButton
            label={`Убрать из набора ${part.name}`}
            act={() => put(parts.filter((other) => other.barcode !== part.barcode))}
          />
        </div>
      ))}
      <Form
        minor
        key={parts.map((part) => part.barcode).join(' ')}
        submit="Добавить часть"
        busy="Добавляем…"
        act={async (values) => {
          const part = { barcode: values.text('part'), qty: values.number('qty') ?? 1 }
          await put([...parts, part])
        }}
      >
        <TextField name="part" label="Штрихкод части" required />
        <TextField
          name="qty"
          label="Сколько в наборе"
          type="number"
          min={1}
          max={1000}
          defaultValue="1"
          required
        />
      </Form>
    </section>
  )
}
