import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { Failure } from '../failure.tsx'
import { Because } from './because.tsx'
import { type FormValues, valuesOf } from './form.tsx'
import { submits, useAction } from './use-action.ts'

interface ConfirmButtonProps {
  /** What the button says; the dialog's button says the same. */
  readonly label: string
  /** The question, which names the thing: «Отозвать ключ 1С?». */
  readonly question: string
  /** What will happen. */
  readonly consequence: ComponentChildren
  /** What has to be asked for once somebody thinks of doing it. */
  readonly whenAsked?: () => ComponentChildren
  /** Fields that may be filled in. */
  readonly children?: ComponentChildren
  readonly danger?: boolean
  /** Whether it is the next step of the page. */
  readonly primary?: boolean
  /** Why it can't be done now; undefined where it can. */
  readonly because?: string | undefined
  readonly act: (values: FormValues) => Promise<unknown>
}

/** A button that asks one question first. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const {
    label,
    question,
    consequence,
    whenAsked,
    children,
    danger = false,
    primary = false,
    because,
    act,
  } = props
  const [isOpen, setOpen] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const action = useAction(async (form: HTMLFormElement) => {
    const values = await valuesOf(form)
    if (values === undefined) return
    await act(values)
    dialog.current?.close()
  })
  if (because !== undefined) return <Because label={label} because={because} />
  return (
    <>
      <button
        type="button"
        class={danger ? 'danger' : primary ? 'primary' : undefined}
        onClick={() => {
          setOpen(true)
          dialog.current?.showModal()
        }}
      >
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={id} onClose={() => setOpen(false)}>
        <form class="stack" onSubmit={submits(action)}>
          <h2 id={id}>{question}</h2>
          <p>{consequence}</p>
          {isOpen && whenAsked?.()}
          {children}
          <Failure error={action.error} />
          <div class="row">
            <button type="submit" class={danger ? 'danger' : 'primary'} disabled={action.busy}>
              {label}
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              Не надо
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}
