import type { ComponentChildren } from 'preact'
import type { ObjectName, ScanException } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Facts } from '../../ui/facts.tsx'
import { Goods } from '../parts/goods.tsx'
import { ObjectLink } from '../parts/object-link.tsx'

type Scan = Readonly<Record<string, unknown>>

const conditions: Readonly<Record<string, string>> = {
  sellable: 'можно продавать',
  damaged: 'повреждён',
  unknown: 'неизвестно',
}

/** What was scanned, in words; goods and objects open their pages. What the scan does not name is left out. */
export function ScanFacts({ of }: { readonly of: ScanException }) {
  const scan = (of.scan ?? {}) as Scan
  const { client_id: client } = of
  return (
    <Facts
      of={{
        Товар: whenNamed(scan, 'barcode', (barcode) => (
          <ScannedGoods client={client} barcode={barcode} />
        )),
        'Отсканированный код': text(scan, 'code'),
        'Сколько единиц': text(scan, 'qty'),
        Заказ: whenNamed(scan, 'order_id', (id) => <Named kind="order" id={id} />),
        'Код маркировки': text(scan, 'marking_code'),
        'Другие метки': marksOf(scan),
        Партия: text(scan, 'lot_number'),
        'Срок годности': text(scan, 'expires_on'),
        Место: whenNamed(scan, 'location_id', (id) => <Named kind="location" id={id} />),
        Короб: whenNamed(scan, 'box_id', (id) => <Named kind="box" id={id} />),
        'На место': whenNamed(scan, 'to_location_id', (id) => <Named kind="location" id={id} />),
        'В короб': whenNamed(scan, 'to_box_id', (id) => <Named kind="box" id={id} />),
        'Состояние товара': whenNamed(scan, 'condition', (value) => conditions[value]),
        Комментарий: text(scan, 'comment'),
      }}
    />
  )
}

function text(scan: Scan, name: string): string | undefined {
  const value = scan[name]
  return value === undefined || value === null ? undefined : String(value)
}

function marksOf({ marks }: Scan): string | undefined {
  if (typeof marks !== 'object' || marks === null) return undefined
  return Object.values(marks).map(String).join(', ')
}

function whenNamed(
  scan: Scan,
  name: string,
  show: (value: string) => ComponentChildren,
): ComponentChildren {
  const value = text(scan, name)
  return value === undefined ? undefined : show(value)
}

interface ScannedGoodsProps {
  readonly client: string
  readonly barcode: string
}

/** The goods by their barcode, which is shown alone until the name has come or where the client has no such goods. */
function ScannedGoods({ client, barcode }: ScannedGoodsProps) {
  const { data } = useAnswer(`goods ${client} ${barcode}`, (signal) =>
    staff('GET /clients/{id}/products', { path: { id: client }, query: { barcode }, signal }),
  )
  return <Goods client={client} goods={data?.items[0] ?? { barcode }} />
}

type NamedKind = Extract<ObjectName['kind'], 'order' | 'location' | 'box'>

const isIdentifier = /^[0-9a-f]{8}-[0-9a-f]{4}-/

interface NamedProps {
  readonly kind: NamedKind
  readonly id: string
}

/** How people call an object that the scan names by its identifier, or by the code that was read. */
function Named({ kind, id }: NamedProps) {
  const read = isIdentifier.test(id) ? '' : id
  const { data: title = read } = useAnswer(`${kind} ${id}`, (signal) => titleOf(kind, id, signal))
  return <ObjectLink of={{ kind, id, title }} />
}

async function titleOf(kind: NamedKind, id: string, signal: AbortSignal): Promise<string> {
  const path = { id }
  if (kind === 'order') return (await staff('GET /orders/{id}', { path, signal })).external_id
  if (kind === 'box') return (await staff('GET /boxes/{id}', { path, signal })).sscc ?? ''
  return (await staff('GET /locations/{id}', { path, signal })).code
}
