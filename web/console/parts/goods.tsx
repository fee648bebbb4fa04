import type { ComponentChildren } from 'preact'
import { useSession } from '../../staff/session.tsx'
import { Picture } from '../../ui/picture.tsx'
import { listOf, paths } from '../paths.ts'
import { isAtLeast } from '../rooms.ts'

interface GoodsProps {
  readonly client: string
  readonly goods: {
    readonly name?: string | null | undefined
    readonly article?: string | null | undefined
    readonly barcode?: string | null | undefined
    readonly picture?: string | undefined
  }
  /** Whether answers of this kind tell of pictures. */
  readonly pictured?: boolean
  /** More about them, below. */
  readonly children?: ComponentChildren
}

/** What goods are called, and below it the barcode by which they are found. */
export function Goods({ client, goods, pictured = false, children }: GoodsProps) {
  const { name, article, barcode, picture } = goods
  const title = name ?? article ?? 'Название неизвестно'
  const words = (
    <div>
      <span class="name">{title}</span>
      <div class="small quiet row">
        {barcode ? <Barcode client={client} barcode={barcode} /> : 'штрихкод неизвестен'}
        {article && article !== title && <span>{article}</span>}
      </div>
      {children}
    </div>
  )
  if (!pictured) return words
  return (
    <div class="pictured">
      <Picture src={picture} name={title} />
      {words}
    </div>
  )
}

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
