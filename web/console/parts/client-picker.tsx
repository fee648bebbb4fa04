import { useId, useState } from 'preact/hooks'
import type { Client } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useProblem } from '../../ui/form.tsx'
import { useClient } from './client-name.tsx'

interface ClientPickerProps {
  readonly label: string
  readonly clientId: string | undefined
  readonly onPick: (id: string | undefined) => void
  /** Gives the choice to a form. */
  readonly name?: string
}

/** Chooses a client by a part of its name or by INN (combobox after the ARIA pattern). */
export function ClientPicker({ label, clientId, onPick, name }: ClientPickerProps) {
  const id = useId()
  const chosen = useClient(clientId)
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(0)
  const problem = useProblem(name)
  const { data } = useAnswer(`clients ${typed ?? ''}`, async (signal) =>
    typed === undefined ? [] : search(typed, signal),
  )
  const found = typed === undefined ? [] : (data ?? [])
  const close = () => {
    setTyped(undefined)
    setActive(0)
  }
  const pick = (client: Client | undefined) => {
    close()
    onPick(client?.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0))
    else if (event.key === 'Enter' && found[active]) pick(found[active])
    else if (event.key === 'Escape' && typed !== undefined) close()
    else return
    event.preventDefault()
  }
  return (
    <div class="field combobox">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        data-name={name}
        aria-invalid={name === undefined ? undefined : problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-text`}
        aria-activedescendant={found[active] && `${id}-${active}`}
        autocomplete="off"
        placeholder="Название или ИНН"
        value={typed ?? chosen?.name ?? ''}
        // Typing replaces the client that was chosen.
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          if (typed !== undefined && event.currentTarget.value.trim() === '') pick(undefined)
          else close()
        }}
      />
      {name !== undefined && <input type="hidden" name={name} value={clientId ?? ''} />}
      {problem !== undefined && (
        <span id={`${id}-text`} class="small problem">
          {problem}
        </span>
      )}
      <div id={`${id}-list`} role="listbox" aria-label={label} hidden={found.length === 0}>
        {found.map((client, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input reads the keys
          <div
            key={client.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(client)}
          >
            {client.name} <span class="quiet small">{client.inn}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

async function search(text: string, signal: AbortSignal): Promise<readonly Client[]> {
  const page = await staff('GET /clients', { query: { search: text.trim(), limit: 8 }, signal })
  return page.items
}
