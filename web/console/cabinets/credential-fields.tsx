import { type FormValues, TextField } from '../../ui/forms/form.tsx'

interface CredentialFieldsProps {
  readonly marketplace: 'WB' | 'OZON'
  readonly required?: boolean
}

/** Keys of a marketplace, as they are typed once: the service never shows them again. */
export function CredentialFields({ marketplace, required = false }: CredentialFieldsProps) {
  const secret = { type: 'password', autocomplete: 'off', required } as const
  if (marketplace === 'WB') {
    return (
      <TextField
        {...secret}
        name="credentials.token"
        label="Токен WB"
        hint="Базовый токен с категориями «Маркетплейс» и «Контент», из кабинета WB: «Настройки» → «Доступ к API». Хранится зашифрованным и больше не показывается."
      />
    )
  }
  return (
    <>
      <TextField
        name="credentials.client_id"
        label="Client-Id OZON"
        inputMode="numeric"
        required={required}
      />
      <TextField
        {...secret}
        name="credentials.api_key"
        label="Api-Key OZON"
        hint="Из кабинета OZON: «Настройки» → «Seller API». Хранится зашифрованным и больше не показывается."
      />
    </>
  )
}

/** Undefined where nothing was typed. */
export function credentialsGiven(values: FormValues, marketplace: 'WB' | 'OZON') {
  const given =
    marketplace === 'WB'
      ? { token: values.optional('credentials.token') }
      : {
          client_id: values.optional('credentials.client_id'),
          api_key: values.optional('credentials.api_key'),
        }
  return Object.values(given).every((value) => value === undefined) ? undefined : given
}
