import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { markSaved, markTyped } from '../../ui/forms/unsaved.tsx'
import { type Action, submits } from '../../ui/forms/use-action.ts'

interface GuardedFormProps {
  /** Sends the form. */
  readonly action: Action<[form: HTMLFormElement]>
  readonly class?: string
  /** Problems stand at the fields, in words of the page's own. */
  readonly noValidate?: boolean
  readonly children: ComponentChildren
}

/** A form whose typing is not lost without a question before the service has it. */
export function GuardedForm({ action, children, ...rest }: GuardedFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const wasBusy = useRef(false)
  useEffect(() => {
    if (wasBusy.current && !action.busy && action.error === undefined) markSaved(form.current)
    wasBusy.current = action.busy
  }, [action.busy])
  useEffect(() => {
    const own = form.current
    return () => markSaved(own)
  }, [])
  return (
    <form
      ref={form}
      {...rest}
      onInput={({ currentTarget }) => markTyped(currentTarget)}
      onSubmit={submits(action)}
    >
      {children}
    </form>
  )
}
