import type { StaffReceipt } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Choice } from '../../ui/forms/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { plural } from '../../words/format.ts'
import { OpenedForm } from '../parts/opened-form.tsx'
import { asksReason, useReasons } from '../parts/reasons.ts'

interface FinishProps {
  readonly receipt: StaffReceipt
  readonly done: () => void
}

/** Ends counting. Every line that lacks units needs its reason: the seller sees it. */
export function Finish({ receipt, done }: FinishProps) {
  const { options, error } = useReasons('shortage')
  const reasons = options?.filter(({ value }) => value !== 'CANCELLED')
  const short = (receipt.items ?? []).filter((line) => line.accepted_qty < line.expected_qty)
  return (
    <OpenedForm
      title="Закончить приёмку"
      submit="Закончить"
      act={async (values, close) => {
        await staff('POST /receipts/{id}/finish', {
          path: { id: receipt.id },
          body: {
            shortages: short.map(({ barcode }) => ({
              barcode,
              reason: values.text(`reason ${barcode}`),
            })),
          },
        })
        showToast(`${receipt.number} закончена`)
        close()
        done()
      }}
    >
      {short.length === 0 ? (
        <p>Всё заявленное на месте.</p>
      ) : (
        <p>Назовите причины недостачи: их увидит продавец.</p>
      )}
      {short.map((line) => (
        <Choice
          key={line.barcode}
          name={`reason ${line.barcode}`}
          label={`${line.name}: ${lacking(line.expected_qty - line.accepted_qty)}`}
          options={reasons}
          error={error}
          asks={asksReason}
        />
      ))}
    </OpenedForm>
  )
}

function lacking(units: number): string {
  return `не хватает ${plural(units, 'штуки', 'штук', 'штук')}`
}
