import { useContext } from 'preact/hooks'
import { queryOf } from '../../api/caller.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { ExportFiles } from '../../ui/lists/export-files.tsx'
import { OrderAsked } from '../../ui/lists/list.tsx'
import { isAtLeast } from '../rooms.ts'

interface Exported {
  /** As in its address below /exports. */
  readonly list: string
  /** The filters of the list as it is shown. */
  readonly filter?: Readonly<Record<string, string | number | undefined>>
}

/** All rows of the list around it as a file, with its filters and in its order. */
export function ExportLinks({ list, filter }: Exported) {
  const sort = useContext(OrderAsked)
  if (!isAtLeast(useSession().user, 'manager')) return null
  const asked = { ...filter, sort }
  return (
    <ExportFiles
      name={list}
      hrefOf={(format) => `/staff/v1/exports/${list}${queryOf({ ...asked, format })}`}
      read={(format, given) => {
        const query = { ...asked, format } as Record<string, string>
        return staff('GET /exports/{list}', { path: { list }, query, ...given })
      }}
    />
  )
}
