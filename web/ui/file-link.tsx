import { CallError } from '../api/caller.ts'
import { Failure } from './failure.tsx'
import { useAction } from './forms/use-action.ts'

export interface FileLinkProps {
  readonly href: string
  readonly label: string
  /** What the label leaves out, for those who hear the page. */
  readonly of?: string
  readonly button?: boolean
  /** Any call that everybody may make: it asks for the password where the session has ended. */
  readonly check: () => Promise<unknown>
}

/** Opens a file of the service in a tab of its own. A session that has ended is renewed here, not in the new tab. */
export function FileLink({ href, label, of, button = true, check }: FileLinkProps) {
  const opening = useAction(async () => {
    await check()
    if (open(href, '_blank') !== null) return
    throw new CallError('blocked', 'Браузер не открыл вкладку: разрешите сайту всплывающие окна')
  })
  return (
    <>
      <a
        class={button ? 'button' : undefined}
        href={href}
        target="_blank"
        rel="noreferrer"
        onClick={(event) => {
          event.preventDefault()
          void opening.run()
        }}
      >
        {label}
        {of !== undefined && <span class="visually-hidden"> {of}</span>}
      </a>
      <Failure error={opening.error} />
    </>
  )
}
