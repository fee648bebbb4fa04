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

/** How a program gets what a page shows: the calls of its figures. */
export function AskByApi({ paths }: { readonly paths: readonly string[] }) {
  return (
    <details class="by-api">
      <summary>Как спросить это по API</summary>
      <div class="stack">
        {[...new Set(paths)].map((path) => (
          <Call key={path} call={curlOf(location.origin, path)} />
        ))}
        <div class="row">
          <span class="small quiet">Замените {yourKey} своим ключом.</span>
          <a href="/docs">Справочник API</a>
        </div>
      </div>
    </details>
  )
}

function Call({ call }: { readonly call: string }) {
  return (
    <>
      <pre class="code-block">{call}</pre>
      <div>
        <CopyButton text={call} />
      </div>
    </>
  )
}
