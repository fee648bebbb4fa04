import { useId } from 'preact/hooks'
import { CopyButton } from '../../ui/copy-button.tsx'
import { curlOf, yourKey } from './curl.ts'
import { useDeveloper } from './developer.tsx'

/** How a program gets what a page shows: the calls of its figures. Developers alone see it. */
export function AskByApi({ paths }: { readonly paths: readonly string[] }) {
  if (!useDeveloper()) return null
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

interface FigureByApiProps {
  readonly name: string
  /** Where the figure stands in the answer: `funnel.accepted`. */
  readonly field: string
  /** Of the call that answers with it. */
  readonly path: string
}

/** Beside a figure, for developers: which call answers with it, and in which field. */
export function FigureByApi({ name, field, path }: FigureByApiProps) {
  const id = useId()
  if (!useDeveloper()) return null
  return (
    <>
      <button
        type="button"
        class="figure-api"
        popovertarget={id}
        aria-label={`${name}: как спросить по API`}
      >
        API
      </button>
      <div id={id} popover="auto" class="popover stack">
        <p>
          {name}: поле <code>{field}</code> ответа
        </p>
        <Call call={curlOf(location.origin, path)} />
        <p class="small quiet">Замените {yourKey} своим ключом.</p>
      </div>
    </>
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
