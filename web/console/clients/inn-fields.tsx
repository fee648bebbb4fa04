import { Check, type FormValues, TextField } from '../../ui/forms/form.tsx'

/** The taxpayer's number, and the permission for a second client of the same legal entity. */
export function InnFields({ inn = '' }: { readonly inn?: string }) {
  return (
    <>
      <TextField
        name="inn"
        label="ИНН"
        defaultValue={inn}
        inputMode="numeric"
        hint="10 или 12 цифр; можно заполнить потом"
      />
      <Check
        name="allow_duplicate_inn"
        label="Второй клиент с тем же ИНН на этом складе"
        hint="Отметьте, только если он нужен."
      />
    </>
  )
}

export function innGiven(values: FormValues) {
  return {
    inn: values.optional('inn'),
    allow_duplicate_inn: values.isChecked('allow_duplicate_inn') || undefined,
  }
}
