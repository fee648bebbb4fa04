import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { TextField } from '../../ui/forms/form.tsx'
import { saveFile } from '../../ui/lists/save-file.ts'
import { showToast } from '../../ui/toast.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { WarehouseChoice } from '../parts/warehouse-choice.tsx'

/** Labels of many places in one document, in walking order. */
export function LocationLabels() {
  const { query } = useAddress()
  return (
    <OpenedForm
      title="Этикетки мест"
      submit="Скачать PDF"
      busy="Готовим…"
      act={async (values) => {
        const body = {
          warehouse_code: values.text('warehouse_code'),
          zone: values.optional('zone'),
          pattern: values.optional('pattern'),
        }
        saveFile(await staff('POST /labels/locations', { body }), 'etiketki-mest.pdf')
        showToast('Этикетки готовы: печатайте их в масштабе 100 %')
      }}
    >
      <WarehouseChoice value={query.warehouse_code} />
      <TextField name="zone" label="Зона" hint="Пусто — все зоны" defaultValue={query.zone ?? ''} />
      <TextField
        name="pattern"
        label="Коды"
        hint="Шаблон, например A-{01..10}-{1..4}; пусто — все открытые места"
      />
    </OpenedForm>
  )
}
