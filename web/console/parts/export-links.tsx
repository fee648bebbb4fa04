import { useRef, useState } from 'preact/hooks'
import { queryOf } from '../../api/caller.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/use-action.ts'
import { megabytes, moscowDay } from '../../words/format.ts'
import { isAtLeast } from '../rooms.ts'
import { saveFile } from './save-file.ts'

export interface Exported {
  readonly list: 'stock' | 'orders' | 'receipts' | 'shipments' | 'movements' | 'returns' | 'counts'
  /** The filters of the list as it is shown. */
  readonly filter: Readonly<Record<string, string | undefined>>
}

const formats = { xlsx: 'Excel', csv: 'CSV' } as const
type Format = keyof typeof formats

/** All rows of a list as a file, with the same filters. Says how much has come, and ends when asked. */
export function ExportLinks(exported: Exported) {
  return isAtLeast(useSession().user, 'manager') ? <Exports {...exported} /> : null
}

function Exports({ list, filter }: Exported) {
  const [bytes, setBytes] = useState(0)
  const abort = useRef<AbortController>(undefined)
  const download = useAction(async (format: Format) => {
    abort.current = new AbortController()
    const { signal } = abort.current
    setBytes(0)
    try {
      const query = { ...filter, format } as Record<string, string>
      const path = { list }
      const file = await staff('GET /exports/{list}', { path, query, signal, onBytes: setBytes })
      saveFile(file as Blob, `${list}-${moscowDay(new Date())}.${format}`)
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
          href={`/staff/v1/exports/${list}${queryOf({ ...filter, format })}`}
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
