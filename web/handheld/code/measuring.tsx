import { useState } from 'preact/hooks'
import type { LookupMatch } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { MeasureFields, measuresIn, sidesText } from '../../ui/billing/measures.tsx'
import { Form } from '../../ui/forms/form.tsx'
import { Choice } from '../scan/choice.tsx'
import { signal } from '../scan/signal.ts'

/** Goods measured by tape at the shelf: what is known of their size, and a form for what was measured now. */
export function Measuring({ match }: { readonly match: LookupMatch }) {
  const { client_id: id, barcode } = match
  if (id === null || barcode == null) return null
  return <MeasuringOf path={{ id, barcode }} />
}

function MeasuringOf({
  path,
}: {
  readonly path: { readonly id: string; readonly barcode: string }
}) {
  const [isOpen, setOpen] = useState(false)
  const { data, reload } = useAnswer(`measures ${path.id} ${path.barcode}`, (abort) =>
    staff('GET /clients/{id}/products/{barcode}/measures', { path, signal: abort }),
  )
  const [last] = data?.items ?? []
  const close = () => setOpen(false)
  return (
    <div class="stack">
      {data !== undefined && (
        <p>{last === undefined ? 'Товар не измерен' : `Размеры: ${sidesText(last)}`}</p>
      )}
      <button type="button" class="wide" onClick={() => setOpen(true)}>
        Измерить
      </button>
      {isOpen && (
        <Choice title="Размеры одной штуки" onClose={close}>
          <Form
            submit="Сохранить"
            act={async (values) => {
              await staff('POST /clients/{id}/products/{barcode}/measures', {
                path,
                body: measuresIn(values),
              })
              signal('good')
              close()
              reload()
            }}
          >
            <MeasureFields />
          </Form>
        </Choice>
      )}
    </div>
  )
}
