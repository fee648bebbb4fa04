import { useState } from 'preact/hooks'

interface CopyButtonProps {
  readonly text: string
  readonly label?: string
  readonly primary?: boolean
}

/** Copies a text; where the browser refuses, the text beside it can still be selected. */
export function CopyButton({ text, label = 'Скопировать', primary = false }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'done' | 'refused'>('idle')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState('done')
    } catch {
      setState('refused')
    }
  }
  const words = { idle: label, done: 'Скопировано', refused: 'Выделите и скопируйте сами' }
  return (
    <button type="button" class={primary ? 'primary' : undefined} onClick={copy} aria-live="polite">
      {words[state]}
    </button>
  )
}
