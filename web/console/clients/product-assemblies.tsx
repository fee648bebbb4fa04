import { useState } from 'preact/hooks'
import { newId } from '../../api/new-id.ts'
import type { Assembly, Product } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { Choice, Form, oneOfChoices, TextField } from '../../ui/forms/form.tsx'
import { moment, number } from '../../words/format.ts'

interface ProductAssembliesProps {
  readonly product: Product
  readonly onMoved: () => void
}

const kinds = { ASSEMBLE: 'Собрать', TAKE_APART: 'Разобрать' } as const
const choices = Object.entries(kinds).map(([value, text]) => ({ value, text }))
const deeds = { ASSEMBLE: 'Собрано', TAKE_APART: 'Разобрано' } as const
const shownMax = 10

/** Sets that are put together beforehand: a form, and what was done last. */
export function ProductAssemblies({ product, onMoved }: ProductAssembliesProps) {
  const { client_id: id, barcode } = product
  const [made, setMade] = useState(0)
  const { data, error, reload } = useAnswer(`assemblies ${id} ${barcode}`, (signal) =>
    staff('GET /clients/{id}/assemblies', {
      path: { id },
      query: { barcode, limit: shownMax },
      signal,
    }),
  )
  const moved = () => {
    setMade((count) => count + 1)
    reload()
    onMoved()
  }
  return (
    <section class="stack" aria-label="Сборка наборов">
      <AssemblyForm key={made} product={product} onMoved={moved} />
      <Failure error={error} retry={reload} />
      {data?.items.map((assembly) => (
        <Done key={assembly.id} assembly={assembly} onMoved={moved} />
      ))}
    </section>
  )
}

function AssemblyForm({ product, onMoved }: ProductAssembliesProps) {
  const { client_id: id, barcode } = product
  // One name for all tries of this form: an answer that was lost moves nothing twice.
  const [entry] = useState(newId)
  return (
    <Form
      minor
      submit="Провести"
      busy="Проводим…"
      act={async (values) => {
        const kind = oneOfChoices(values, 'kind', kinds)
        const body = { kind, barcode, qty: values.number('count') ?? 1, entry_id: entry }
        await staff('POST /clients/{id}/assemblies', { path: { id }, body })
        onMoved()
      }}
    >
      <Choice name="kind" label="Что сделать" options={choices} />
      <TextField
        name="count"
        label="Сколько наборов"
        type="number"
        min={1}
        defaultValue="1"
        required
      />
    </Form>
  )
}

function Done({
  assembly,
  onMoved,
}: {
  readonly assembly: Assembly
  readonly onMoved: () => void
}) {
  const { kind, qty, created_at: at, created_by_name: who, undone_at: undone } = assembly
  const path = { id: assembly.client_id, assembly: assembly.id }
  const said = `${deeds[kind]} ${number(qty)}, ${moment(at)}${who === undefined ? '' : `, ${who}`}`
  return (
    <div class="row">
      <span class={undone === null ? 'small' : 'small quiet'}>
        {said}
        {undone !== null && ', отменено'}
      </span>
      {undone === null && (
        <ActionButton
          label={`Отменить: ${said}`}
          act={async () => {
            await staff('POST /clients/{id}/assemblies/{assembly}/undo', { path })
            onMoved()
          }}
        />
      )}
    </div>
  )
}
