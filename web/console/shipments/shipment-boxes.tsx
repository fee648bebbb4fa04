import type { StaffShipment } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { type Column, Table } from '../parts/list.tsx'

interface ShipmentBoxesProps {
  readonly shipment: StaffShipment
}

interface ShipmentBox {
  readonly id: string
}

/** Boxes of a shipment that goes to a pick-up point, each with its sticker. */
export function ShipmentBoxes({ shipment: { id, marketplace } }: ShipmentBoxesProps) {
  const { data, error, reload } = useAnswer(`boxes of ${id}`, (signal) =>
    staff('GET /shipments/{id}/boxes', { path: { id }, signal }),
  )
  const remove = async (box: string) => {
    await staff('DELETE /shipments/{id}/boxes/{box_id}', { path: { id, box_id: box } })
    reload()
  }
  const columns: readonly Column<ShipmentBox>[] = [
    { title: 'Грузоместо', cell: (box) => <code>{box.id}</code> },
    {
      title: 'Этикетка',
      cell: (box) => (
        <a
          target="_blank"
          rel="noreferrer"
          href={`/staff/v1/shipments/${id}/boxes/${encodeURIComponent(box.id)}/sticker`}
        >
          Открыть
        </a>
      ),
    },
    {
      title: 'Удалить',
      cell: (box) => (
        <ConfirmButton
          danger
          label="Удалить"
          question={`Удалить грузоместо ${box.id}?`}
          consequence="Его этикетка больше не подойдёт."
          act={() => remove(box.id)}
        />
      ),
    },
  ]
  if (marketplace !== 'WB') return <div class="empty">Грузоместа бывают у отгрузок WB.</div>
  if (data === undefined) return <Failure error={error} retry={reload} />
  return (
    <div class="stack">
      {data.items.length === 0 ? (
        <div class="empty">Грузомест нет: они нужны, когда отгрузку везут в пункт выдачи.</div>
      ) : (
        <Table name="Грузоместа" rows={data.items} columns={columns} keyOf={(box) => box.id} />
      )}
      <Form
        submit="Заказать грузоместа"
        act={async (values) => {
          const count = Number(values.text('count'))
          await staff('PUT /shipments/{id}/boxes', { path: { id }, body: { count } })
          reload()
        }}
      >
        <TextField
          name="count"
          type="number"
          min={1}
          label="Сколько всего нужно"
          hint={`Не больше ${data.max}`}
          required
        />
      </Form>
    </div>
  )
}
