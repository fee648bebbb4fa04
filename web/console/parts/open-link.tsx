import { CallError } from '../../api/caller.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { useAction } from '../../ui/use-action.ts'

interface OpenLinkProps {
  readonly href: string
  readonly label: string
  /** What the label leaves out, for those who hear the page. */
  readonly of?: string
  readonly button?: boolean
}

/** Opens a file of the service in a tab of its own. A session that has ended is renewed here, not in the new tab. */
export function OpenLink({ href, label, of, button = true }: OpenLinkProps) {
  const opening = useAction(async () => {
    // Any call that everybody may make: it asks for the password where the session has ended.
    await staff('GET /warehouses', { query: { limit: 1 } })
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
