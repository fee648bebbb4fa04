import type { LookupMatch } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { number, plural } from '../../words/format.ts'
import { paths } from '../paths.ts'

const shownMax = 30

interface InsideProps {
  readonly kind: Holder
  readonly id: string
}

type Holder = 'box' | 'pallet' | 'location'

export function holderOf({ kind }: LookupMatch): Holder | undefined {
  return kind === 'box' || kind === 'pallet' || kind === 'location' ? kind : undefined
}

/** What lies in a box, on a pallet or at a location, and what a worker does with it next. */
export function Inside({ kind, id }: InsideProps) {
  const { data, error } = useAnswer(`${kind} ${id}`, (signal) => ask(kind, id, signal))
  return (
    <>
      <Failure error={error} />
      {data !== undefined && <Content {...data} />}
      {data?.code != null && <NextSteps kind={kind} code={data.code} />}
    </>
  )
}

interface Held {
  /** What the label says. */
  readonly code: string | null
  readonly items: readonly {
    readonly barcode: string
    readonly name: string
    readonly qty: number
  }[]
  readonly boxes: readonly {
    readonly id: string
    readonly sscc: string | null
    readonly units: number
  }[]
}

async function ask(kind: Holder, id: string, signal: AbortSignal): Promise<Held> {
  const path = { id }
  if (kind === 'box') {
    const { sscc: code, contents: items = [] } = await staff('GET /boxes/{id}', { path, signal })
    return { code, items, boxes: [] }
  }
  if (kind === 'pallet') {
    const { sscc: code, boxes = [] } = await staff('GET /pallets/{id}', { path, signal })
    return { code, items: [], boxes }
  }
  const {
    code,
    contents: items = [],
    boxes = [],
  } = await staff('GET /locations/{id}', { path, signal })
  return { code, items, boxes }
}

function Content({ items, boxes }: Held) {
  if (items.length + boxes.length === 0) return <p class="quiet">Пусто</p>
  const left = Math.max(0, items.length - shownMax) + Math.max(0, boxes.length - shownMax)
  return (
    <ul class="lines" aria-label="Что внутри">
      {items.slice(0, shownMax).map(({ barcode, name, qty }) => (
        <li key={barcode + name}>
          <span class="line-name">{name}</span>
          <span class="qty">{number(qty)}</span>
        </li>
      ))}
      {boxes.slice(0, shownMax).map(({ id, sscc, units }) => (
        <li key={id}>
          <span class="line-name">Короб {sscc === null ? 'без номера' : `…${sscc.slice(-5)}`}</span>
          <span class="qty">{number(units)}</span>
        </li>
      ))}
      {left > 0 && <li>и ещё {plural(left, 'строка', 'строки', 'строк')}</li>}
    </ul>
  )
}

function NextSteps({ kind, code }: { readonly kind: Holder; readonly code: string }) {
  return (
    <div class="pair">
      {kind !== 'pallet' && (
        <>
          <a class="button" href={paths.unitsAt('put', kind, code)}>
            Положить сюда
          </a>
          <a class="button" href={paths.unitsAt('take', kind, code)}>
            Взять отсюда
          </a>
        </>
      )}
      {kind !== 'location' && (
        <a class="button" href={paths.placingOf(code)}>
          Поставить на место
        </a>
      )}
    </div>
  )
}
