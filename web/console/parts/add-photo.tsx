import { useRef } from 'preact/hooks'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { photoOfFile } from './photo-of-file.ts'

/** A photo from the disk or the camera, which is sent at once. */
export function AddPhoto({ send }: { readonly send: (photo: Blob) => Promise<unknown> }) {
  const input = useRef<HTMLInputElement>(null)
  const sending = useAction(async (file: File) => send(await photoOfFile(file)))
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={({ currentTarget: given }) => {
          const [file] = given.files ?? []
          given.value = ''
          if (file !== undefined) void sending.run(file)
        }}
      />
      <button type="button" disabled={sending.busy} onClick={() => input.current?.click()}>
        {sending.busy ? 'Отправляем…' : 'Приложить фото'}
      </button>
      <Failure error={sending.error} />
    </>
  )
}
