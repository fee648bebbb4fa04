import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/use-action.ts'

interface ExportButtonProps {
  /** Of the file. */
  readonly name: string
  /** Rows with their headings. */
  readonly read: () => Promise<readonly (readonly (string | number)[])[]>
}

/** Saves a table as CSV, which spreadsheet programs open. */
export function ExportButton({ name, read }: ExportButtonProps) {
  const saving = useAction(async () => {
    const text = (await read()).map((row) => row.map(cellOf).join(';')).join('\r\n')
    // The mark at the start names the encoding to spreadsheet programs.
    const url = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${name}.csv`
    link.click()
    URL.revokeObjectURL(url)
  })
  return (
    <>
      <button type="button" disabled={saving.busy} onClick={() => saving.run()}>
        {saving.busy ? 'Собираем…' : 'Выгрузить CSV'}
      </button>
      <Failure error={saving.error} />
    </>
  )
}

/** A text that begins like a formula is shown as text, not computed. */
function cellOf(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
