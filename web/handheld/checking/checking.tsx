import { useRef } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import type { PickingTask } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { number, plural } from '../../words/format.ts'
import { TakePhoto } from '../photos/take-photo.tsx'
import { RefusedMarks } from '../picking/refused-marks.tsx'
import { useTask } from '../queue/use-queue.ts'
import { askLookup } from '../scan/ask-lookup.ts'
import { ScanScreen } from '../scan/scan-screen.tsx'
import { strayItem } from '../scan/stray.ts'
import { useScanLoop } from '../scan/use-scan-loop.ts'
import { note, type Verdict } from '../scan/verdict.ts'
import { useInAddress } from '../use-in-address.ts'
import {
  type CheckEffect,
  type CheckReading,
  foldCheck,
  isComplete,
  parcelOf,
  parcelsOf,
  readCheck,
} from './check.ts'
import { Parcels } from './parcels.tsx'
import { verdictOfCheck } from './verdict.ts'

/** The packing check of a shipment: each unit is scanned once more before its parcel is closed. */
export function Checking() {
  const { params } = useRoute()
  const id = params.id ?? ''
  const key = `checking:${id}`
  const task = useTask<PickingTask, CheckEffect>(key, {
    ask: (signal) => staff('GET /picking-tasks/{id}', { path: { id }, signal }),
    fold: foldCheck,
  })
  const order = useInAddress('order')
  /** The goods whose marking code was asked for. */
  const wanted = useRef<string>(undefined)
  const now = task.state
  const parcels = now === undefined ? [] : parcelsOf(now)
  const only = parcels.length === 1 ? parcels[0]?.orderId : undefined

  const take = (last: PickingTask, code: string, reading: CheckReading): Verdict => {
    if (reading.kind === 'wrong') return reading
    if (reading.kind === 'unknown')
      return strayItem({ code, clientId: last.client_id, reason: 'не из этой отгрузки. Отложите' })
    if (reading.kind === 'order') {
      wanted.current = undefined
      order.set(reading.orderId)
      return note(`Заказ ${reading.number}. Сканируйте, что в посылке`)
    }
    if (reading.kind === 'marking-wanted') {
      wanted.current = reading.line.barcode
      return note(`Теперь код маркировки «${reading.line.name}»`, 'surplus')
    }
    wanted.current = undefined
    order.set(reading.line.order_id)
    return verdictOfCheck(last, reading.line, code)
  }
  const read = (code: string): Verdict | Promise<Verdict> => {
    const last = task.now()
    if (last === undefined) return notLoaded
    if (last.status === 'DONE')
      return { kind: 'wrong', sentence: 'Отгрузка закрыта: проверять нечего' }
    const context = { orderId: order.now() ?? only, barcode: wanted.current }
    const reading = readCheck(last, code, context)
    if (reading.kind !== 'unknown') return take(last, code, reading)
    return askParcel(last, code).then((answer) => take(last, code, answer))
  }
  const loop = useScanLoop(key, read)
  const open = order.now() ?? only
  const done = parcels.filter(isComplete).length
  return (
    <ScanScreen
      title={`Проверка ${now?.shipment_external_id ?? ''}`}
      about={
        now &&
        `Проверено ${number(done)} из ${plural(parcels.length, 'заказа', 'заказов', 'заказов')}`
      }
      resume={now && `проверка ${now.shipment_external_id}`}
      isOver={now?.status === 'DONE'}
      loop={loop}
    >
      <Failure error={now === undefined ? task.error : undefined} />
      {now?.status === 'DONE' && <p class="sentence">Отгрузка закрыта: проверять нечего</p>}
      {now?.status === 'OPEN' && <RefusedMarks task={now} />}
      {now?.status === 'OPEN' && <Parcels parcels={parcels} opened={open} />}
      {now?.status === 'OPEN' && open !== undefined && (
        <TakePhoto target={{ name: 'PUT /orders/{id}/photos/{photo}', path: { id: open } }} />
      )}
    </ScanScreen>
  )
}

const notLoaded = note('Отгрузка ещё загружается, отсканируйте ещё раз', 'surplus')

/** The order whose label the code may be. Without an answer it is no code of this shipment. */
async function askParcel(task: PickingTask, code: string): Promise<CheckReading> {
  try {
    const matches = await askLookup(code)
    const order = matches.find(
      (match) => match.kind === 'order' && match.shipment_id === task.shipment_id,
    )
    return order?.id == null ? { kind: 'unknown' } : parcelOf(task, order.id)
  } catch {
    return { kind: 'wrong', sentence: `Не из этой отгрузки, или нет связи: ${code}` }
  }
}
