import type { StaffOrder } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { TextField } from '../../ui/forms/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'

interface StatusFormProps {
  readonly order: StaffOrder
  readonly done: () => void
}

/** What the marketplace says of an order whose cabinet is not connected. */
export function StatusForm({ order, done }: StatusFormProps) {
  const isWb = order.marketplace === 'WB'
  return (
    <OpenedForm
      title="Что говорит маркетплейс"
      submit="Сообщить"
      act={async (values, close) => {
        await staff('PATCH /orders/{id}', {
          path: { id: order.id },
          body: {
            marketplace_status: {
              supplier: values.optional('supplier'),
              buyer: values.optional('buyer'),
            },
          },
        })
        showToast(`Статус заказа ${order.external_id} сообщён`)
        close()
        done()
      }}
    >
      <p class="small quiet">
        Для кабинетов, которые не подключены: статус подключённых приходит сам.
      </p>
      <TextField
        name="supplier"
        label="Со стороны продавца"
        hint={isWb ? 'supplierStatus, например complete' : 'status, например delivering'}
        defaultValue={order.marketplace_status.supplier ?? ''}
      />
      <TextField
        name="buyer"
        label="Со стороны покупателя"
        hint={isWb ? 'wbStatus, например sold' : 'substatus'}
        defaultValue={order.marketplace_status.buyer ?? ''}
      />
    </OpenedForm>
  )
}
