import type { InputHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'

type InputProps = InputHTMLAttributes & {
  readonly hint?: string
  /** What is wrong with the value. */
  readonly problem?: string | undefined
}
type FieldProps = InputProps & { readonly name: string; readonly label: string }

/** A labelled input with its hint, or with what is wrong instead. */
export function Field({ label, hint, problem, ...input }: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={(problem ?? hint) === undefined ? undefined : `${id}-text`}
      />
      <FieldText id={id} hint={hint} problem={problem} />
    </div>
  )
}

interface FieldTextProps {
  readonly id: string
  readonly hint?: string | undefined
  readonly problem?: string | undefined
}

/** The hint of the input with that id, or what is wrong instead. */
export function FieldText({ id, hint, problem }: FieldTextProps) {
  const text = problem ?? hint
  if (text === undefined) return null
  return (
    <span id={`${id}-text`} class={problem === undefined ? 'small quiet' : 'small problem'}>
      {text}
    </span>
  )
}

/** Programs that keep passwords know it by its attributes. */
export function LoginField(props: InputProps) {
  return (
    <Field
      {...props}
      name="login"
      label="Логин"
      autocomplete="username"
      autocapitalize="none"
      spellcheck={false}
    />
  )
}
