import { useState } from 'preact/hooks'
import type { Reason } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Choice, TextField } from '../../ui/forms/form.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { isAtLeast } from '../rooms.ts'
import { codeOfReason } from './reason-code.ts'

const kinds: Readonly<Record<Reason['kind'], string>> = {
  shortage: 'Недостача в приёмке',
  not_found: 'Не найден при сборке',
  correction: 'Корректировка и расследование',
}
const kindChoices = Object.entries(kinds).map(([value, text]) => ({ value, text }))

const columns: readonly Column<Reason>[] = [
  { title: 'Причина', cell: ({ label }) => label },
  { title: 'Для чего', cell: ({ kind }) => kinds[kind] },
  { title: 'Код для программ', cell: ({ code }) => <code class="small quiet">{code}</code> },
]

export default function Reasons() {
  const { query, hrefWith, go } = useAddress()
  const { user } = useSession()
  const manages = isAtLeast(user, 'manager')
  const [version, setVersion] = useState(0)
  const onMade = () => {
    setVersion((last) => last + 1)
    go({ form: undefined })
  }
  return (
    <div class="stack">
      <Heading
        title="Причины"
        about="Из них выбирают, почему товара не хватило или он под вопросом"
      >
        {manages && (
          <a class="button primary" href={hrefWith({ form: 'new' })}>
            Добавить причину
          </a>
        )}
      </Heading>
      <Beside form={manages && query.form === 'new' && <NewReason onMade={onMade} />}>
        <List
          name="Причины"
          version={version}
          columns={columns}
          keyOf={({ kind, code }) => `${kind} ${code}`}
          ask={({ signal, ...page }) => staff('GET /reasons', { query: page, signal })}
          files={<ExportLinks list="reasons" />}
          empty="Причин ещё нет. Добавьте первую: кнопка справа вверху."
        />
      </Beside>
    </div>
  )
}

function NewReason({ onMade }: { readonly onMade: () => void }) {
  return (
    <OpenedForm
      title="Новая причина"
      submit="Добавить"
      act={async (values) => {
        const label = values.text('label')
        const code = values.optional('code') ?? codeOfReason(label)
        await staff('POST /reasons', {
          body: { kind: values.text('kind') as Reason['kind'], code, label },
        })
        onMade()
      }}
    >
      <Choice name="kind" label="Для чего" options={kindChoices} />
      <TextField name="label" label="Название" hint="Его видят сотрудники и продавцы" required />
      <TextField
        name="code"
        label="Код для программ"
        hint="Можно не писать: получится из названия"
      />
    </OpenedForm>
  )
}
