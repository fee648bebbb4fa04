import type { ComponentProps } from 'preact'

/** A place that scrolls by itself. It has a name and takes the focus, so that the keyboard can scroll it, too. */
export function Scrolled(props: ComponentProps<'section'> & { readonly 'aria-label': string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
  return <section {...props} tabIndex={0} />
}
