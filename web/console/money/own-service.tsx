import { staff } from '../../staff/api.ts'
import { TextField } from '../../ui/forms/form.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'

interface OwnServiceFormProps {
  readonly code: string
  readonly onSaved: () => void
}

/** A service of the warehouse's own, which people charge by hand. */
export function OwnServiceForm({ code, onSaved }: OwnServiceFormProps) {
  return (
    <OpenedForm
      title="Своя услуга"
      submit="Завести услугу"
      act={async (values) => {
        await staff('POST /warehouses/{code}/billing-services', {
          path: { code },
          body: {
            code: values.text('code'),
            name: values.text('name'),
            unit: values.text('unit'),
          },
        })
        onSaved()
      }}
    >
      <TextField name="name" label="Название" hint="Таким оно будет в акте: Фото товара" required />
      <TextField name="unit" label="Единица" hint="За что цена: шт., час" required />
      <TextField
        name="code"
        label="Код"
        defaultValue="OWN_"
        hint="OWN_ и заглавные латинские буквы, цифры, подчёркивания"
        required
      />
      <p class="small quiet">Её начисляют вручную, на странице клиента.</p>
    </OpenedForm>
  )
}
