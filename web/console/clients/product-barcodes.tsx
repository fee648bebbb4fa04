import type { Product } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { Form, TextField } from '../../ui/forms/form.tsx'

interface ProductBarcodesProps {
  readonly product: Product
  readonly onChanged: () => void
}

/** The barcodes under which a product is scanned besides its own. */
export function ProductBarcodes({ product, onChanged }: ProductBarcodesProps) {
  const { client_id: id, barcode, other_barcodes: others = [] } = product
  return (
    <section class="stack" aria-label="Другие штрихкоды товара">
      <p class="small quiet">
        {others.length === 0
          ? 'Если на товаре бывает другой штрихкод, например поставщика, добавьте его: сканы и заказы под ним найдут этот товар.'
          : 'Под этими штрихкодами — тот же товар:'}
      </p>
      {others.map((other) => (
        <div key={other} class="row">
          <code>{other}</code>
          <ActionButton
            label={`Убрать ${other}`}
            act={async () => {
              const path = { id, barcode, other }
              await staff('DELETE /clients/{id}/products/{barcode}/barcodes/{other}', { path })
              onChanged()
            }}
          />
        </div>
      ))}
      <Form
        minor
        key={others.join(' ')}
        submit="Добавить штрихкод"
        busy="Добавляем…"
        act={async (values) => {
          const path = { id, barcode, other: values.text('barcode') }
          await staff('PUT /clients/{id}/products/{barcode}/barcodes/{other}', { path })
          onChanged()
        }}
      >
        <TextField name="barcode" label="Другой штрихкод" required />
      </Form>
    </section>
  )
}
