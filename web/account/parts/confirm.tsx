import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Field } from '../../ui/forms/field.tsx'
import { submits, useAction } from '../../ui/forms/use-action.ts'
import { problemsOf } from './form.ts'
import { FormFailure } from './form-failure.tsx'

interface ConfirmProps {
  /** On the page, and of the dialog's button unless that has words of its own. */
  readonly label: string
  readonly agree?: string
  /** Says what will happen: «Отозвать ключ 1С?». */
  readonly question: string
  readonly isDangerous?: boolean
  /** Whether the password is asked for again. */
  readonly asksPassword?: boolean
  /** More fields of the question. */
  readonly children?: ComponentChildren
  readonly act: (password: string, form: HTMLFormElement) => Promise<unknown>
}

/** A button that asks one question before it does what cannot be undone. */
export function ConfirmButton(props: ConfirmProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class={props.isDangerous ? 'danger' : ''} onClick={() => setOpen(true)}>
        {props.label}
      </button>
      {isOpen && <Question {...props} close={() => setOpen(false)} />}
    </>
  )
}

function Question({
  label,
  agree = label,
  question,
  isDangerous,
  asksPassword,
  children,
  act,
  close,
}: ConfirmProps & { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const action = useAction(async (form: HTMLFormElement) => {
    await act(String(new FormData(form).get('password') ?? ''), form)
    close()
  })
  const problem = problemsOf(action.error).password
  return (
    <dialog ref={dialog} aria-label={question} onClose={close}>
      <form class="stack" onSubmit={submits(action)}>
        <h2>{question}</h2>
        {children}
        {asksPassword && (
          <Field
            name="password"
            label="Ваш пароль ещё раз"
            type="password"
            autocomplete="current-password"
            required
            problem={problem}
          />
        )}
        <FormFailure error={action.error} fields={asksPassword ? ['password'] : []} />
        <div class="row">
          <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={action.busy}>
            {agree}
          </button>
          <button type="button" class="plain" onClick={close}>
            Отмена
          </button>
        </div>
      </form>
    </dialog>
  )
}
