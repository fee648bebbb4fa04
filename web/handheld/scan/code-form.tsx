import { mayOpenCamera, setCamera, useCameraOpen } from '../camera/open.ts'
import { hear } from './wedge.ts'

/** The code, typed or shown to the camera. `close` closes the dialog around it. */
export function CodeForm({ close }: { readonly close: () => void }) {
  const isCameraOpen = useCameraOpen()
  return (
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
            close()
          }}
        >
          {isCameraOpen ? 'Выключить камеру' : 'Сканировать камерой'}
        </button>
      ) : (
        <p class="small quiet">Камера работает только по HTTPS</p>
      )}
      <button type="button" onClick={close}>
        Отмена
      </button>
    </form>
  )
}
