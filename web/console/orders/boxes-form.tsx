import type { StaffOrder } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { TextField } from '../../ui/forms/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'

interface BoxesFormProps {
  readonly order: StaffOrder
  readonly done: () => void
}

/** In how many boxes an order leaves: OZON wants to know before it is picked, and each box has its label. */
export function BoxesForm({ order, done }: BoxesFormProps) {
  return (
    <OpenedForm
      title="Сколько коробок"
      submit="Назвать"
      act={async (values, close) => {
        const { boxes } = await staff('PUT /orders/{id}/boxes', {
          path: { id: order.id },
          body: { count: values.number('count') ?? 0 },
        })
        showToast(`Коробок у заказа ${order.external_id}: ${boxes}`)
        close()
        done()
      }}
    >
      <TextField
        name="count"
        label="Коробок у заказа"
        type="number"
        min={1}
        hint="Для товаров, которые едут в нескольких коробках. Этикетка печатается для каждой."
        defaultValue={order.boxes === null ? '' : String(order.boxes)}
        required
        autofocus
      />
    </OpenedForm>
  )
}
