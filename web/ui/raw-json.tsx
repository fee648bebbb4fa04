interface RawJsonProps {
  readonly name: string
  readonly value: unknown
}

/** What a program sent, as it is. A long one scrolls by itself. */
export function RawJson({ name, value }: RawJsonProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
    <section class="raw" aria-label={name} tabIndex={0}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </section>
  )
}
