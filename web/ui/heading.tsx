import type { ComponentChildren } from 'preact'

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
      <div class="row">{children}</div>
    </div>
  )
}

interface BesideProps {
  readonly form: ComponentChildren
  readonly children: ComponentChildren
}

/** A list with a form beside it while one is open. */
export function Beside({ form, children }: BesideProps) {
  return (
    <div class={form ? 'beside' : undefined}>
      <div class="beside-main stack">{children}</div>
      {form && <aside class="panel">{form}</aside>}
    </div>
  )
}
