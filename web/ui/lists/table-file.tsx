import type { ComponentChildren, RefObject } from 'preact'
import { useId } from 'preact/hooks'
import { wrongField } from '../../api/caller.ts'
import { FieldText } from '../forms/field.tsx'
import { useProblem } from '../forms/form.tsx'

type FileInput = RefObject<HTMLInputElement | null>

/** The chosen file; undefined while there is none. */
export function fileIn(input: FileInput): File | undefined {
  return input.current?.files?.[0]
}

/**
 * A body with the chosen file.
 *
 * @throws the problem of the field where no file is chosen
 */
export function bodyWithFile(input: FileInput): FormData {
  const file = fileIn(input)
  if (file === undefined) throw wrongField('file', 'выберите файл')
  const body = new FormData()
  body.append('file', file)
  return body
}

interface TableFileProps {
  readonly input: FileInput
  /** Which columns the table has. */
  readonly columns: string
  /** What else is wrong with the chosen file; the form's own problem counts without. */
  readonly problem?: string | undefined
  readonly onChosen?: (form: HTMLFormElement) => void
  readonly children?: ComponentChildren
}

/** Where a table is chosen. */
export function TableFile({ input, columns, onChosen, children, ...props }: TableFileProps) {
  const id = useId()
  const refused = useProblem('file')
  const problem = 'problem' in props ? props.problem : refused
  return (
    <div class="field">
      <label for={id}>Таблица CSV или XLSX</label>
      <input
        ref={input}
        id={id}
        name="file"
        type="file"
        accept=".csv,.xlsx,.txt"
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-text`}
        onChange={({ currentTarget: { form } }) => form && onChosen?.(form)}
      />
      <FieldText id={id} hint={columns} problem={problem} />
      {children}
    </div>
  )
}

/** Links that save a table, as one format or the other. */
export function TableLinks({ path }: { readonly path: string }) {
  return (
    <>
      <a href={`${path}?format=xlsx`} download>
        XLSX
      </a>{' '}
      или{' '}
      <a href={`${path}?format=csv`} download>
        CSV
      </a>
    </>
  )
}
