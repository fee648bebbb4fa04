import { useRef, useState } from 'preact/hooks'
import { newId } from '../../api/new-id.ts'
import type { LookupMatch, PrintJob } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { paths } from '../paths.ts'
import { signal } from '../scan/signal.ts'
import { remembered } from '../sign-in/worker.ts'

const kinds: Readonly<Partial<Record<LookupMatch['kind'], PrintJob['kind']>>> = {
  box: 'box-label',
  pallet: 'pallet-label',
  location: 'location-label',
  order: 'order-sticker',
}

interface LabelProps {
  readonly match: LookupMatch
  /** Where the worker comes back to after choosing a station. */
  readonly from: string
}

/** Sends the label of what was found to the print station of this device, and says what became of it. */
export function Label({ match: { kind: found, id: objectId }, from }: LabelProps) {
  const [sent, setSent] = useState<PrintJob>()
  // The same until the service has answered: pressing again after a lost answer prints once.
  const printId = useRef(newId())
  const kind = kinds[found]
  const station = remembered.station.get()
  const printing = useAction(async () => {
    if (kind === undefined || objectId === null || station === undefined) return
    const body = {
      kind,
      object_id: objectId,
      station_id: station.id,
      print_id: printId.current,
    }
    setSent(await staff('POST /print-jobs', { body }))
    printId.current = newId()
    signal('good')
  })
  if (kind === undefined || objectId === null) return null
  if (station === undefined) {
    return (
      <a class="button wide" href={paths.stationFor(from)}>
        Выбрать станцию печати
      </a>
    )
  }
  return (
    <div class="stack">
      <Failure error={printing.error} />
      {sent !== undefined && <Progress key={sent.id} job={sent} station={station.name} />}
      <button type="button" class="wide" disabled={printing.busy} onClick={() => printing.run()}>
        {sent === undefined ? `Напечатать этикетку: ${station.name}` : 'Напечатать ещё раз'}
      </button>
      {printing.error !== undefined && (
        <a class="button wide" href={paths.stationFor(from)}>
          Выбрать другую станцию
        </a>
      )}
    </div>
  )
}

const refreshMs = 1_500

function Progress({ job, station }: { readonly job: PrintJob; readonly station: string }) {
  const [isOver, setOver] = useState(false)
  const { data = job } = useAnswer(
    job.id,
    async (abort) => {
      const next = await staff('GET /print-jobs/{id}', { path: { id: job.id }, signal: abort })
      setOver(next.status === 'PRINTED' || next.status === 'FAILED')
      return next
    },
    isOver ? {} : { refreshMs },
  )
  const { status, reason } = data
  if (status === 'FAILED') {
    return (
      <p class="notice bad" role="alert">
        Не напечатано: {reason ?? 'станция не сказала почему'}
      </p>
    )
  }
  return (
    <p class={status === 'PRINTED' ? 'notice good' : 'notice'} role="status">
      {sentences[status]}: {station}
    </p>
  )
}

const sentences: Readonly<Record<Exclude<PrintJob['status'], 'FAILED'>, string>> = {
  QUEUED: 'В очереди на печать',
  PRINTING: 'Печатается',
  PRINTED: 'Напечатано',
}
