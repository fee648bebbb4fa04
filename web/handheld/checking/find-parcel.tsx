import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { CallError } from '../../api/caller.ts'
import { asCallError } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { Frame } from '../frame.tsx'
import { paths } from '../paths.ts'
import { Place } from '../scan/place.tsx'
import { signal } from '../scan/signal.ts'
import { listen } from '../scan/wedge.ts'

/** The label of a parcel, or the number of its shipment, opens the packing check. */
export function FindParcel() {
  const { route } = useLocation()
  const [unknown, setUnknown] = useState<string>()
  const [error, setError] = useState<CallError>()
  const isAsking = useRef(false)
  const find = async (code: string) => {
    if (isAsking.current) return signal('alarm')
    isAsking.current = true
    setUnknown(undefined)
    setError(undefined)
    try {
      const found = await checkingOf(code)
      signal(found === undefined ? 'alarm' : 'good')
      if (found === undefined) setUnknown(code)
      else route(found)
    } catch (failure) {
      signal('alarm')
      setError(asCallError(failure))
    } finally {
      isAsking.current = false
    }
  }
  useLayoutEffect(() => listen((code) => void find(code)), [])
  return (
    <Frame title="Проверка упаковки" back={paths.home}>
      <div class="home">
        <Place name="Посылка?" />
        <p>Отсканируйте этикетку заказа или номер отгрузки.</p>
        <Failure error={error} />
        {unknown !== undefined && (
          <p class="notice bad">
            {unknown}: среди отгрузок, которые собирают, такого нет. Отсканируйте этикетку заказа.
          </p>
        )}
      </div>
    </Frame>
  )
}

/** The page that checks what the code names; undefined where it is nothing of an open shipment. */
async function checkingOf(code: string): Promise<string | undefined> {
  const { matches } = await staff('GET /lookup', { query: { code } })
  for (const { kind, id, shipment_id: ofOrder } of matches) {
    const shipment = kind === 'shipment' ? id : kind === 'order' ? ofOrder : null
    if (shipment == null) continue
    const query = { shipment_id: shipment, status: 'OPEN' } as const
    const [task] = (await staff('GET /picking-tasks', { query })).items
    if (task !== undefined) {
      return paths.checking(task.id, kind === 'order' ? (id ?? undefined) : undefined)
    }
  }
  return undefined
}
