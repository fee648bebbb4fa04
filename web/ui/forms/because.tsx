import { useId } from 'preact/hooks'

interface BecauseProps {
  readonly label: string
  readonly because: string
}

/** A button that does nothing now. The keyboard reaches it, and it says why. */
export function Because({ label, because }: BecauseProps) {
  const id = useId()
  return (
    <span class="because">
      <button type="button" aria-disabled="true" aria-describedby={id} title={because}>
        {label}
      </button>
      <span id={id} role="tooltip" class="small">
        {because}
      </span>
    </span>
  )
}
