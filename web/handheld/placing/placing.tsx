import { useRef, useState } from 'preact/hooks'
import { readSscc } from '../../../src/kernel/gs1.ts'
import { readLocationCode } from '../../../src/storage/location-code.ts'
import { staff } from '../../staff/api.ts'
import { paths } from '../paths.ts'
import { scanCall } from '../queue/queue.ts'
import { ScanScreen } from '../scan/scan-screen.tsx'
import { strayItem } from '../scan/stray.ts'
import { useScanLoop } from '../scan/use-scan-loop.ts'
import type { Verdict } from '../scan/verdict.ts'

/** Putting boxes and pallets away: the box, then its place. */
export function Placing() {
  const [box, setBox] = useState<string>()
  const pallets = useRef(new Set<string>())
  const placed = useRef(0)
  const read = (code: string): Verdict => {
    const sscc = readSscc(code)
    if (sscc !== undefined) {
      setBox(sscc)
      void staff('GET /lookup', { query: { code: sscc } })
        .then(
          ({ matches }) =>
            matches.some(({ kind }) => kind === 'pallet') && pallets.current.add(sscc),
        )
        .catch(() => undefined)
      return { kind: 'note', outcome: 'good', sentence: `Короб …${sscc.slice(-5)}. Теперь место` }
    }
    if (readLocationCode(code) === undefined) return strayItem({ code, reason: reasonOf(box) })
    if (box === undefined)
      return { kind: 'wrong', sentence: 'Сначала отсканируйте короб или паллету' }
    placed.current += 1
    setBox(undefined)
    const name = pallets.current.has(box) ? 'POST /pallets/{id}/place' : 'POST /boxes/{id}/place'
    return {
      kind: 'counts',
      call: scanCall(name, { id: box }, { location_id: code }),
      effect: undefined,
      outcome: 'full',
      figure: placed.current,
      sentence: `…${box.slice(-5)} стоит на ${code}. Следующий короб`,
    }
  }
  const loop = useScanLoop('placing', read)
  return (
    <ScanScreen
      title="Разместить"
      about="Короб или паллета, потом место"
      back={paths.home}
      loop={loop}
    >
      <p class="place">{box === undefined ? 'Короб' : 'Место'}</p>
      <p>
        {box === undefined
          ? 'Отсканируйте номер короба или паллеты'
          : `Куда ставите …${box.slice(-5)}? Отсканируйте место`}
      </p>
    </ScanScreen>
  )
}

function reasonOf(box: string | undefined): string {
  return box === undefined
    ? 'так не разместить. Отсканируйте короб или паллету'
    : `это не место. Отсканируйте место для …${box.slice(-5)}`
}
