interface HandheldLinkProps {
  /** An address of the handheld, from its own paths. */
  readonly href: string
}

/** Opens the page on which workers scan, beside this one: with a scanner or with typed codes. */
export function HandheldLink({ href }: HandheldLinkProps) {
  return (
    <a class="button" href={href} target="_blank" rel="noreferrer">
      Открыть терминал
    </a>
  )
}
