import type { BillingProvider } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Check, Choice, TextField } from '../../ui/forms/form.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { dayName, monthFromNow } from '../../words/money.ts'
import { OpenedForm } from '../parts/opened-form.tsx'

type Rate = BillingProvider['vat_rate']

const rates: readonly Rate[] = [null, 5, 7, 22]
const rateWords = (rate: Rate) => (rate === null ? 'без НДС' : `${rate} %`)
const rateChoices = rates.map((rate) => ({ value: String(rate), text: rateWords(rate) }))

/** Who issues the acts of the warehouse, from which day on. */
export function Providers({ providers }: { readonly providers: readonly BillingProvider[] }) {
  const { hrefWith } = useAddress()
  if (providers.length === 0) {
    return (
      <p class="notice">
        Не заполнен: без исполнителя месяц не закрыть.{' '}
        <a href={hrefWith({ form: 'provider' })}>Заполнить исполнителя</a>
      </p>
    )
  }
  return (
    <Table
      name="Исполнители"
      rows={providers}
      keyOf={({ first_day }) => first_day}
      columns={[
        { title: 'Исполнитель', cell: ({ name }) => name },
        { title: 'С какого дня', cell: ({ first_day }) => dayName(first_day) },
        { title: 'ИНН', cell: ({ inn }) => <code>{inn}</code> },
        {
          title: 'НДС',
          main: true,
          cell: ({ vat_rate, vat_included }) =>
            vat_rate !== null && vat_included
              ? `${rateWords(vat_rate)}, уже в ценах`
              : rateWords(vat_rate),
        },
        { title: 'Подписывает', cell: ({ signatory }) => signatory },
      ]}
    />
  )
}

interface ProviderFormProps {
  readonly code: string
  /** What it begins from. */
  readonly provider: BillingProvider | undefined
  readonly onSaved: () => void
}

export function ProviderForm({ code, provider, onSaved }: ProviderFormProps) {
  return (
    <OpenedForm
      title="Исполнитель"
      submit="Сохранить исполнителя"
      act={async (values) => {
        const rate = values.text('vat_rate')
        await staff('PUT /warehouses/{code}/billing-providers', {
          path: { code },
          body: {
            first_day: values.text('first_day'),
            name: values.text('name'),
            inn: values.text('inn'),
            kpp: values.optional('kpp') ?? null,
            address: values.text('address'),
            signatory: values.text('signatory'),
            vat_rate: rates.find((each) => String(each) === rate) ?? null,
            vat_included: values.isChecked('vat_included'),
          },
        })
        onSaved()
      }}
    >
      <TextField
        name="first_day"
        label="С какого дня действует"
        type="date"
        defaultValue={provider?.first_day ?? monthFromNow(-12)}
        hint="Тот же день — исправление, пока с него нет актов"
        required
      />
      <TextField name="name" label="Название" defaultValue={provider?.name ?? ''} required />
      <TextField
        name="inn"
        label="ИНН"
        defaultValue={provider?.inn ?? ''}
        inputMode="numeric"
        required
      />
      <TextField
        name="kpp"
        label="КПП"
        defaultValue={provider?.kpp ?? ''}
        pattern="\d{9}"
        hint="Девять цифр; у предпринимателя пусто"
      />
      <TextField name="address" label="Адрес" defaultValue={provider?.address ?? ''} required />
      <TextField
        name="signatory"
        label="Кто подписывает акты"
        defaultValue={provider?.signatory ?? ''}
        hint="Должность и имя"
        required
      />
      <Choice
        name="vat_rate"
        label="НДС"
        options={rateChoices}
        value={String(provider?.vat_rate ?? null)}
      />
      <Check name="vat_included" label="Цены уже с НДС" checked={provider?.vat_included ?? false} />
    </OpenedForm>
  )
}
