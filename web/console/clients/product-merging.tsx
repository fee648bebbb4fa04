import { useState } from 'preact/hooks'
import type { MergingPlan, Product } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Form, TextField } from '../../ui/forms/form.tsx'
import { plural } from '../../words/format.ts'

interface ProductMergingProps {
  readonly product: Product
  readonly onMerged: () => void
}

/** Another product that is this one: what will move is shown before it does. */
export function ProductMerging({ product, onMerged }: ProductMergingProps) {
  const { client_id: id, barcode } = product
  const [plan, setPlan] = useState<MergingPlan>()
  const call = (other: string) => ({ path: { id, barcode, other } })
  return (
    <section class="stack" aria-label="Объединение товаров">
      {plan === undefined ? (
        <Form
          minor
          submit="Объединить с…"
          busy="Смотрим…"
          act={async (values) => {
            const asked = call(values.text('other'))
            setPlan(await staff('GET /clients/{id}/products/{barcode}/merged/{other}', asked))
          }}
        >
          <p class="small quiet">
            Если тот же товар заведён ещё раз под другим штрихкодом, укажите его: остаток, заказы и
            приёмки перейдут сюда.
          </p>
          <TextField name="other" label="Штрихкод второго товара" required />
        </Form>
      ) : (
        <Planned
          plan={plan}
          merge={async () => {
            await staff('PUT /clients/{id}/products/{barcode}/merged/{other}', call(plan.barcode))
            setPlan(undefined)
            onMerged()
          }}
          leave={() => setPlan(undefined)}
        />
      )}
    </section>
  )
}

interface PlannedProps {
  readonly plan: MergingPlan
  readonly merge: () => Promise<void>
  readonly leave: () => void
}

function Planned({ plan, merge, leave }: PlannedProps) {
  const stay = <ActionButton label="Не объединять" act={async () => leave()} />
  if (plan.refusal !== undefined) {
    return (
      <>
        <p role="alert">
          Объединить с «{plan.name}» нельзя. {plan.refusal}.
        </p>
        <div class="row">{stay}</div>
      </>
    )
  }
  return (
    <>
      <p>
        Из товара «{plan.name}», <code>{plan.barcode}</code>, сюда перейдёт:
      </p>
      <ul>
        {movedBy(plan).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div class="row">
        <ConfirmButton
          label="Объединить"
          question={`Объединить с товаром «${plan.name}»?`}
          consequence="Он исчезнет из списков, его штрихкод останется у этого товара. Обратно не разделить."
          act={merge}
        />
        {stay}
      </div>
    </>
  )
}

function movedBy(plan: MergingPlan): string[] {
  const { units, reserved, boxes, locations, barcodes, orders, receipts } = plan
  const places = [
    ...(boxes > 0 ? [plural(boxes, 'короб', 'короба', 'коробов')] : []),
    ...(locations > 0 ? [plural(locations, 'место', 'места', 'мест')] : []),
  ]
  return [
    `${units} шт.${reserved > 0 ? `, из них ${reserved} в резерве` : ''}`,
    ...(places.length > 0 ? [`где лежит: ${places.join(' и ')}`] : []),
    plural(barcodes, 'штрихкод', 'штрихкода', 'штрихкодов'),
    ...(orders > 0 ? [plural(orders, 'заказ', 'заказа', 'заказов')] : []),
    ...(receipts > 0 ? [plural(receipts, 'приёмка', 'приёмки', 'приёмок')] : []),
  ]
}
