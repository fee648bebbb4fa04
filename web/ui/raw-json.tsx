import { Scrolled } from './lists/scrolled.tsx'

interface RawJsonProps {
  readonly name: string
  readonly value: unknown
}

/** What a program sent, as it is. A long one scrolls by itself. */
export function RawJson({ name, value }: RawJsonProps) {
  return (
    <Scrolled class="raw" aria-label={name}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </Scrolled>
  )
}
