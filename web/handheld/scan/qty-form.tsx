import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Field } from '../../ui/forms/field.tsx'
import { Choice } from './choice.tsx'
import { signal } from './signal.ts'

interface QtyFormProps {
  /** The goods. */
  readonly title: string
  readonly label: string
  readonly hint?: string
  readonly min: number
  readonly max: number
  readonly children?: ComponentChildren
  readonly onGiven: (qty: number) => void
  /** The next scan: the question is answered with what stands in it. */
  readonly onNext: (code: string) => void
  readonly onClose: () => void
}

/** Asks for the number of units that the worker has counted. */
export function QtyForm(props: QtyFormProps) {
  const { title, children, onGiven, onNext, onClose, ...field } = props
  const form = useRef<HTMLFormElement>(null)
  const onScan = (code: string) => giveThenTake(form.current, () => onNext(code))
  return (
    <Choice title={title} onScan={onScan} onClose={onClose}>
      {children}
      <form
        ref={form}
        class="stack"
        data-typed="or-scanned"
        onSubmit={(event) => {
          event.preventDefault()
          onGiven(Number(new FormData(event.currentTarget).get('qty')))
        }}
      >
        <Field name="qty" type="number" inputmode="numeric" required autofocus {...field} />
        <button type="submit" class="primary">
          Посчитать
        </button>
      </form>
    </Choice>
  )
}

/** A worker scans on while the form asks: the number that stands there is given, an empty one is not. */
function giveThenTake(form: HTMLFormElement | null, take: () => void): void {
  const isEmpty = form === null || String(new FormData(form).get('qty')) === ''
  if (isEmpty || form.reportValidity()) {
    if (!isEmpty) form.requestSubmit()
    take()
  } else signal('alarm')
}
