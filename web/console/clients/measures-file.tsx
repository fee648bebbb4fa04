import { useRef, useState } from 'preact/hooks'
import { CallError, wrongField } from '../../api/caller.ts'
import { staff } from '../../staff/api.ts'
import { TextField } from '../../ui/forms/form.tsx'
import { bodyWithFile, TableFile, TableLinks } from '../../ui/lists/table-file.tsx'
import { showToast } from '../../ui/toast.tsx'
import { moscowDay } from '../../words/format.ts'
import { dayName, quantityWords } from '../../words/money.ts'
import { OpenedForm } from '../parts/opened-form.tsx'

interface MeasuresFileProps {
  readonly clientId: string
  readonly onMeasured: () => void
}

/** Measures of many products: their table is saved, filled in and sent back. */
export function MeasuresFile({ clientId, onMeasured }: MeasuresFileProps) {
  const input = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<readonly string[]>([])
  return (
    <OpenedForm
      minor
      title="Размеры из таблицы"
      submit="Загрузить размеры"
      busy="Загружаем…"
      act={async (values) => {
        const body = bodyWithFile(input)
        setWrong([])
        const { first_day, products, changed } = await staff('POST /clients/{id}/measures/import', {
          path: { id: clientId },
          query: { first_day: values.optional('first_day') },
          body,
        }).catch((error: unknown) => {
          const lines = linesOf(error)
          if (lines.length === 0) throw error
          setWrong(lines)
          throw wrongField('file', 'ничего не записано: исправьте строки, названные ниже')
        })
        showToast(
          `Товаров в таблице: ${quantityWords(products)}, новые размеры с ${dayName(first_day)}: ${quantityWords(changed)}`,
        )
        onMeasured()
      }}
    >
      <Template clientId={clientId} />
      <TableFile
        input={input}
        columns="Нужны столбцы «Штрихкод», «Длина, см», «Ширина, см», «Высота, см»; «Вес, г» — если взвешены"
      />
      {wrong.length > 0 && (
        <ul aria-label="Ошибки в таблице">
          {wrong.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <TextField
        name="first_day"
        label="С какого дня"
        type="date"
        defaultValue={moscowDay(new Date())}
        hint="Закрытые месяцы не меняются"
      />
    </OpenedForm>
  )
}

/** What is wrong with single cells; empty where the file as a whole is refused. */
function linesOf(error: unknown): readonly string[] {
  if (!(error instanceof CallError) || error.code !== 'validation_error') return []
  return error.message.split('\n').slice(1)
}

function Template({ clientId }: { readonly clientId: string }) {
  const path = `/staff/v1/clients/${encodeURIComponent(clientId)}/measures/template`
  return (
    <p>
      Сохраните товары без размеров: <TableLinks path={path} />. Впишите размеры и загрузите
      таблицу. Незаполненные строки пропускаются.
    </p>
  )
}
