import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { StaffOrder } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { type FormValues, TextField } from '../../ui/forms/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { plural } from '../../words/format.ts'
import { OpenedForm } from '../parts/opened-form.tsx'
import { listOf, paths } from '../paths.ts'

interface SplitFormProps {
  readonly order: StaffOrder
}

/** Splits an order of OZON by boxes: each becomes an order of its own. The marketplace knows no parts of sets. */
export function SplitForm({ order }: SplitFormProps) {
  if (order.lines.some((line) => line.set_barcode !== undefined)) {
    return (
      <p class="notice warn">
        Под заказ отложены части набора. Чтобы разделить его, сначала уберите заказ из отгрузки.
      </p>
    )
  }
  return <PackagesForm order={order} />
}

function PackagesForm({ order }: SplitFormProps) {
  const { route } = useLocation()
  const [boxes, setBoxes] = useState(2)
  return (
    <OpenedForm
      title="Разделить заказ"
      submit="Разделить"
      busy="Делим…"
      act={async (values) => {
        const { items } = await staff('POST /orders/{id}/split', {
          path: { id: order.id },
          body: { packages: packagesOf(values, order, boxes) },
        })
        const parts = plural(items.length, 'новый заказ', 'новых заказа', 'новых заказов')
        showToast(`Заказ ${order.external_id} разделён: ${parts}`)
        route(listOf(paths.orders, { client_id: order.client_id }))
      }}
    >
      <p class="small quiet">
        Разложите все единицы заказа по коробкам. Каждая станет своим заказом, прежний отменится.
      </p>
      {Array.from({ length: boxes }, (_, box) => (
        <fieldset key={box}>
          <legend>Коробка {box + 1}</legend>
          {order.lines.map((line, index) => (
            <TextField
              key={line.barcode}
              name={nameOf(box, index)}
              label={
                [line.name, line.article ?? line.barcode].filter(Boolean).join(' · ') || 'Товар'
              }
              type="number"
              min={0}
              max={line.qty}
              hint={`Всего ${line.qty}`}
              defaultValue={box === 0 ? String(line.qty) : '0'}
            />
          ))}
        </fieldset>
      ))}
      <button type="button" onClick={() => setBoxes(boxes + 1)}>
        Ещё коробка
      </button>
    </OpenedForm>
  )
}

function nameOf(box: number, line: number): string {
  return `packages[${box}][${line}].qty`
}

/** Boxes without goods are left out. */
function packagesOf(values: FormValues, { lines }: StaffOrder, boxes: number) {
  return Array.from({ length: boxes }, (_, box) =>
    lines.flatMap(({ barcode }, index) => {
      const qty = values.number(nameOf(box, index)) ?? 0
      return barcode && qty > 0 ? [{ barcode, qty }] : []
    }),
  ).filter((goods) => goods.length > 0)
}
