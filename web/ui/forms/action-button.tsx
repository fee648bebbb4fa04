import { Failure } from '../failure.tsx'
import { showToast } from '../toast.tsx'
import { Because } from './because.tsx'
import { useAction } from './use-action.ts'

interface ActionButtonProps {
  readonly label: string
  readonly busy?: string
  readonly primary?: boolean
  /** Why it can't be done now; undefined where it can. */
  readonly because?: string | undefined
  readonly act: () => Promise<unknown>
  /** What a toast says when it is done. */
  readonly said?: string
  /** Takes it back, where that can be: the toast offers it, and nobody is asked before. */
  readonly undo?: () => Promise<unknown>
}

/** A button that does one thing at once and says why it failed. */
export function ActionButton(props: ActionButtonProps) {
  const { label, busy = label, primary = false, because, act, said, undo } = props
  const action = useAction(async () => {
    await act()
    if (said !== undefined) showToast(said, undo)
  })
  if (because !== undefined) return <Because label={label} because={because} />
  return (
    <>
      <button
        type="button"
        class={primary ? 'primary' : undefined}
        disabled={action.busy}
        onClick={() => action.run()}
      >
        {action.busy ? busy : label}
      </button>
      <Failure error={action.error} />
    </>
  )
}
