import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Failure } from '../../ui/failure.tsx'
import { mayLeave } from '../../ui/unsaved.tsx'
import { useAction } from '../../ui/use-action.ts'
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
  useEffect(() => dialog.current?.close(), [url])
  useEffect(() => {
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
  const [active, setActive] = useState(0)
  const found = useFound(text.trim())
  const doing = useAction(async ({ href, file, act }: Found) => {
    // A tab opens only while the person's press is fresh.
    if (file !== undefined) open(file, '_blank', 'noopener')
    if (!(await mayLeave())) return
    await act?.()
    if (href !== undefined) route(href)
    close()
  })
  const choose = (chosen: Found) => void doing.run(chosen)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0))
    else if (event.key === 'Enter' && found[active]) choose(found[active])
    else return
    event.preventDefault()
  }
  return (
    <div class="stack">
      <input
        type="text"
        role="combobox"
        aria-label="Номер, штрихкод, название, раздел или команда"
        aria-expanded={found.length > 0}
        aria-controls="palette-list"
        aria-activedescendant={found[active] && `palette-${active}`}
        placeholder="Номер, штрихкод, имя или что сделать"
        autocomplete="off"
        autofocus
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label="Найдено" hidden={found.length === 0}>
        {found.map((each, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input reads the keys
          <div
            key={`${each.href ?? each.file} ${each.title} ${each.about}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === active}
            onClick={() => choose(each)}
          >
            {each.title} <span class="quiet small">{each.about}</span>
          </div>
        ))}
      </div>
      <Failure error={doing.error} />
      {text !== '' && found.length === 0 && <p class="quiet">Ничего не нашли.</p>}
    </div>
  )
}
