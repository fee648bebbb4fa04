import { useRef } from 'preact/hooks'
import { mayOpenCamera, setCamera, useCameraOpen } from '../camera/open.ts'
import { hear } from './wedge.ts'

/** What a worker without a scanner does: type the code, or show it to the camera. */
export function TypedCode() {
  const dialog = useRef<HTMLDialogElement>(null)
  const isCameraOpen = useCameraOpen()
  return (
    <>
      <button type="button" class="type-code" onClick={() => dialog.current?.showModal()}>
        Код
      </button>
      <dialog ref={dialog} aria-labelledby="type-code" data-typed>
        <form
          method="dialog"
          class="stack"
          onSubmit={(event) => {
            const form = event.currentTarget
            const code = String(new FormData(form).get('code')).trim()
            form.reset()
            if (code !== '') hear(code)
          }}
        >
          <h2 id="type-code">Введите код</h2>
          <input name="code" aria-label="Код" autocomplete="off" autocapitalize="off" autofocus />
          <button type="submit" class="primary">
            Готово
          </button>
          {mayOpenCamera ? (
            <button
              type="button"
              onClick={() => {
                setCamera(!isCameraOpen)
                dialog.current?.close()
              }}
            >
              {isCameraOpen ? 'Выключить камеру' : 'Сканировать камерой'}
            </button>
          ) : (
            <p class="small quiet">Камера работает только по HTTPS</p>
          )}
          <button type="button" onClick={() => dialog.current?.close()}>
            Отмена
          </button>
        </form>
      </dialog>
    </>
  )
}
