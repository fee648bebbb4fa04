import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Failure } from '../../ui/failure.tsx'
import { Options, useCombobox } from '../../ui/forms/combobox.tsx'
import { mayLeave } from '../../ui/forms/unsaved.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { type Found, useFound } from './found.ts'

/** Ctrl K: a number, a barcode, a name, a room or a command, and Enter opens or does it. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null)
  const { url } = useLocation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
  }, [isOpen])
  // Another page: what was chosen is open.
  useLayoutEffect(() => dialog.current?.close(), [url])
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.code !== 'KeyK') return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button type="button" class="palette-button" onClick={() => setOpen(true)}>
        Найти <kbd>Ctrl K</kbd>
      </button>
      <dialog
        ref={dialog}
        class="palette"
        aria-label="Найти и открыть"
        onClose={() => setOpen(false)}
      >
        {isOpen && <Search close={() => dialog.current?.close()} />}
      </dialog>
    </>
  )
}

function Search({ close }: { readonly close: () => void }) {
  const { route } = useLocation()
  const [text, setText] = useState('')
  const found = useFound(text.trim())
  const doing = useAction(async ({ href, file, act, make }: Found) => {
    // A tab opens only while the person's press is fresh.
    if (file !== undefined) open(file, '_blank', 'noopener')
    if (!(await mayLeave())) return
    await act?.()
    const page = (await make?.()) ?? href
    if (page !== undefined) route(page)
    close()
  })
  const { input, list, toFirst } = useCombobox({ found, pick: (chosen) => void doing.run(chosen) })
  return (
    <div class="stack">
      <input
        {...input}
        aria-label="Номер, штрихкод, название, раздел или команда"
        placeholder="Номер, штрихкод, имя или что сделать"
        autofocus
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          toFirst()
        }}
      />
      <Options
        list={list}
        label="Найдено"
        keyOf={({ href, file, title, about }) => `${href ?? file} ${title} ${about}`}
      >
        {({ title, about }) => (
          <>
            {title} <span class="quiet small">{about}</span>
          </>
        )}
      </Options>
      <Failure error={doing.error} />
      {text !== '' && found.length === 0 && <p class="quiet">Ничего не нашли.</p>}
    </div>
  )
}
