import { useRef, useState } from 'preact/hooks'
import { megabytes, moscowDay } from '../../words/format.ts'
import { Failure } from '../failure.tsx'
import { useAction } from '../forms/use-action.ts'
import { saveFile } from './save-file.ts'

const formats = { xlsx: 'Excel', csv: 'CSV' } as const
export type ExportFormat = keyof typeof formats

interface ExportFilesProps {
  /** Of the file, without its day and format. */
  readonly name: string
  /** Where the file is, for whoever opens it in a tab of its own. */
  readonly hrefOf: (format: ExportFormat) => string
  readonly read: (
    format: ExportFormat,
    given: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
  ) => Promise<unknown>
}

/** All rows of a list as a file. Says how much has come, and ends when asked. */
export function ExportFiles({ name, hrefOf, read }: ExportFilesProps) {
  const [bytes, setBytes] = useState(0)
  const abort = useRef<AbortController>(undefined)
  const download = useAction(async (format: ExportFormat) => {
    abort.current = new AbortController()
    const { signal } = abort.current
    setBytes(0)
    try {
      const file = await read(format, { signal, onBytes: setBytes })
      saveFile(file as Blob, `${name}-${moscowDay(new Date())}.${format}`)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  })
  if (download.busy) {
    return (
      <div class="row">
        <progress aria-label="Выгрузка" />
        <span role="status" class="small quiet">
          {bytes === 0 ? 'Готовим файл…' : `Получено ${megabytes(bytes)}`}
        </span>
        <button type="button" class="plain" onClick={() => abort.current?.abort()}>
          Прервать
        </button>
      </div>
    )
  }
  return (
    <>
      <Failure error={download.error} />
      {(['xlsx', 'csv'] as const).map((format) => (
        <a
          key={format}
          class="button plain"
          download
          href={hrefOf(format)}
          onClick={(event) => {
            event.preventDefault()
            void download.run(format)
          }}
        >
          {formats[format]}
        </a>
      ))}
    </>
  )
}
