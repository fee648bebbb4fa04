import { useLocation } from 'preact-iso'
import type { StaffOrder } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Form, TextField } from '../../ui/form.tsx'
import { showToast } from '../../ui/toast.tsx'

interface StatusFormProps {
  readonly order: StaffOrder
  readonly done: () => void
}

/** What the marketplace says of an order whose cabinet is not connected. */
export function StatusForm({ order, done }: StatusFormProps) {
  const { route } = useLocation()
  const { hrefWith } = useAddress()
  const back = hrefWith({ form: undefined })
  const isWb = order.marketplace === 'WB'
  return (
    <Form
      title="Что говорит маркетплейс"
      submit="Сообщить"
      cancel={back}
      act={async (values) => {
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
        route(back)
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
    </Form>
  )
}
