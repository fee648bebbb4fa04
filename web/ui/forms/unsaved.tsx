import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'

/** Forms that hold what somebody typed and the service does not have. */
const typed = new Set<HTMLFormElement>()

export function markTyped(form: HTMLFormElement): void {
  typed.add(form)
}

/** The service has it, or the form is gone. */
export function markSaved(form: HTMLFormElement | null): void {
  if (form !== null) typed.delete(form)
  if (typed.size === 0) leave?.()
}

/** Answers the question that stands open, once there is nothing to lose. */
let leave: (() => void) | undefined
let ask: (() => Promise<boolean>) | undefined

/** Whether what was typed may be lost: asks the person if there is any. */
export async function mayLeave(): Promise<boolean> {
  if (ask === undefined || typed.size === 0) return true
  if (!(await ask())) return false
  typed.clear()
  return true
}

/** The link that leads away from the form; none where the browser opens a tab or a file, or the form stays open. */
function wayOut({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) {
  const link = (target as Element).closest<HTMLAnchorElement>('a[href]')
  if (link === null || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return undefined
  const { origin, pathname, searchParams } = new URL(link.href)
  const isPage = origin === location.origin && link.target === '' && !link.download
  if (!isPage || link.getAttribute('href')?.startsWith('#')) return undefined
  const form = new URLSearchParams(location.search).get('form')
  const staysOpen = form !== null && form === searchParams.get('form')
  return staysOpen && pathname === location.pathname ? undefined : link
}

/** Stands once on a surface: asks before a link, the way back or the closing of the page loses what was typed. */
export function UnsavedQuestion() {
  const { url } = useLocation()
  const dialog = useRef<HTMLDialogElement>(null)
  const [answer, setAnswer] = useState<{ readonly give: (leaves: boolean) => void }>()
  const latest = useRef(url)
  latest.current = url
  useEffect(() => {
    ask = () => new Promise((give) => setAnswer({ give }))
    return () => {
      ask = undefined
    }
  }, [])
  // Listens before the router above does: the first listener hears an event first.
  useLayoutEffect(() => guardWays(latest), [])
  useEffect(() => {
    if (answer === undefined) return
    dialog.current?.showModal()
    leave = () => end(true)
  }, [answer])
  const end = (leaves: boolean) => {
    leave = undefined
    answer?.give(leaves)
    setAnswer(undefined)
    dialog.current?.close()
  }
  return (
    <dialog ref={dialog} aria-labelledby="unsaved" onCancel={() => end(false)}>
      {answer !== undefined && (
        <div class="stack">
          <h2 id="unsaved">Уйти без сохранения?</h2>
          <p>Введённое в форму ещё не сохранено и пропадёт.</p>
          <div class="row">
            <button type="button" class="primary" onClick={() => end(false)}>
              Остаться
            </button>
            <button type="button" class="danger" onClick={() => end(true)}>
              Уйти
            </button>
          </div>
        </div>
      )}
    </dialog>
  )
}

function guardWays(latest: { readonly current: string }): () => void {
  const onClick = (event: MouseEvent) => {
    if (typed.size === 0) return
    const link = wayOut(event)
    if (link === undefined) return
    if (link.hasAttribute('data-gives-up')) return typed.clear()
    event.preventDefault()
    event.stopImmediatePropagation()
    void mayLeave().then((leaves) => leaves && link.click())
  }
  const onBack = (event: PopStateEvent) => {
    // A link to a place on the page leaves it as it is.
    const stays = location.pathname + location.search === latest.current
    if (typed.size === 0 || stays) return
    event.stopImmediatePropagation()
    // The address has changed already: the page gets its own back until the person has answered.
    history.pushState(null, '', latest.current)
    void mayLeave().then((leaves) => leaves && history.back())
  }
  const onClose = (event: BeforeUnloadEvent) => {
    if (typed.size > 0) event.preventDefault()
  }
  addEventListener('click', onClick, true)
  addEventListener('popstate', onBack, true)
  addEventListener('beforeunload', onClose)
  return () => {
    removeEventListener('click', onClick, true)
    removeEventListener('popstate', onBack, true)
    removeEventListener('beforeunload', onClose)
  }
}
