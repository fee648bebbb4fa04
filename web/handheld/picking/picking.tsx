import { useEffect, useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import type { PickingTask } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { plural } from '../../words/format.ts'
import { paths } from '../paths.ts'
import { useTask } from '../queue/use-queue.ts'
import { ScanScreen } from '../scan/scan-screen.tsx'
import { useScanLoop } from '../scan/use-scan-loop.ts'
import { note, type Verdict } from '../scan/verdict.ts'
import { useInAddress } from '../use-in-address.ts'
import { CloseShipment } from './close-shipment.tsx'
import { TakenOut } from './decision.tsx'
import { MarksForm } from './marks-form.tsx'
import { MissForm } from './miss-form.tsx'
import { NextUnit } from './next-unit.tsx'
import { missingMarks, type Unit, verdictOfUnit } from './pick-verdict.ts'
import { readPick } from './read-pick.ts'
import { RefusedMarks } from './refused-marks.tsx'
import { Sticker } from './sticker.tsx'
import { foldPicking, isPacked, nextLine, type PickingEffect } from './task.ts'

/** Picking of a shipment in walking order. */
export function Picking() {
  const { params } = useRoute()
  const id = params.id ?? ''
  const key = `picking:${id}`
  const task = useTask<PickingTask, PickingEffect>(key, {
    ask: (signal) => staff('GET /picking-tasks/{id}', { path: { id }, signal }),
    fold: foldPicking,
  })
  const order = useInAddress('order')
  const place = useInAddress('place')
  const [marked, setMarked] = useState<string>()
  const [unit, setUnit] = useState<Unit>()

  const count = (next: Unit): Verdict => {
    const now = task.now()
    if (now === undefined) return notLoaded
    setUnit(undefined)
    setMarked(undefined)
    order.set(next.line.order_id)
    return verdictOfUnit(now, { ...next, place: place.now() })
  }
  const read = (code: string): Verdict => {
    const now = task.now()
    if (now === undefined) return notLoaded
    const reading = readPick(now, code, { orderId: order.now(), barcode: marked })
    if (reading.kind === 'wrong') return reading
    if (reading.kind === 'place') {
      place.set(reading.place)
      return note(`Место ${reading.place}. Сканируйте товар`)
    }
    if (reading.kind === 'order') {
      order.set(reading.orderId)
      return note(`Заказ ${reading.number}`)
    }
    if (reading.kind === 'marking-wanted') {
      setMarked(reading.line.barcode)
      return note(`Теперь код маркировки «${reading.line.name}»`, 'surplus')
    }
    if (missingMarks(reading).length === 0) return count(reading)
    setUnit(reading)
    return { kind: 'taken', outcome: 'surplus' }
  }
  const loop = useScanLoop(key, read)
  const claim = useClaim(id)
  const isForeign = claim.error?.code === 'conflict'
  const isOver = task.state?.status === 'DONE' || isForeign
  const mayPick = task.state !== undefined && !isOver
  const orderId = order.now()
  const next = task.state && nextLine(task.state, orderId)
  const packed = orderId !== undefined && isPacked(task.state?.lines ?? [], orderId)
  return (
    <ScanScreen
      title={`Сборка ${task.state?.shipment_external_id ?? ''}`}
      about={task.state && progressOf(task.state)}
      resume={task.state && `сборка ${task.state.shipment_external_id}`}
      isOver={isOver}
      loop={loop}
      actions={
        mayPick && (
          <>
            {next === undefined && <CloseShipment task={task.state} onClosed={task.reload} />}
            {packed && <Sticker orderId={orderId} />}
            {next !== undefined && <MissForm taskId={id} line={next} act={loop.act} />}
          </>
        )
      }
    >
      <Failure error={task.state === undefined ? task.error : undefined} />
      <Failure error={task.state?.status === 'DONE' ? undefined : claim.error} />
      {task.state !== undefined && !isForeign && <RefusedMarks task={task.state} />}
      {task.state !== undefined && !isForeign && <TakenOut task={task.state} />}
      {task.state !== undefined && !isForeign && <NextUnit task={task.state} line={next} />}
      {mayPick && task.state.packed_count > 0 && (
        <a class="button" href={paths.checking(id)}>
          Проверить упаковку
        </a>
      )}
      {mayPick && <Release id={id} />}
      {unit !== undefined && (
        <MarksForm
          unit={unit}
          onClose={() => setUnit(undefined)}
          onGiven={(marks) => loop.act(count({ ...unit, marks }))}
        />
      )}
    </ScanScreen>
  )
}

const notLoaded = note('Задание ещё загружается, отсканируйте ещё раз', 'surplus')

function progressOf({ packed_count: packed, orders_count: all }: PickingTask): string {
  return `Собрано ${packed} из ${plural(all, 'заказа', 'заказов', 'заказов')}`
}

/** Whoever opens the task has it; without network that must wait. */
function useClaim(id: string) {
  const claim = useAction(() => staff('POST /picking-tasks/{id}/claim', { path: { id } }))
  useEffect(() => void claim.run(), [id])
  return { error: claim.error?.code === 'offline' ? undefined : claim.error }
}

function Release({ id }: { readonly id: string }) {
  const { route } = useLocation()
  const release = useAction(async () => {
    await staff('POST /picking-tasks/{id}/release', { path: { id } })
    route(paths.home)
  })
  return (
    <>
      <Failure error={release.error} />
      <button type="button" onClick={() => release.run()}>
        Отдать задание
      </button>
    </>
  )
}
