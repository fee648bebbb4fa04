import { useState } from 'preact/hooks'
import { Field } from '../../ui/forms/field.tsx'
import { Choice } from '../scan/choice.tsx'
import { type Marks, markLabels, missingMarks, type Unit } from './pick-verdict.ts'

interface MarksFormProps {
  readonly unit: Unit
  readonly onGiven: (marks: Marks) => void
  readonly onClose: () => void
}

/** What the marketplace wants to know of the unit. A scan goes into the first empty field. */
export function MarksForm({ unit, onGiven, onClose }: MarksFormProps) {
  const kinds = missingMarks(unit)
  const [marks, setMarks] = useState<Marks>({})
  const set = (kind: keyof Marks, value: string) => setMarks((last) => ({ ...last, [kind]: value }))
  const onScan = (code: string) => {
    const empty = kinds.find((kind) => !marks[kind])
    if (empty !== undefined) set(empty, code)
  }
  return (
    <Choice title={unit.line.name} onClose={onClose} onScan={onScan}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          onGiven(marks)
        }}
      >
        {kinds.map((kind) => (
          <Field
            key={kind}
            name={kind}
            label={markLabels[kind]}
            value={marks[kind] ?? ''}
            onInput={(event) => set(kind, event.currentTarget.value.trim())}
            autocomplete="off"
            required
          />
        ))}
        <button type="submit" class="primary">
          Положить в заказ
        </button>
      </form>
    </Choice>
  )
}
