import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { staff } from '../../staff/api.ts'
import { type FormValues, TextField } from '../../ui/forms/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { pathOf } from '../paths.ts'
import { GoodsOwner, noClient } from './goods-owner.tsx'

/** Registers goods that a client has announced by phone or on paper. */
export function NewReceipt() {
  const { route } = useLocation()
  const [lines, setLines] = useState([0])
  return (
    <OpenedForm
      title="Новая приёмка"
      submit="Завести"
      act={async (values) => {
        const receipt = await register(values, lines)
        showToast(`${receipt.number} заведена, склад ждёт товар`)
        route(pathOf('receipt', receipt.id))
      }}
    >
      <GoodsOwner />
      <TextField name="external_ref" label="Номер документа продавца" />
      <TextField name="planned_date" label="Когда привезут" type="date" />
      <TextField name="comment" label="Комментарий" />
      {lines.map((line, index) => (
        <Line
          key={line}
          index={index}
          {...(lines.length > 1 && {
            onRemove: () => setLines(lines.filter((each) => each !== line)),
          })}
        />
      ))}
      <button type="button" onClick={() => setLines([...lines, Math.max(...lines) + 1])}>
        Ещё товар
      </button>
    </OpenedForm>
  )
}

interface LineProps {
  readonly index: number
  readonly onRemove?: () => void
}

function Line({ index, onRemove }: LineProps) {
  return (
    <fieldset class="line stack">
      <legend>Товар {index + 1}</legend>
      <TextField name={`items[${index}].barcode`} label="Штрихкод" required />
      <TextField name={`items[${index}].qty`} label="Сколько" type="number" min={1} required />
      <TextField
        name={`items[${index}].name`}
        label="Название"
        hint="Нужно, если такого товара на складе ещё не было"
      />
      {onRemove && (
        <button type="button" class="plain" onClick={onRemove}>
          Убрать товар {index + 1}
        </button>
      )}
    </fieldset>
  )
}

function register(values: FormValues, lines: readonly number[]) {
  const id = clientOf(values)
  return staff('POST /clients/{id}/receipts', {
    path: { id },
    body: {
      cabinet_id: values.optional('cabinet_id'),
      external_ref: values.optional('external_ref'),
      planned_date: values.optional('planned_date'),
      comment: values.optional('comment'),
      items: lines.map((_, index) => ({
        barcode: values.text(`items[${index}].barcode`),
        name: values.optional(`items[${index}].name`),
        qty: Number(values.text(`items[${index}].qty`)),
      })),
    },
  })
}

export function clientOf(values: FormValues): string {
  const id = values.optional('client_id')
  if (id === undefined) throw noClient()
  return id
}
