import { useState } from 'preact/hooks'
import type { Client } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Options, useCombobox } from '../../ui/forms/combobox.tsx'
import { FieldText } from '../../ui/forms/field.tsx'
import { useProblem } from '../../ui/forms/form.tsx'
import { useClient } from './client-name.tsx'

interface ClientPickerProps {
  readonly label: string
  readonly clientId: string | undefined
  readonly onPick: (id: string | undefined) => void
  /** Gives the choice to a form. */
  readonly name?: string
}

/** Chooses a client by a part of its name or by INN. */
export function ClientPicker({ label, clientId, onPick, name }: ClientPickerProps) {
  const chosen = useClient(clientId)
  const [typed, setTyped] = useState<string>()
  const problem = useProblem(name)
  const { data } = useAnswer(`clients ${typed ?? ''}`, async (signal) =>
    typed === undefined ? [] : search(typed, signal),
  )
  const found = typed === undefined ? [] : (data ?? [])
  const close = () => {
    setTyped(undefined)
    toFirst()
  }
  const pick = (client: Client | undefined) => {
    close()
    onPick(client?.id)
  }
  const { id, input, list, toFirst } = useCombobox({
    found,
    pick,
    close: typed === undefined ? undefined : close,
  })
  return (
    <div class="field combobox">
      <label for={id}>{label}</label>
      <input
        {...input}
        data-name={name}
        aria-invalid={name === undefined ? undefined : problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-text`}
        placeholder="Название или ИНН"
        value={typed ?? chosen?.name ?? ''}
        // Typing replaces the client that was chosen.
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          toFirst()
        }}
        onBlur={(event) => {
          if (typed !== undefined && event.currentTarget.value.trim() === '') pick(undefined)
          else close()
        }}
      />
      {name !== undefined && <input type="hidden" name={name} value={clientId ?? ''} />}
      <FieldText id={id} problem={problem} />
      <Options list={list} label={label} keyOf={(client) => client.id}>
        {(client) => (
          <>
            {client.name} <span class="quiet small">{client.inn}</span>
          </>
        )}
      </Options>
    </div>
  )
}

async function search(text: string, signal: AbortSignal): Promise<readonly Client[]> {
  const page = await staff('GET /clients', { query: { search: text.trim(), limit: 8 }, signal })
  return page.items
}
