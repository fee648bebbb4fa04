import { useSession } from '../../staff/session.tsx'
import { listOf, paths } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'

interface BarcodeProps {
  readonly client: string
  readonly barcode: string
}

/** A barcode; to managers it opens the stock of the goods. */
export function Barcode({ client, barcode }: BarcodeProps) {
  const manages = isAtLeast(useSession().user, 'manager')
  if (!manages) return <code class="small">{barcode}</code>
  return <a href={listOf(paths.stock, { client_id: client, barcode })}>{barcode}</a>
}
