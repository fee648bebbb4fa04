import { staff } from '../../staff/api.ts'
import { FileLink, type FileLinkProps } from '../../ui/file-link.tsx'

const check = () => staff('GET /warehouses', { query: { limit: 1 } })

/** Opens a file of the service in a tab of its own. */
export function OpenLink(link: Omit<FileLinkProps, 'check'>) {
  return <FileLink {...link} check={check} />
}
