import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/**
 * Gives the focus to the form's field that asks for it, but takes it from nobody who types already. Browsers do it by themselves only
 * in a page that was just opened.
 */
export function useAutofocus(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (form.current?.contains(document.activeElement)) return
    form.current?.querySelector<HTMLElement>('[autofocus]')?.focus()
  }, [])
  return form
}
