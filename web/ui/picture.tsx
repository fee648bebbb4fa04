import { useEffect, useRef, useState } from 'preact/hooks'

interface PictureProps {
  /** Its address on this service; undefined where the goods have none. */
  readonly src: string | undefined
  /** What the goods are called. */
  readonly name: string
}

interface ThumbnailProps extends PictureProps {
  /** Whether a quiet place stays where there is none, so that names stand in line. */
  readonly keepsPlace?: boolean
}

/** A small picture of goods; none where there is none, or where it does not load. */
export function Thumbnail({ src, name, keepsPlace = false }: ThumbnailProps) {
  const [failed, setFailed] = useState<string>()
  if (src === undefined || src === failed) {
    return keepsPlace ? <span class="picture" aria-hidden="true" /> : null
  }
  return (
    <img
      class="picture"
      src={src}
      alt={name}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(src)}
    />
  )
}

/** A small picture of goods, which a press shows large. */
export function Picture({ src, name }: PictureProps) {
  const [isLarge, setLarge] = useState(false)
  if (src === undefined) return <Thumbnail src={src} name={name} keepsPlace />
  return (
    <>
      <button
        type="button"
        class="picture"
        title="Показать крупно"
        aria-label={`Картинка: ${name}`}
        onClick={() => setLarge(true)}
      >
        <Thumbnail src={src} name={name} keepsPlace />
      </button>
      {isLarge && <Large src={src} name={name} onClose={() => setLarge(false)} />}
    </>
  )
}

interface LargeProps {
  readonly src: string
  readonly name: string
  readonly onClose: () => void
}

/** Any press closes it, and so does Escape. */
function Large({ src, name, onClose }: LargeProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape and the button close it by keyboard
    <dialog
      ref={dialog}
      class="picture-large"
      aria-label={name}
      onClick={() => dialog.current?.close()}
      onClose={onClose}
    >
      <img src={src} alt={name} />
      <button type="button">Закрыть</button>
    </dialog>
  )
}
