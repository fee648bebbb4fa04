import { useState } from 'preact/hooks'

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
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    setCopied(true)
  }
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
        <button type="button" class="primary" onClick={copy}>
          {isCopied ? 'Скопировано' : 'Скопировать'}
        </button>
        <button type="button" onClick={onDone}>
          Сохранено, скрыть
        </button>
        <span role="status" class="visually-hidden">
          {isCopied ? 'Скопировано' : ''}
        </span>
      </div>
    </section>
  )
}
