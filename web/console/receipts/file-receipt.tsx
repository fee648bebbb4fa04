import { useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { CallError } from '../../api/caller.ts'
import { staff } from '../../staff/api.ts'
import { Form, TextField } from '../parts/form.tsx'
import { showToast } from '../parts/toast.tsx'
import { pathOf, paths } from '../paths.ts'
import { GoodsOwner } from './goods-owner.tsx'
import { clientOf } from './new-receipt.tsx'

/** Registers a receipt from the seller's own table. What is wrong in it is named by row and column. */
export function FileReceipt() {
  const { route } = useLocation()
  const input = useRef<HTMLInputElement>(null)
  return (
    <Form
      title="Приёмка из файла"
      submit="Загрузить"
      busy="Загружаем…"
      cancel={paths.receipts}
      act={async (values) => {
        const id = clientOf(values)
        const file = input.current?.files?.[0]
        if (file === undefined) throw new CallError('validation_error', 'Выберите файл')
        const body = new FormData()
        body.append('file', file)
        const receipt = await staff('POST /clients/{id}/receipts/import', {
          path: { id },
          query: {
            cabinet_id: values.optional('cabinet_id'),
            external_ref: values.optional('external_ref'),
            planned_date: values.optional('planned_date'),
          },
          body,
        })
        showToast(`${receipt.number} заведена из файла`)
        route(pathOf('receipt', receipt.id))
      }}
    >
      <GoodsOwner />
      <div class="field">
        <label for="receipt-file">Таблица CSV или XLSX</label>
        <input ref={input} id="receipt-file" name="file" type="file" accept=".csv,.xlsx,.txt" />
        <span class="small quiet">
          Первая строка — заголовки: barcode (или «Штрихкод»), qty («Количество»), name («Название»)
        </span>
      </div>
      <TextField name="external_ref" label="Номер документа продавца" />
      <TextField name="planned_date" label="Когда привезут" type="date" />
    </Form>
  )
}
