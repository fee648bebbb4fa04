import { useState } from 'preact/hooks'
import { FileLink } from '../../ui/file-link.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { account } from '../api.ts'

const boxesMax = 500

/** Labels to stick on the boxes before the delivery leaves. */
export function BoxLabels({ id }: { readonly id: string }) {
  const [boxes, setBoxes] = useState('1')
  const count = Number(boxes)
  const isMeant = Number.isInteger(count) && count >= 1 && count <= boxesMax
  return (
    <section class="stack">
      <h2>Этикетки на короба</h2>
      <p class="small quiet">
        Наклейте их до отправки: по коду склад сразу откроет эту приёмку. Страница 58 × 40 мм на
        каждый короб, печатайте в масштабе 100 %.
      </p>
      <div class="filters">
        <Field
          name="boxes"
          label="Сколько коробов"
          inputMode="numeric"
          value={boxes}
          onInput={({ currentTarget }) => setBoxes(currentTarget.value.trim())}
          problem={isMeant ? undefined : `Целое число от 1 до ${boxesMax}`}
        />
        {isMeant && (
          <FileLink
            href={`/account/v1/receipts/${id}/box-labels?boxes=${count}`}
            label="Печать этикеток"
            check={() => account('GET /session')}
          />
        )}
      </div>
    </section>
  )
}
