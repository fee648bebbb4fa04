import { CopyButton } from './copy-button.tsx'

interface ShownOnceProps {
  readonly title: string
  readonly secret: string
  readonly hint: string
  /** The secret as a QR code, an SVG. */
  readonly qr?: string
  readonly onDone: () => void
}

/** A secret that the service shows this one time. */
export function ShownOnce({ title, secret, hint, qr, onDone }: ShownOnceProps) {
  return (
    <section class="notice warn stack" aria-label={title}>
      <h2>{title}</h2>
      <p>{hint}</p>
      <p>
        <code class="secret">{secret}</code>
      </p>
      {qr !== undefined && (
        <img
          class="qr"
          src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
          alt="Тот же код для сканера"
        />
      )}
      <div class="row">
        <CopyButton text={secret} primary />
        <button type="button" onClick={onDone}>
          Сохранено, скрыть
        </button>
      </div>
    </section>
  )
}
