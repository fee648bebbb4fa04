import { useState } from 'preact/hooks'
import { curlOf, yourKey } from './curl.ts'

/** Copies a text; where the browser refuses, the text beside it can still be selected. */
export function CopyButton({
  text,
  label = 'Скопировать',
}: {
  readonly text: string
  readonly label?: string
}) {
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
    <button type="button" onClick={copy} aria-live="polite">
      {words[state]}
    </button>
  )
}

/** How a program gets what a page shows. */
export function AskByApi({ path }: { readonly path: string }) {
  const call = curlOf(location.origin, path)
  return (
    <details class="by-api">
      <summary>Как спросить это по API</summary>
      <div class="stack">
        <pre class="code-block">{call}</pre>
        <div class="row">
          <CopyButton text={call} />
          <span class="small quiet">Замените {yourKey} своим ключом.</span>
          <a href="/docs">Справочник API</a>
        </div>
      </div>
    </details>
  )
}
