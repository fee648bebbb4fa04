import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import type { DayShipment as Plan } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Deadline } from '../../ui/deadline.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Form } from '../../ui/forms/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { plural } from '../../words/format.ts'
import { pathOf } from '../paths.ts'

/** What of a cabinet can leave now, and what stays and why; one press makes the shipment of it. */
export function DayShipment({ cabinetId }: { readonly cabinetId: string }) {
  const { hrefWith } = useAddress()
  const back = hrefWith({ form: undefined, cabinet_id: undefined })
  const { data, error, reload } = useAnswer(`day shipment of ${cabinetId}`, (signal) =>
    staff('GET /cabinets/{id}/day-shipment', { path: { id: cabinetId }, signal }),
  )
  return (
    <div class="stack">
      <Failure error={error} retry={reload} />
      {data === undefined ? (
        <div class="waiting" aria-busy="true" />
      ) : data.leaving.length > 0 ? (
        <Leaving cabinetId={cabinetId} leaving={data.leaving} back={back} reload={reload} />
      ) : (
        <>
          <h2>Отгрузка дня</h2>
          <p class="quiet">
            {data.staying.length > 0
              ? 'Уехать сейчас не может ни один заказ.'
              : 'Заказов без отгрузки нет.'}
          </p>
          <a class="button" href={back}>
            Закрыть
          </a>
        </>
      )}
      {data && <Staying staying={data.staying} />}
    </div>
  )
}

interface LeavingProps {
  readonly cabinetId: string
  readonly leaving: Plan['leaving']
  readonly back: string
  readonly reload: () => void
}

function Leaving({ cabinetId, leaving, back, reload }: LeavingProps) {
  const { route } = useLocation()
  const orders = plural(leaving.length, 'заказ', 'заказа', 'заказов')
  return (
    <Form
      title="Отгрузка дня"
      submit={`Открыть: ${orders}`}
      busy="Открываем…"
      cancel={back}
      act={async () => {
        const order_ids = leaving.map(({ order_id: id }) => id)
        const opened = await staff('POST /shipments', {
          body: { cabinet_id: cabinetId, order_ids },
        }).catch((refusal: unknown) => {
          reload()
          throw refusal
        })
        showToast(`Отгрузка открыта: ${orders}`)
        route(pathOf('shipment', opened.id, 'orders'))
      }}
    >
      <ul class="places choices">
        {leaving.map((order) => (
          <li key={order.order_id}>
            <Order order={order} />
            <Deadline at={order.deadline} />
          </li>
        ))}
      </ul>
    </Form>
  )
}

function Staying({ staying }: { readonly staying: Plan['staying'] }) {
  if (staying.length === 0) return null
  return (
    <section class="stack">
      <h3>Останутся: {plural(staying.length, 'заказ', 'заказа', 'заказов')}</h3>
      <ul class="places">
        {staying.map((order) => (
          <li key={order.order_id}>
            <Order order={order}>
              <div class="small problem">{order.reason}</div>
            </Order>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface OrderProps {
  readonly order: Plan['leaving'][number]
  readonly children?: ComponentChildren
}

function Order({ order, children }: OrderProps) {
  return (
    <div>
      <a href={pathOf('order', order.order_id)}>{order.external_id}</a>
      <div class="small quiet">
        {order.goods} · {order.units} шт.
      </div>
      {children}
    </div>
  )
}
