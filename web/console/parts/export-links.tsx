import { queryOf } from '../../api/caller.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { ExportFiles } from '../../ui/export-files.tsx'
import { isAtLeast } from '../rooms.ts'

interface Exported {
  readonly list:
    | 'stock'
    | 'orders'
    | 'receipts'
    | 'shipments'
    | 'movements'
    | 'returns'
    | 'counts'
    | 'products'
    | 'misses'
  /** The filters of the list as it is shown. */
  readonly filter: Readonly<Record<string, string | undefined>>
}

/** All rows of a list as a file, with the same filters. */
export function ExportLinks({ list, filter }: Exported) {
  if (!isAtLeast(useSession().user, 'manager')) return null
  return (
    <ExportFiles
      name={list}
      hrefOf={(format) => `/staff/v1/exports/${list}${queryOf({ ...filter, format })}`}
      read={(format, given) => {
        const query = { ...filter, format } as Record<string, string>
        return staff('GET /exports/{list}', { path: { list }, query, ...given })
      }}
    />
  )
}
