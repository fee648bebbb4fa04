import { useEffect } from 'preact/hooks'
import { plural } from '../../words/format.ts'
import { forgetPhoto, sendPhotosOf, takeOver } from '../photos/queue.ts'
import { usePhotos } from '../photos/use-photos.ts'
import { useWorker } from '../sign-in/worker.ts'

/** Photos that wait on this device, by whomever, and those that the service refused. */
export function WaitingPhotos() {
  const worker = useWorker()
  const photos = usePhotos()
  useEffect(() => void sendPhotosOf(worker), [worker.id])
  const waiting = photos.filter(({ refused }) => refused === undefined)
  const logins = [...new Set(waiting.map(({ login }) => login))]
  return (
    <>
      {photos
        .filter(({ refused }) => refused !== undefined)
        .map(({ id, refused }) => (
          <div key={id} class="notice bad stack" role="alert">
            <p>Фото не принято. {refused}</p>
            <button type="button" onClick={() => forgetPhoto(id)}>
              Понятно
            </button>
          </div>
        ))}
      {logins.map((login) => (
        <div key={login} class="notice stack">
          <p>
            Ждут отправки: {plural(countOf(login, waiting), 'снимок', 'снимка', 'снимков')}, {login}
          </p>
          {login !== worker.login && (
            <button type="button" onClick={() => takeOver(login, worker)}>
              Отправить от моего имени
            </button>
          )}
        </div>
      ))}
    </>
  )
}

function countOf(login: string, waiting: readonly { readonly login: string }[]): number {
  return waiting.filter((photo) => photo.login === login).length
}
