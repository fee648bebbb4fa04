import { useState } from 'preact/hooks'
import { newId } from '../../api/new-id.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Check, Form, TextField } from '../../ui/form.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { showToast } from '../../ui/toast.tsx'

interface GoodsLabelsProps {
  readonly clientId: string
  readonly barcode: string
}

/** Labels with the barcode of goods, for units that came without one. */
export function GoodsLabels({ clientId, barcode }: GoodsLabelsProps) {
  const { hrefWith } = useAddress()
  const [printId, setPrintId] = useState(newId)
  return (
    <Form
      title="Этикетки товара"
      submit="Скачать PDF"
      busy="Готовим…"
      cancel={hrefWith({ form: undefined })}
      act={async (values) => {
        const items = [{ barcode, copies: values.number('items[0].copies') ?? 0 }]
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
      <Check name="charged" label="Клиент попросил: начислить ему этикетки" />
    </Form>
  )
}
