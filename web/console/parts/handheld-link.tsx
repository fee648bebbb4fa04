interface HandheldLinkProps {
  /** An address of the handheld, from its own paths. */
  readonly href: string
}

/** Opens the handheld in a tab of its own. */
export function HandheldLink({ href }: HandheldLinkProps) {
  return (
    <a class="button" href={href} target="_blank" rel="noreferrer">
      Открыть терминал
    </a>
  )
}
