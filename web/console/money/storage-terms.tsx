import type { StorageTerms } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Choice, oneOfChoices, TextField } from '../../ui/forms/form.tsx'
import { monthFromNow } from '../../words/money.ts'
import { OpenedForm } from '../parts/opened-form.tsx'

export const wayWords: Readonly<Record<StorageTerms['way'], string>> = {
  unit: 'по штукам',
  litre: 'по литрам',
  box: 'по коробам',
  pallet: 'по паллетам',
}

interface StorageTermsFormProps {
  readonly clientId: string
  readonly onSaved: () => void
}

export function StorageTermsForm({ clientId, onSaved }: StorageTermsFormProps) {
  return (
    <OpenedForm
      title="Условия хранения"
      submit="Сохранить условия"
      act={async (values) => {
        await staff('POST /clients/{id}/storage-terms', {
          path: { id: clientId },
          body: {
            first_day: values.text('first_day'),
            way: oneOfChoices(values, 'way', wayWords),
            assumed_litres: values.optional('assumed_litres') ?? null,
          },
        })
        onSaved()
      }}
    >
      <TextField
        name="first_day"
        label="С какого дня"
        type="date"
        defaultValue={monthFromNow(1)}
        required
      />
      <Choice
        name="way"
        label="Как считать"
        options={Object.entries(wayWords).map(([value, text]) => ({ value, text }))}
      />
      <TextField
        name="assumed_litres"
        label="Литров у неизмеренной единицы"
        inputMode="decimal"
        pattern="\d{1,6}([.,]\d)?"
        hint="Для счёта по литрам. Пусто — неизмеренное не начисляется"
      />
    </OpenedForm>
  )
}
