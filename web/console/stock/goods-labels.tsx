import { useState } from 'preact/hooks'
import { newId } from '../../api/new-id.ts'
import { staff } from '../../staff/api.ts'
import { Check, TextField } from '../../ui/forms/form.tsx'
import { saveFile } from '../../ui/lists/save-file.ts'
import { showToast } from '../../ui/toast.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'

interface GoodsLabelsProps {
  readonly clientId: string
  readonly barcode: string
}

/** Labels with the barcode of goods, for units that came without one. */
export function GoodsLabels({ clientId, barcode }: GoodsLabelsProps) {
  const [printId, setPrintId] = useState(newId)
  return (
    <OpenedForm
      title="Этикетки товара"
      submit="Скачать PDF"
      busy="Готовим…"
      act={async (values) => {
        const expires_on = values.text('items[0].expires_on')
        const lot_number = values.text('items[0].lot_number')
        const items = [
          {
            barcode,
            copies: values.number('items[0].copies') ?? 0,
            ...(expires_on && { expires_on }),
            ...(lot_number && { lot_number }),
          },
        ]
        const charged = values.isChecked('charged')
        const body = { client_id: clientId, items, charged, print_id: printId }
        saveFile(await staff('POST /labels/goods', { body }), 'etiketki-tovara.pdf')
        setPrintId(newId())
        showToast('Этикетки готовы: печатайте их в масштабе 100 %')
      }}
    >
      <p class="quiet">
        Штрихкод <code>{barcode}</code>
      </p>
      <TextField
        name="items[0].copies"
        label="Сколько этикеток"
        type="number"
        min={1}
        required
        autofocus
      />
      <TextField
        name="items[0].expires_on"
        label="Срок годности"
        hint="31.12.2027; пусто — без срока на этикетке"
      />
      <TextField name="items[0].lot_number" label="Номер партии" maxlength={20} />
      <Check name="charged" label="Клиент попросил: начислить ему этикетки" />
    </OpenedForm>
  )
}
