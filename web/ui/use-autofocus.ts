import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Gives the focus to the form's field that asks for it. Browsers do it by themselves only in a page that was just opened.
 * Before anything is painted: later it would take the focus from whoever types at once.
 */
export function useAutofocus(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('[autofocus]')?.focus(), [])
  return form
}
