import type { InputHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'

type FieldProps = InputHTMLAttributes & {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** What is wrong with the value. */
  readonly problem?: string | undefined
}

/** A labelled input with its hint, or with what is wrong instead. */
export function Field({ label, hint, problem, ...input }: FieldProps) {
  const id = useId()
  const text = problem ?? hint
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={text === undefined ? undefined : `${id}-text`}
      />
      {text !== undefined && (
        <span id={`${id}-text`} class={problem === undefined ? 'small quiet' : 'small problem'}>
          {text}
        </span>
      )}
    </div>
  )
}
