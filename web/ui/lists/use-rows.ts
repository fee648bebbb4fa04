import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

const controls = 'a, button, input, select, textarea, label, summary, dialog'

/**
 * Rows of a table lead where their first link leads. A click anywhere in a row opens it; j and k go from row to row,
 * Enter opens, and / goes to the search. Keys are read by their place, so that a Russian layout does no harm. A text
 * that is cut is whole where one points at it.
 */
export function useRows(frame: RefObject<HTMLElement | null>): void {
  // Before the rows are seen: a key that comes at once counts.
  useLayoutEffect(() => {
    const table = frame.current
    const onClick = (event: MouseEvent) => {
      const target = event.target as Element
      if (target.closest(controls) || String(getSelection()) !== '') return
      linkOf(target.closest('tbody tr'))?.click()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.code === 'KeyJ') step(table, 1)
      else if (event.code === 'KeyK') step(table, -1)
      else if (event.code === 'Slash') focusSearch(event)
    }
    const onPoint = ({ target }: Event) => {
      const text = (target as Element).closest<HTMLElement>('.name, .long')
      if (text !== null && text.scrollHeight > text.clientHeight) text.title = text.innerText
    }
    table?.addEventListener('click', onClick)
    table?.addEventListener('pointerover', onPoint)
    document.addEventListener('keydown', onKey)
    return () => {
      table?.removeEventListener('click', onClick)
      table?.removeEventListener('pointerover', onPoint)
      document.removeEventListener('keydown', onKey)
    }
  }, [frame])
}

function linkOf(row: Element | null | undefined): HTMLAnchorElement | null | undefined {
  return row?.querySelector<HTMLAnchorElement>('a')
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea, dialog') !== null
}

function step(table: HTMLElement | null, by: 1 | -1): void {
  const links = Array.from(table?.querySelectorAll('tbody tr') ?? [], linkOf).filter(
    (link) => !!link,
  )
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
  links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus()
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (search === null) return
  event.preventDefault()
  search.closest('details')?.setAttribute('open', '')
  search.select()
  search.focus()
}
