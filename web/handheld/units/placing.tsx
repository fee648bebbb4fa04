import { useRef } from 'preact/hooks'
import { readSscc } from '../../../src/platform/kernel/codes/gs1.ts'
import { readLocationCode } from '../../../src/warehouse/storage/location-code.ts'
import { scanCall } from '../queue/queue.ts'
import { Place } from '../scan/place.tsx'
import { ScanScreen } from '../scan/scan-screen.tsx'
import { strayItem } from '../scan/stray.ts'
import { useScanLoop } from '../scan/use-scan-loop.ts'
import { note, type Verdict } from '../scan/verdict.ts'
import { useInAddress } from '../use-in-address.ts'

/** Putting boxes and pallets away: the number of one, then its place. The warehouse knows which of both it is. */
export function Placing() {
  const held = useInAddress('held')
  const placed = useRef(0)
  const read = (code: string): Verdict => {
    const sscc = readSscc(code)
    if (sscc !== undefined) {
      held.set(sscc)
      return note(`…${sscc.slice(-5)}. Теперь место`)
    }
    const now = held.now()
    const location = readLocationCode(code)
    if (location === undefined) return strayItem({ code, reason: reasonOf(now) })
    if (now === undefined)
      return { kind: 'wrong', sentence: 'Сначала отсканируйте короб или паллету' }
    placed.current += 1
    held.set(undefined)
    return {
      kind: 'counts',
      call: scanCall('POST /locations/{id}/place', { id: location }, { sscc: now }),
      effect: undefined,
      outcome: 'full',
      figure: placed.current,
      sentence: `…${now.slice(-5)} стоит на ${location}. Следующий`,
    }
  }
  const loop = useScanLoop('placing', read)
  const now = held.now()
  return (
    <ScanScreen
      title="Разместить"
      about="Короб или паллета, потом место"
      resume="размещение"
      loop={loop}
    >
      <Place name={now === undefined ? 'Короб или паллета?' : 'Место?'} />
      <p>
        {now === undefined
          ? 'Отсканируйте номер короба или паллеты'
          : `Куда ставите …${now.slice(-5)}? Отсканируйте место`}
      </p>
    </ScanScreen>
  )
}

function reasonOf(held: string | undefined): string {
  return held === undefined
    ? 'так не разместить. Отсканируйте короб или паллету'
    : `это не место. Отсканируйте место для …${held.slice(-5)}`
}
