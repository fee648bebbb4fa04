import type { Product } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { MeasureFields, measuresIn, sidesText } from '../../ui/billing/measures.tsx'
import { Form, TextField } from '../../ui/forms/form.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { moscowDay } from '../../words/format.ts'
import { dayName, quantityWords } from '../../words/money.ts'

interface ProductMeasuresProps {
  readonly product: Product
  readonly onMeasured: () => void
}

/** Length, width, height and weight of a product by the days from which they hold, and who measured. */
export function ProductMeasures({ product, onMeasured }: ProductMeasuresProps) {
  const path = { id: product.client_id, barcode: product.barcode }
  const { data, error, reload } = useAnswer(`measures ${path.id} ${path.barcode}`, (signal) =>
    staff('GET /clients/{id}/products/{barcode}/measures', { path, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  return (
    <div class="stack">
      <Form
        minor
        title="Размеры"
        submit="Сохранить размеры"
        act={async (values) => {
          await staff('POST /clients/{id}/products/{barcode}/measures', {
            path,
            body: { ...measuresIn(values), first_day: values.optional('first_day') },
          })
          showToast('Размеры сохранены')
          reload()
          onMeasured()
        }}
      >
        <MeasureFields />
        <TextField
          name="first_day"
          label="С какого дня"
          type="date"
          defaultValue={moscowDay(new Date())}
          hint="Закрытые месяцы не меняются"
        />
      </Form>
      <Table
        name="Когда измеряли"
        rows={data.items}
        keyOf={({ first_day }) => first_day}
        columns={[
          { title: 'С какого дня', cell: ({ first_day }) => dayName(first_day) },
          { title: 'Размеры', main: true, cell: sidesText },
          { title: 'Объём', cell: ({ litres }) => `${quantityWords(litres)} л` },
          { title: 'Кто измерил', cell: ({ measured_by }) => measured_by },
          { title: 'Когда', cell: ({ measured_at }) => <Moment at={measured_at} /> },
        ]}
        empty={<p>Товар ещё не измерен: хранение по литрам считают по условиям клиента.</p>}
      />
    </div>
  )
}
