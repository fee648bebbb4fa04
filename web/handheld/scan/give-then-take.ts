import { signal } from './signal.ts'

/** A worker scans on while a form asks for a number: the number that stands there is given, an empty one is not. */
export function giveThenTake(form: HTMLFormElement | null, take: () => void): void {
  const isEmpty = form === null || String(new FormData(form).get('qty')) === ''
  if (isEmpty || form.reportValidity()) {
    if (!isEmpty) form.requestSubmit()
    take()
  } else signal('alarm')
}
