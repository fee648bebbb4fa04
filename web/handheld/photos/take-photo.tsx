import { useEffect, useRef, useState } from 'preact/hooks'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { plural } from '../../words/format.ts'
import { useWorker } from '../sign-in/worker.ts'
import type { PhotoTarget } from './disk.ts'
import { sendPhotosOf, takePhoto } from './queue.ts'
import { usePhotos } from './use-photos.ts'

interface TakePhotoProps {
  readonly target: PhotoTarget
  /** What the photo will show, such as the unit that was scanned last. */
  readonly of?: string | undefined
}

/** Opens the camera of the device; the photo waits there until it can be sent, and nobody waits for it. */
export function TakePhoto({ target, of }: TakePhotoProps) {
  const worker = useWorker()
  const input = useRef<HTMLInputElement>(null)
  const [taken, setTaken] = useState(0)
  const waiting = usePhotos().filter((photo) => photo.refused === undefined).length
  const take = useAction(async (file: Blob) => {
    await takePhoto(file, target, worker)
    setTaken((before) => before + 1)
  })
  useEffect(() => void sendPhotosOf(worker), [worker.id])
  return (
    <div class="stack">
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={({ currentTarget: given }) => {
          const [file] = given.files ?? []
          given.value = ''
          if (file !== undefined) void take.run(file)
        }}
      />
      <button
        type="button"
        class="wide"
        disabled={take.busy}
        onClick={() => input.current?.click()}
      >
        {of === undefined ? 'Фото' : `Фото: ${of}`}
      </button>
      <Failure error={take.error} />
      {taken > 0 && (
        <p class="small quiet" role="status">
          {waiting === 0
            ? 'Фото отправлены'
            : `Фото сохранены, ждут отправки: ${plural(waiting, 'снимок', 'снимка', 'снимков')}`}
        </p>
      )}
    </div>
  )
}
