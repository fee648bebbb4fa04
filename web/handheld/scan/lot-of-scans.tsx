import { useRef, useState } from 'preact/hooks'
import { type Lot, readLotCode } from '../../../src/platform/kernel/codes/lot.ts'
import { lotText } from '../../words/lots.ts'
import { LotForm } from './lot-form.tsx'

interface Item {
  readonly barcode: string
  readonly name: string
  readonly asks_expiry?: boolean | undefined
}

/** `Units` are those that wait for their date. */
export interface LotsOfScans<Units> {
  /** The barcode of a GS1 code that is of no single unit, and other codes as they are; remembers the lot that the code names. */
  readonly goodsOf: (code: string) => string
  /** The lot of scanned units; undefined where there is none, 'asked' where the worker is asked first. */
  readonly of: (item: Item, units: Units) => Lot | undefined | 'asked'
  /** The last lot of goods; null where the worker said that there is no date. */
  readonly last: (barcode: string) => Lot | null | undefined
  readonly asking: { readonly item: Item; readonly units: Units | undefined } | undefined
  /** The next units may have another date: they lie somewhere else. */
  readonly forget: () => void
  /** Asks for another lot of the goods. */
  readonly ask: (item: Item) => void
  readonly give: (lot: Lot | undefined) => void
  readonly close: () => void
}

/** The expiry dates of what is scanned: named by the code, typed once for the units that follow, or asked for. */
export function useLots<Units>(): LotsOfScans<Units> {
  const known = useRef(new Map<string, Lot | null>())
  const scanned = useRef<Lot | undefined>(undefined)
  const [asking, setAsking] = useState<LotsOfScans<Units>['asking']>()
  return {
    goodsOf: (code) => {
      const read = readLotCode(code)
      scanned.current = read?.lot
      return read?.gtin === undefined || read.isOfUnit ? code : read.gtin
    },
    of: (item, units) => {
      if (item.asks_expiry !== true) return undefined
      if (scanned.current !== undefined) known.current.set(item.barcode, scanned.current)
      scanned.current = undefined
      const lot = known.current.get(item.barcode)
      if (lot !== undefined) return lot ?? undefined
      setAsking({ item, units })
      return 'asked'
    },
    last: (barcode) => known.current.get(barcode),
    asking,
    forget: () => known.current.clear(),
    ask: (item) => setAsking({ item, units: undefined }),
    give: (lot) => {
      if (asking !== undefined) known.current.set(asking.item.barcode, lot ?? null)
      setAsking(undefined)
    },
    close: () => setAsking(undefined),
  }
}

interface LotOfScansProps<Units> {
  readonly lots: LotsOfScans<Units>
  readonly verb?: string
  /** The goods that were scanned last. */
  readonly item: Item | undefined
  /** Counts units that waited for their date. */
  readonly act: (units: Units) => void
}

/** Which date the units that are scanned now have, and the question for another one. */
export function LotOfScans<Units>({ lots, verb = 'Принять', item, act }: LotOfScansProps<Units>) {
  const lot = item && lots.last(item.barcode)
  const { asking } = lots
  return (
    <>
      {item !== undefined && lot !== undefined && (
        <p class="notice">
          {item.name}: {lotText({ expires_on: lot?.expiresOn ?? null, number: lot?.number ?? '' })}{' '}
          <button type="button" onClick={() => lots.ask(item)}>
            Другой срок
          </button>
        </p>
      )}
      {asking !== undefined && (
        <LotForm
          item={asking.item}
          verb={verb}
          onClose={lots.close}
          onGiven={(given) => {
            lots.give(given)
            if (asking.units !== undefined) act(asking.units)
          }}
        />
      )}
    </>
  )
}
