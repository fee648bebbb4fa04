import { useRef } from 'preact/hooks'
import { useModule } from '../../ui/use-module.ts'

const loadForm = () => import('./code-form.tsx')

/** What a worker without a scanner does: type the code, or show it to the camera. */
export function TypedCode() {
  const dialog = useRef<HTMLDialogElement>(null)
  const form = useModule(loadForm)
  return (
    <>
      <button
        type="button"
        class="type-code"
        disabled={form === undefined}
        onClick={() => dialog.current?.showModal()}
      >
        Код
      </button>
      <dialog ref={dialog} aria-labelledby="type-code" data-typed>
        {form !== undefined && <form.CodeForm close={() => dialog.current?.close()} />}
      </dialog>
    </>
  )
}
