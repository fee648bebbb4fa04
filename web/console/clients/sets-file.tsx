import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { wrongField } from '../../api/caller.ts'
import type { SetsFileCheck } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useProblem } from '../../ui/forms/form.tsx'
import { SheetRead } from '../../ui/forms/sheet-read.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { bodyWithFile, fileIn, TableFile, TableLinks } from '../../ui/lists/table-file.tsx'
import { showToast } from '../../ui/toast.tsx'
import { number, plural } from '../../words/format.ts'
import { OpenedForm } from '../parts/opened-form.tsx'

interface SetsFileProps {
  readonly clientId: string
  readonly onComposed: () => void
}

/** What many sets are made of: their table is saved, changed, looked at and sent back. */
export function SetsFile({ clientId, onComposed }: SetsFileProps) {
  const input = useRef<HTMLInputElement>(null)
  const [check, setCheck] = useState<SetsFileCheck>()
  const upload = () => ({ path: { id: clientId }, body: bodyWithFile(input) })
  const look = useAction(async () => {
    setCheck(undefined)
    if (fileIn(input) === undefined) return
    setCheck(await staff('POST /clients/{id}/sets/import/check', upload()))
  })
  return (
    <OpenedForm
      minor
      title="Наборы из таблицы"
      submit="Составить наборы"
      busy="Составляем…"
      act={async () => {
        const sent = upload()
        const read = await staff('POST /clients/{id}/sets/import/check', sent)
        setCheck(read)
        if (read.problems.length > 0) {
          throw wrongField('file', 'ничего не записано: исправьте строки, названные ниже')
        }
        const { sets, changed } = await staff('POST /clients/{id}/sets/import', sent)
        showToast(`Наборов в таблице: ${number(sets)}, состав изменён: ${number(changed)}`)
        onComposed()
      }}
    >
      <Table clientId={clientId} />
      <FileField input={input} problem={look.error?.message} onChosen={() => look.run()} />
      {check !== undefined && <Checked check={check} />}
    </OpenedForm>
  )
}

function Table({ clientId }: { readonly clientId: string }) {
  const path = `/staff/v1/clients/${encodeURIComponent(clientId)}/sets/table`
  return (
    <p>
      Сохраните наборы клиента: <TableLinks path={path} />. Строка — одна часть набора. Измените или
      допишите строки и загрузите таблицу. Наборы, которых в ней нет, останутся прежними.
    </p>
  )
}

interface FileFieldProps {
  readonly input: RefObject<HTMLInputElement | null>
  /** What the look at the chosen file came to. */
  readonly problem: string | undefined
  readonly onChosen: () => void
}

function FileField({ input, problem, onChosen }: FileFieldProps) {
  const refused = useProblem('file')
  return (
    <TableFile
      input={input}
      problem={refused ?? problem}
      columns="Нужны столбцы «Штрихкод набора», «Штрихкод части», «Штук в наборе»"
      onChosen={onChosen}
    />
  )
}

function Checked({ check }: { readonly check: SetsFileCheck }) {
  const { sheet, sets, changed, changes, problems } = check
  if (problems.length > 0) {
    return (
      <>
        <SheetRead sheet={sheet} />
        <ul aria-label="Ошибки в таблице">
          {problems.map(({ row, column, rule }) => (
            <li key={`${row} ${column} ${rule}`}>
              Строка {row}, столбец {column}: {rule}
            </li>
          ))}
        </ul>
      </>
    )
  }
  return (
    <>
      <SheetRead sheet={sheet} />
      <p class="notice good" role="status">
        {changed === 0
          ? `Прочитано: ${plural(sets, 'набор', 'набора', 'наборов')}. Состав у всех уже такой.`
          : `Прочитано: ${plural(sets, 'набор', 'набора', 'наборов')}. Изменится: ${number(changed)}.`}
      </p>
      <ul aria-label="Что изменится">
        {changes.map(({ barcode, name, is_new: isNew, parts }) => (
          <li key={barcode}>
            {isNew && 'Новый набор: '}
            {name}, <code>{barcode}</code>
            <br />
            <span class="small quiet">
              {parts.map((part) => `${part.name} × ${part.qty}`).join(', ')}
            </span>
          </li>
        ))}
      </ul>
      {changes.length < changed && (
        <p class="small quiet">Показаны первые {number(changes.length)}.</p>
      )}
    </>
  )
}
