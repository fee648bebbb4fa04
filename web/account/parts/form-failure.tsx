import { useEffect, useRef } from 'preact/hooks'
import type { CallError } from '../../api/caller.ts'
import { Failure } from '../../ui/failure.tsx'
import { problemsOf } from './form.ts'

interface FormFailureProps {
  readonly error: CallError | undefined
  /** The fields that show their own problems, `items[].qty` for those of every line. */
  readonly fields: readonly string[]
}

/**
 * Why a form was refused. What is wrong with a field stands there, so here it says only where to look, and the first wrong
 * field takes the focus.
 */
export function FormFailure({ error, fields }: FormFailureProps) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const wrong = notice.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid=true]')
    wrong?.focus()
  }, [error])
  if (error === undefined) return null
  const wrong = Object.keys(problemsOf(error)).map((field) => field.replaceAll(/\[\d+\]/g, '[]'))
  const isShown = wrong.length > 0 && wrong.every((field) => fields.includes(field))
  return (
    <div ref={notice}>
      {isShown ? (
        <p class="notice bad" role="alert">
          Не отправлено: исправьте отмеченные поля.
        </p>
      ) : (
        <Failure error={error} />
      )}
    </div>
  )
}
