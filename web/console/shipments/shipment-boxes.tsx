import type { StaffShipment } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Form, TextField } from '../../ui/forms/form.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { OpenLink } from '../parts/open-link.tsx'
import { becauseOf } from './shipment-actions.tsx'

interface ShipmentBoxesProps {
  readonly shipment: StaffShipment
}

interface ShipmentBox {
  readonly id: string
}

/** Boxes of a shipment that goes to a pick-up point, each with its sticker. */
export function ShipmentBoxes({ shipment }: ShipmentBoxesProps) {
  const { id, marketplace } = shipment
  const because = becauseOf(shipment)('prepare')
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
        <OpenLink
          button={false}
          href={`/staff/v1/shipments/${id}/boxes/${encodeURIComponent(box.id)}/sticker`}
          label="Открыть"
          of={`этикетку грузоместа ${box.id}`}
        />
      ),
    },
  ]
  const removing: Column<ShipmentBox> = {
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
  }
  if (marketplace !== 'WB') return <div class="empty">Грузоместа бывают у отгрузок WB.</div>
  if (error?.code === 'conflict') return <div class="empty">{error.message}.</div>
  if (data === undefined) return <Waiting error={error} retry={reload} />
  return (
    <div class="stack">
      <Table
        name="Грузоместа"
        rows={data.items}
        columns={because === undefined ? [...columns, removing] : columns}
        keyOf={(box) => box.id}
        empty={
          <div class="empty">Грузомест нет: они нужны, когда отгрузку везут в пункт выдачи.</div>
        }
      />
      {because === undefined ? (
        <BoxesForm id={id} max={data.max} done={reload} />
      ) : (
        <p class="quiet">{because}.</p>
      )}
    </div>
  )
}

interface BoxesFormProps {
  readonly id: string
  readonly max: number
  readonly done: () => void
}

function BoxesForm({ id, max, done }: BoxesFormProps) {
  return (
    <Form
      submit="Заказать грузоместа"
      act={async (values) => {
        const count = Number(values.text('count'))
        await staff('PUT /shipments/{id}/boxes', { path: { id }, body: { count } })
        done()
      }}
    >
      <TextField
        name="count"
        type="number"
        min={1}
        label="Сколько всего нужно"
        hint={`Не больше ${max}`}
        required
      />
    </Form>
  )
}
