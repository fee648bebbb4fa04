import { useState } from 'preact/hooks'
import { newId } from '../../api/new-id.ts'
import type { LookupMatch } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Form, TextField } from '../../ui/forms/form.tsx'
import { number } from '../../words/format.ts'
import { Choice } from '../scan/choice.tsx'
import { signal } from '../scan/signal.ts'

interface AssemblingProps {
  readonly match: LookupMatch
  readonly onMoved: () => void
}

const kinds = { ASSEMBLE: 'Собрать наборы', TAKE_APART: 'Разобрать наборы' } as const
type Kind = keyof typeof kinds

/** A set at the shelf: its parts, and forms that put sets together beforehand or take them apart. */
export function Assembling({ match, onMoved }: AssemblingProps) {
  const { client_id: id, barcode, parts, parts_allow: allowed = 0 } = match
  const [kind, setKind] = useState<Kind>()
  if (id === null || barcode == null || parts === undefined) return null
  const close = () => setKind(undefined)
  return (
    <div class="stack">
      <p>Набор, из частей выйдет {number(allowed)}:</p>
      <ul class="places">
        {parts.map((part) => (
          <li key={part.barcode}>
            <b>{part.name}</b>
            <span class="qty">{number(part.qty)}</span>
          </li>
        ))}
      </ul>
      {(['ASSEMBLE', 'TAKE_APART'] as const).map((each) => (
        <button key={each} type="button" class="wide" onClick={() => setKind(each)}>
          {kinds[each]}
        </button>
      ))}
      {kind !== undefined && (
        <Choice title={kinds[kind]} onClose={close}>
          <AssemblyForm
            path={{ id }}
            kind={kind}
            barcode={barcode}
            onMoved={onMoved}
            onClose={close}
          />
        </Choice>
      )}
    </div>
  )
}

interface AssemblyFormProps {
  readonly path: { readonly id: string }
  readonly kind: Kind
  readonly barcode: string
  readonly onMoved: () => void
  readonly onClose: () => void
}

function AssemblyForm({ path, kind, barcode, onMoved, onClose }: AssemblyFormProps) {
  // One name for all tries of this form: an answer that was lost moves nothing twice.
  const [entry] = useState(newId)
  return (
    <Form
      submit={kinds[kind]}
      act={async (values) => {
        const qty = values.number('qty') ?? 1
        const body = { kind, barcode, qty, entry_id: entry }
        await staff('POST /clients/{id}/assemblies', { path, body })
        signal('good')
        onClose()
        onMoved()
      }}
    >
      <TextField
        name="qty"
        label="Сколько наборов"
        type="number"
        min={1}
        defaultValue="1"
        required
      />
    </Form>
  )
}
