import type { PickingTask } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { plural } from '../../words/format.ts'
import { pathOf } from '../paths.ts'

/** What the marketplace says of the codes of a shipment's picked units. */
export interface Marks {
  readonly proven: number
  readonly waiting: number
  readonly refused: PickingTask['refused_marks']
}

/** Undefined where no unit has codes. */
export function useMarks(taskId: string | null): Marks | undefined {
  const { data } = useAnswer(
    `marks of ${taskId}`,
    async (signal) =>
      taskId === null
        ? undefined
        : staff('GET /picking-tasks/{id}', { path: { id: taskId }, signal }),
    { refreshMs: 10_000 },
  )
  const { proven = 0, waiting = 0 } = data?.marks ?? {}
  const refused = data?.refused_marks ?? []
  return proven + waiting + refused.length === 0 ? undefined : { proven, waiting, refused }
}

interface MarkFiguresProps {
  readonly shipmentId: string
  readonly marks: Marks
  readonly reload: () => void
}

/** The figures, and each order whose unit was refused. */
export function MarkFigures({ shipmentId, marks, reload }: MarkFiguresProps) {
  const { proven, waiting, refused = [] } = marks
  const orders = [...new Set(refused.map(({ order_id: id }) => id))]
  return (
    <section class="panel stack" aria-label="Коды единиц">
      <h2>Коды единиц</h2>
      <p>
        Приняты: {proven}. Ждут ответа маркетплейса: {waiting}. Не приняты: {refused.length}.
      </p>
      {refused.length > 0 && (
        <ul>
          {refused.map(({ order_id: id, order_external_id: order, name, reason }, n) => (
            <li key={`${id}${n}`}>
              <a href={pathOf('order', id)}>{order}</a>, «{name}»: {reason}
            </li>
          ))}
        </ul>
      )}
      {orders.length > 0 && <TakeOut shipmentId={shipmentId} orders={orders} done={reload} />}
    </section>
  )
}

interface TakeOutProps {
  readonly shipmentId: string
  readonly orders: readonly string[]
  readonly done: () => void
}

/** Takes the orders that would stop the closing out; they wait for the next shipment. */
function TakeOut({ shipmentId: id, orders, done }: TakeOutProps) {
  const some = plural(orders.length, 'заказ', 'заказа', 'заказов')
  return (
    <ActionButton
      label="Перенести в следующую отгрузку"
      act={async () => {
        for (const order of orders) {
          await staff('DELETE /shipments/{id}/orders/{order_id}', {
            path: { id, order_id: order },
          })
        }
        showToast(`Ждут следующей отгрузки: ${some}`, async () => {
          const body = { order_ids: [...orders] }
          await staff('POST /shipments/{id}/orders', { path: { id }, body })
          done()
        })
        done()
      }}
    />
  )
}
