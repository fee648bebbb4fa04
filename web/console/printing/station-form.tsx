import { CallError } from '../../api/caller.ts'
import type { PrintStation } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Check, type FormValues, TextField } from '../../ui/forms/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { ObjectJournal } from '../parts/object-journal.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { WarehouseChoice } from '../parts/warehouse-choice.tsx'
import { formatWords, type PrintFormat } from './formats.ts'

interface NewStationProps {
  readonly onSaved: () => void
}

export function NewStation({ onSaved }: NewStationProps) {
  const { query } = useAddress()
  return (
    <OpenedForm
      title="Новая станция"
      submit="Завести"
      act={async (values) => {
        const { name } = await staff('POST /print-stations', {
          body: { warehouse_code: values.text('warehouse_code'), ...given(values) },
        })
        showToast(`Станция «${name}» заведена: откройте её страницу у принтера`)
        onSaved()
      }}
    >
      <WarehouseChoice value={query.warehouse_code} />
      <StationFields />
    </OpenedForm>
  )
}

interface StationFormProps extends NewStationProps {
  readonly id: string
}

export function StationForm({ id, onSaved }: StationFormProps) {
  const { data, error, reload } = useAnswer(`station ${id}`, (signal) =>
    staff('GET /print-stations/{id}', { path: { id }, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  return (
    <div class="stack">
      <OpenedForm
        title={data.name}
        submit="Сохранить"
        by={['station']}
        act={async (values) => {
          await staff('PATCH /print-stations/{id}', { path: { id }, body: given(values) })
          showToast('Станция сохранена')
          onSaved()
        }}
      >
        <StationFields station={data} />
      </OpenedForm>
      <ObjectJournal id={id} />
    </div>
  )
}

function StationFields({ station }: { readonly station?: PrintStation }) {
  return (
    <>
      <TextField
        name="name"
        label="Название"
        hint="По нему станцию узнают на складе, например «Упаковка 1»"
        defaultValue={station?.name ?? ''}
        required
        autofocus
      />
      <fieldset>
        <legend>Что печатает</legend>
        {Object.entries(formatWords).map(([format, words]) => (
          <Check
            key={format}
            name="formats"
            value={format}
            label={words}
            checked={station?.formats.includes(format as PrintFormat) ?? true}
          />
        ))}
      </fieldset>
    </>
  )
}

function given(values: FormValues) {
  const formats = values.all('formats') as PrintFormat[]
  if (formats.length === 0)
    throw new CallError('validation_error', 'Отметьте, что станция печатает')
  return { name: values.text('name'), formats }
}
