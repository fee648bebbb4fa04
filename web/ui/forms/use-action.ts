import { useEffect, useState } from 'preact/hooks'
import { type CallError, connection } from '../../api/caller.ts'
import { asCallError } from '../../api/use-answer.ts'

export interface Action<Args extends readonly unknown[]> {
  readonly run: (...args: Args) => Promise<void>
  readonly busy: boolean
  readonly error: CallError | undefined
}

/** Something that a person starts: one at a time, with its last failure. */
export function useAction<Args extends readonly unknown[]>(
  act: (...args: Args) => Promise<unknown>,
): Action<Args> {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<CallError>()
  const run = async (...args: Args) => {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      await act(...args)
    } catch (failure) {
      setError(asCallError(failure))
    } finally {
      setBusy(false)
    }
  }
  useEffect(() => {
    if (error?.code !== 'offline') return
    const forget = () => setError(undefined)
    connection.addEventListener('answer', forget)
    return () => connection.removeEventListener('answer', forget)
  }, [error])
  return { run, busy, error }
}

/** Sending a form starts the action, with the form. */
export function submits(action: Action<[HTMLFormElement]>) {
  return (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    void action.run(event.currentTarget)
  }
}
