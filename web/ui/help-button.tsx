import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'

interface HelpButtonProps {
  /** The help of the surface, which loads when somebody asks for it. */
  readonly load: () => Promise<{ readonly Help: ComponentType }>
}

/** Opens help, as the key ? does. */
export function HelpButton({ load }: HelpButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { url } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const [{ Help }, setLoaded] = useState<{ Help?: ComponentType }>({})
  useEffect(() => {
    if (!isOpen) return
    dialog.current?.showModal()
    void load().then(({ Help }) => setLoaded({ Help }))
  }, [isOpen])
  useLayoutEffect(() => dialog.current?.close(), [url])
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!asksForHelp(event)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      setOpen(true)
    }
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  }, [])
  return (
    <>
      <button type="button" class="plain" onClick={() => setOpen(true)}>
        Справка <kbd>?</kbd>
      </button>
      <dialog ref={dialog} aria-labelledby="help-title" onClose={() => setOpen(false)}>
        {isOpen && Help !== undefined && <Help />}
        <div class="row end">
          <button type="button" class="primary" onClick={() => dialog.current?.close()}>
            Понятно
          </button>
        </div>
      </dialog>
    </>
  )
}

/** A question mark of any layout, unless somebody types it. */
function asksForHelp({ key, code, shiftKey, ctrlKey, metaKey, altKey, target }: KeyboardEvent) {
  const isMark = key === '?' || (code === 'Slash' && shiftKey)
  const isTyped = target instanceof Element && target.closest('input, select, textarea') !== null
  return isMark && !isTyped && !ctrlKey && !metaKey && !altKey
}
