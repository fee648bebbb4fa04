import { useLocation } from 'preact-iso'
import type { CallError } from '../../api/caller.ts'
import { Failure } from '../../ui/failure.tsx'
import { WaitingPage } from '../../ui/waiting.tsx'
import { paths } from '../paths.ts'
import { listedPageAt } from '../rooms.ts'

interface NotOpenedProps {
  /** Undefined while the object is on its way. */
  readonly error: CallError | undefined
  readonly retry: () => void
}

/** In place of an object's page that did not open: why, and where to go on. */
export function NotOpened({ error, retry }: NotOpenedProps) {
  const { path } = useLocation()
  if (error === undefined) return <WaitingPage />
  const room = listedPageAt(path)
  const isUnknown = error.status === 404
  return (
    <div class="stack">
      <h1>{isUnknown ? 'Такого здесь нет' : 'Не открылось'}</h1>
      <Failure error={error} namesRequest {...(!isUnknown && { retry })} />
      <p>
        <a href={room?.href ?? paths.today}>
          {room === undefined ? 'К тому, что ждёт сегодня' : `К разделу «${room.title}»`}
        </a>
      </p>
    </div>
  )
}
