import { useEffect, useRef } from 'preact/hooks'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { PickingTask } from '../../api/staff-calls.ts'
import { signal } from '../scan/signal.ts'

/** Units that are in their parcels and whose marks the marketplace has refused since: shown and heard. */
export function RefusedMarks({
  task: { refused_marks: refused = [] },
}: {
  readonly task: PickingTask
}) {
  const heard = useRef(0)
  useEffect(() => {
    if (refused.length > heard.current) signal('alarm')
    heard.current = refused.length
  }, [refused.length])
  return (
    <div role="alert" class="stack">
      {refused.map(({ order_id, order_external_id: number, barcode, name, reason }, n) => (
        <div key={`${order_id}${barcode}${n}`} class="notice bad">
          <p>
            <b>
              Достаньте {quoted(name)} из посылки {number}
            </b>
          </p>
          <p>{reason}. Отложите единицу для менеджера и возьмите другую</p>
        </div>
      ))}
    </div>
  )
}
