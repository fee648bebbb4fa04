import type { ComponentChildren } from 'preact'
import { number } from '../../words/format.ts'

/** What stands in a section of the answer. */
export type Item<Part> = Extract<Part, { readonly items: readonly unknown[] }>['items'][number]

interface SectionProps<T> {
  readonly title: string
  readonly total: number
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  readonly item: (item: T) => ComponentChildren
  /** The whole list. */
  readonly href?: string | undefined
}

const shownAtMost = 6

/** Things of one kind that wait; nothing where none does. */
export function Section<T>({ title, total, items, keyOf, item, href }: SectionProps<T>) {
  if (total === 0) return null
  return (
    <section class="panel">
      <div class="today-head">
        <h2>{title}</h2>
        {href === undefined ? (
          <strong>{number(total)}</strong>
        ) : (
          <a href={href} aria-label={`Все: ${number(total)}, ${title}`}>
            Все: {number(total)}
          </a>
        )}
      </div>
      <ul>
        {items.slice(0, shownAtMost).map((each) => (
          <li key={keyOf(each)}>{item(each)}</li>
        ))}
      </ul>
    </section>
  )
}

interface ThingProps {
  readonly href?: string | undefined
  readonly title: ComponentChildren
  readonly children: ComponentChildren
}

/** What waits, with a line about it. */
export function Thing({ href, title, children }: ThingProps) {
  return (
    <div>
      <div class="clip">
        {href === undefined ? <strong>{title}</strong> : <a href={href}>{title}</a>}
      </div>
      <div class="small quiet clip">{children}</div>
    </div>
  )
}

/** How many units came of those that were announced; without a document none were. */
export function came(qty: number, expected: number): string {
  return expected === 0 ? `${number(qty)} шт.` : `${number(qty)} из ${number(expected)}`
}

interface ButtonLinkProps {
  readonly href: string
  readonly label: string
  /** What the label leaves out, for those who hear the page. */
  readonly of: string
}

export function ButtonLink({ href, label, of }: ButtonLinkProps) {
  return (
    <a class="button" href={href}>
      {label}
      <span class="visually-hidden"> {of}</span>
    </a>
  )
}
