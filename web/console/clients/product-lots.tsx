import { useState } from 'preact/hooks'
import { newId } from '../../api/new-id.ts'
import type { ProductLots as Lots, Product, StockLot } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Choice, Form, TextField } from '../../ui/forms/form.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { number } from '../../words/format.ts'
import { placesText } from '../../words/lot-places.ts'
import { daysLeftText, lotText } from '../../words/lots.ts'
import { ExportLinks } from '../parts/export-links.tsx'

/** Whether the expiry dates of a product are kept, its lots, and the correction of a date. */
export function ProductLots({ product }: { readonly product: Product }) {
  const path = { id: product.client_id, barcode: product.barcode }
  const { data, error, reload } = useAnswer(`lots ${path.id} ${path.barcode}`, (signal) =>
    staff('GET /clients/{id}/products/{barcode}/lots', { path, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  const { warn_days: days, items } = data
  return (
    <section class="stack" aria-label="Срок годности товара">
      <Form
        minor
        key={`${days}`}
        title="Срок годности"
        submit={days === null ? 'Учитывать срок годности' : 'Сохранить'}
        act={async (values) => {
          await staff('PUT /clients/{id}/products/{barcode}/lots', {
            path,
            body: { warn_days: values.number('warn_days') ?? 30 },
          })
          showToast(days === null ? 'Срок годности учитывается' : 'Сохранено')
          reload()
        }}
      >
        <p>
          {days === null
            ? 'Срок годности не учитывается. Если включить, приёмка спросит срок, сборка возьмёт сначала то, что истечёт раньше, а просроченное встанет под вопрос.'
            : 'Срок годности учитывается.'}
        </p>
        <TextField
          name="warn_days"
          label="Предупреждать, когда осталось меньше дней"
          type="number"
          inputMode="numeric"
          min={0}
          max={3650}
          defaultValue={String(days ?? 30)}
          required
        />
      </Form>
      {days !== null && <KnownLots path={path} items={items} onChanged={reload} />}
      {days !== null && (
        <ConfirmButton
          label="Не учитывать срок годности"
          question={`Не учитывать срок годности «${product.name}»?`}
          consequence="Записанные сроки сотрутся. Остаток и места хранения не изменятся."
          danger
          act={async () => {
            await staff('DELETE /clients/{id}/products/{barcode}/lots', { path })
            reload()
          }}
        />
      )}
    </section>
  )
}

interface KnownLotsProps {
  readonly path: { readonly id: string; readonly barcode: string }
  readonly items: Lots['items']
  readonly onChanged: () => void
}

function KnownLots({ path, items, onChanged }: KnownLotsProps) {
  const [chosen, setChosen] = useState('0')
  const [entry, setEntry] = useState(newId)
  if (items.length === 0) return <p class="quiet">Товара на складе нет.</p>
  const lot = items[Number(chosen)] ?? items[0]
  return (
    <>
      <Table
        name="Партии"
        rows={items}
        keyOf={(each) => `${each.expires_on} ${each.number}`}
        columns={[
          { title: 'Партия', main: true, cell: lotText },
          { title: 'Осталось', cell: daysLeftText },
          { title: 'Единиц', end: true, cell: ({ quantity }) => number(quantity) },
          { title: 'Где лежит', cell: placesText },
        ]}
        files={<ExportLinks list="lots" filter={{ client_id: path.id, barcode: path.barcode }} />}
      />
      <Form
        minor
        key={entry}
        title="Исправить срок"
        submit="Исправить"
        act={async (values) => {
          if (lot === undefined) return
          await staff('POST /clients/{id}/products/{barcode}/lots/changes', {
            path,
            body: {
              entry_id: entry,
              ...asRecorded(lot),
              to_expires_on: values.text('to_expires_on'),
              to_lot_number: values.text('to_lot_number'),
              qty: values.number('qty') ?? 1,
            },
          })
          showToast('Срок исправлен')
          setEntry(newId())
          onChanged()
        }}
      >
        <Choice
          name="lot"
          label="Что исправить"
          options={items.map((each, n) => ({ value: String(n), text: lotText(each) }))}
          value={chosen}
          onChange={setChosen}
        />
        <TextField
          name="to_expires_on"
          label="Верный срок"
          hint="31.12.2027 или 12.2027"
          required
        />
        <TextField
          name="to_lot_number"
          label="Номер партии"
          maxLength={20}
          hint="Можно не заполнять"
        />
        <TextField
          name="qty"
          label="Сколько единиц"
          type="number"
          inputMode="numeric"
          min={1}
          required
        />
      </Form>
    </>
  )
}

function asRecorded({ expires_on, number: lot_number }: StockLot) {
  return { expires_on, lot_number }
}
