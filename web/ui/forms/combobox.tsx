import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'

interface Choice<Item> {
  /** What was found for the text of the input. */
  readonly found: readonly Item[]
  readonly pick: (item: Item) => void
  /** Escape does this; where nothing is open, Escape is left to what holds the input. */
  readonly close?: (() => void) | undefined
}

interface OptionsProps<Item> {
  /** From `useCombobox`. */
  readonly list: Choice<Item> & { readonly id: string; readonly active: number }
  readonly label: string
  readonly keyOf: (item: Item) => string
  readonly children: (item: Item) => ComponentChildren
}

/** A combobox after the ARIA pattern: the input keeps the focus, arrows move, Enter picks. `Options` shows what was found. */
export function useCombobox<Item>({ found, pick, close }: Choice<Item>) {
  const id = useId()
  const [active, setActive] = useState(0)
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = found[active]
    if (event.key === 'ArrowDown') setActive(Math.max(Math.min(active + 1, found.length - 1), 0))
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0))
    else if (event.key === 'Enter' && chosen) pick(chosen)
    else if (event.key === 'Escape' && close) close()
    else return
    event.preventDefault()
  }
  const input = {
    id,
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    'aria-expanded': found.length > 0,
    'aria-controls': `${id}-list`,
    'aria-autocomplete': 'list',
    'aria-activedescendant': found[active] && `${id}-${active}`,
    onKeyDown,
  } as const
  return { id, input, list: { id, active, found, pick }, toFirst: () => setActive(0) }
}

export function Options<Item>({ list, label, keyOf, children }: OptionsProps<Item>) {
  const { id, active, found, pick } = list
  return (
    <div id={`${id}-list`} role="listbox" aria-label={label} hidden={found.length === 0}>
      {found.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input reads the keys
        <div
          key={keyOf(item)}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(item)}
        >
          {children(item)}
        </div>
      ))}
    </div>
  )
}
