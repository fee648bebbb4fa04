import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { mayLeave } from './forms/unsaved.tsx'

interface HeadingProps {
  readonly title: string
  readonly about?: ComponentChildren
  /** What one does here. */
  readonly children?: ComponentChildren
}

/** The head of a page: its title, what it is about, and its actions. */
export function Heading({ title, about, children }: HeadingProps) {
  return (
    <div class="heading">
      <div>
        <h1>{title}</h1>
        {about !== undefined && <p class="quiet">{about}</p>}
      </div>
      {children && <div class="row">{children}</div>}
    </div>
  )
}

interface BesideProps {
  readonly form: ComponentChildren
  readonly children: ComponentChildren
}

/** A list with a form beside it while one is open. Escape closes the form. */
export function Beside({ form, children }: BesideProps) {
  const side = useRef<HTMLElement>(null)
  const isOpen = Boolean(form)
  // With the focus, which the form takes before it is painted.
  useLayoutEffect(() => {
    if (!isOpen) return
    const onKey = (event: KeyboardEvent) => void closeByKey(event, side.current)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOpen])
  return (
    <div class={isOpen ? 'beside' : undefined}>
      <div class="beside-main stack">{children}</div>
      {form && (
        <aside ref={side} class="panel">
          {form}
        </aside>
      )}
    </div>
  )
}

/** What lies over the page, and fields elsewhere, have Escape for themselves. */
async function closeByKey(event: KeyboardEvent, side: HTMLElement | null): Promise<void> {
  const target = event.target as Element
  const isElsewhere = target !== document.body && !side?.contains(target)
  const isCovered = document.querySelector('dialog[open], :popover-open') !== null
  if (event.key !== 'Escape' || event.defaultPrevented || isElsewhere || isCovered) return
  const close = side?.querySelector<HTMLElement>('[data-gives-up]')
  if (await mayLeave()) close?.click()
}
