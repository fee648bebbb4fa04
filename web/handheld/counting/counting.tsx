import type { ComponentChildren, ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { afterCountVerb } from '../../../src/warehouse/counts/state.ts'
import type { StockCount } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { plural } from '../../words/format.ts'
import { TakePhoto } from '../photos/take-photo.tsx'
import { useTask } from '../queue/use-queue.ts'
import { LotOfScans, useLots } from '../scan/lot-of-scans.tsx'
import { ScanScreen } from '../scan/scan-screen.tsx'
import { useScanLoop } from '../scan/use-scan-loop.ts'
import { note, type Verdict } from '../scan/verdict.ts'
import { useWorker } from '../sign-in/worker.ts'
import { useInAddress } from '../use-in-address.ts'
import { askWhat } from './ask-what.ts'
import {
  type CountEffect,
  type CountedGoods,
  type CountPlace,
  type CountReading,
  countedAt,
  foldCount,
  placeName,
  placeOfCode,
  readCount,
} from './count.ts'
import { CountProgress } from './count-progress.tsx'
import { FinishCount, PartDone, ResumeCount } from './finish-count.tsx'
import { HowMany } from './how-many.tsx'
import { isDone, type PartEffect } from './own-part.ts'
import { codeOfPlace, usePlacesDone } from './places-done.ts'
import { type CountedUnits, verdictOfCounted } from './verdict.ts'

/** Counting: the place first, then goods, one by one or as a number. Nobody sees what is expected. */
export function Counting() {
  const { params } = useRoute()
  const id = params.id ?? ''
  const key = `counting:${id}`
  const count = useCount(key, id)
  const at = useInAddress('place')
  const here = () => placeOfCode(at.now())
  const { id: userId } = useWorker()
  const isEnded = count.state !== undefined && !mayCount(count.state)
  const isOver = isEnded || isDone(count.state, userId)
  const done = usePlacesDone(count.state, isEnded)
  const [byNumber, setByNumber] = useState(false)
  const [asked, setAsked] = useState<CountedGoods>()
  const dated = useDatedUnits()
  const add = (units: GoodsUnits): Verdict => {
    setAsked(undefined)
    const now = count.now()
    return now === undefined ? notLoaded : dated.count(now, units, here())
  }
  const take = (reading: CountReading): Verdict => {
    if (reading.kind === 'wrong') return reading
    if (reading.kind === 'place') {
      at.set(reading.place.code)
      dated.forget()
      done.set(reading.place.code, false)
      return note(`${placeName(reading.place)}. Считайте товар`)
    }
    if (reading.kind === 'unknown') return { kind: 'wrong', sentence: unknown }
    if (count.now()?.places?.[0] !== undefined && here() === undefined) {
      return { kind: 'wrong', sentence: 'Сначала отсканируйте место или короб, где считаете' }
    }
    if (!byNumber || reading.goods.isMarked) return add({ goods: reading.goods, qty: 1 })
    setAsked(reading.goods)
    return { kind: 'taken', outcome: 'good' }
  }
  const read = (code: string): Verdict | Promise<Verdict> => {
    const now = count.now()
    if (now === undefined) return notLoaded
    if (!mayCount(now)) return { kind: 'wrong', sentence: `Считать нельзя: ${endOf(now)}` }
    if (isDone(now, userId)) return { kind: 'wrong', sentence: finished }
    const goods = dated.lots.goodsOf(code)
    const reading = readCount(now, goods)
    if (reading.kind !== 'unknown') return take(reading)
    return askWhat(now, goods).then(take)
  }
  const loop = useScanLoop(key, read)
  const now = count.state
  const place = here()
  const leave = () => {
    setAsked(undefined)
    at.set(undefined)
  }
  return (
    <ScanScreen
      title="Пересчёт"
      about={now && `${now.client_name} · ${plural(now.units, 'штука', 'штуки', 'штук')}`}
      resume={now && `пересчёт ${now.client_name}`}
      isOver={isOver}
      loop={loop}
      actions={
        now !== undefined &&
        !isEnded && (
          <Actions {...{ count: now, isOver, place, leave, done, loop, byNumber, setByNumber }} />
        )
      }
    >
      <Failure error={now === undefined ? count.error : undefined} />
      {now !== undefined && isOver && <Over count={now} />}
      {now !== undefined && !isOver && (
        <CountedHere count={now} place={place} done={done}>
          <LotOfScans {...dated} verb="Посчитать" act={(units) => loop.act(add(units))} />
        </CountedHere>
      )}
      {now !== undefined && asked !== undefined && (
        <HowManyHere
          goods={asked}
          count={now}
          place={place}
          onClose={() => setAsked(undefined)}
          onGiven={(qty) => loop.act(add({ goods: asked, qty }))}
          onNext={loop.take}
        />
      )}
    </ScanScreen>
  )
}

function useCount(key: string, id: string) {
  return useTask<StockCount, CountEffect | PartEffect>(key, {
    ask: (signal) => staff('GET /counts/{id}', { path: { id }, signal }),
    fold: foldCount,
  })
}

function Over({ count }: { readonly count: StockCount }) {
  if (mayCount(count)) return <PartDone count={count} />
  return <p class="sentence">Считать нечего: {endOf(count)}</p>
}

interface HowManyHereProps extends Omit<ComponentProps<typeof HowMany>, 'before' | 'clientId'> {
  readonly count: StockCount
  readonly place: CountPlace | undefined
}

function HowManyHere({ count, place, ...asked }: HowManyHereProps) {
  const { barcode } = asked.goods
  const before = countedAt(count, barcode, place)
  const key = `${barcode} ${before}`
  return <HowMany key={key} clientId={count.client_id} before={before} {...asked} />
}

type HereProps = ComponentProps<typeof CountProgress> & { readonly children: ComponentChildren }

function CountedHere({ children, ...progress }: HereProps) {
  return (
    <>
      {children}
      <CountProgress {...progress} />
      <TakePhoto
        target={{ name: 'PUT /counts/{id}/photos/{photo}', path: { id: progress.count.id } }}
      />
    </>
  )
}

type GoodsUnits = Pick<CountedUnits, 'goods' | 'qty'>

/** Counts units; of goods that keep dates with their own, which is asked for once at each place. */
function useDatedUnits() {
  const lots = useLots<GoodsUnits>()
  const [item, setItem] = useState<ReturnType<typeof datedItem>>()
  return {
    lots,
    item,
    forget: () => {
      lots.forget()
      setItem(undefined)
    },
    count: (now: StockCount, units: GoodsUnits, place: CountPlace | undefined): Verdict => {
      const scanned = datedItem(now, units.goods)
      const lot = units.qty === 0 ? undefined : lots.of(scanned, units)
      if (lot === 'asked') return { kind: 'taken', outcome: 'surplus' }
      setItem(scanned)
      return verdictOfCounted(now, { ...units, lot, place })
    },
  }
}

function datedItem({ dated_goods: dated = [] }: StockCount, { barcode, name }: CountedGoods) {
  return { barcode, name, asks_expiry: dated.some((each) => each.barcode === barcode) }
}

const unknown = 'Склад не знает этого кода. Отсканируйте ещё раз или другой код'

const finished = 'Вы закончили этот пересчёт. Нажмите «Считать дальше» и отсканируйте ещё раз'

const notLoaded = note('Пересчёт ещё загружается, отсканируйте ещё раз', 'surplus')

function mayCount({ status }: StockCount): boolean {
  return afterCountVerb(status, 'scan') !== undefined
}

function endOf({ status, status_label: label }: StockCount): string {
  return status === 'REVIEW'
    ? 'пересчёт на проверке у менеджера'
    : `пересчёт ${label.toLowerCase()}`
}

interface ActionsProps extends ComponentProps<typeof FinishCount>, ModeProps {
  /** Whether the worker's part of the count is over. */
  readonly isOver: boolean
  readonly place: CountPlace | undefined
  /** Nothing else is counted there. */
  readonly leave: () => void
}

/** Ends what is shown: the place, and without one the worker's part of the count. Each says in its name what it ends. */
function Actions({ isOver, place, leave, byNumber, setByNumber, ...part }: ActionsProps) {
  const finish = (counted: CountPlace) => {
    leave()
    part.done.set(counted.code, true)
    const isNext = (part.count.places ?? []).some((each) => {
      const code = codeOfPlace(each)
      return code !== counted.code && !part.done.has(code)
    })
    const next = isNext ? '. Сканируйте следующее место' : ''
    part.loop.act(note(`${placeName(counted)}: готово${next}`))
  }
  if (isOver) return <ResumeCount {...part} />
  return (
    <>
      {place === undefined ? (
        <FinishCount {...part} />
      ) : (
        <button type="button" class="primary" onClick={() => finish(place)}>
          Место готово
        </button>
      )}
      <Mode byNumber={byNumber} setByNumber={setByNumber} />
    </>
  )
}

interface ModeProps {
  readonly byNumber: boolean
  readonly setByNumber: (byNumber: boolean) => void
}

function Mode({ byNumber, setByNumber }: ModeProps) {
  return (
    [
      ['По одной', false],
      ['Числом', true],
    ] as const
  ).map(([label, value]) => (
    <button
      key={label}
      type="button"
      class={value === byNumber ? 'chosen' : ''}
      aria-pressed={value === byNumber}
      onClick={() => setByNumber(value)}
    >
      {label}
    </button>
  ))
}
