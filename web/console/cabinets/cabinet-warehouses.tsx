import type { CabinetWarehouses as Answer, StaffCabinet } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { plural } from '../../words/format.ts'
import { Check, Form } from '../parts/form.tsx'
import { showToast } from '../parts/toast.tsx'

interface CabinetWarehousesProps {
  readonly cabinet: StaffCabinet
  readonly onSaved: () => void
}

/** Which of the seller's warehouses at the marketplace are ours. */
export function CabinetWarehouses(props: CabinetWarehousesProps) {
  if (props.cabinet.has_credentials) return <WarehouseForm {...props} />
  return <p class="empty">Склады станут видны, когда у кабинета будут ключи маркетплейса.</p>
}

function WarehouseForm({ cabinet, onSaved }: CabinetWarehousesProps) {
  const path = { id: cabinet.id }
  const { data, error, reload } = useAnswer(`warehouses of ${cabinet.id}`, (signal) =>
    staff('GET /cabinets/{id}/warehouses', { path, signal }),
  )
  if (data === undefined) return <Failure error={error} retry={reload} />
  if (data.items.length === 0) {
    return <p class="empty">Маркетплейс ещё не назвал складов: дождитесь первой синхронизации.</p>
  }
  return (
    <section class="panel narrow">
      <Form
        title="Заказы каких складов собирают здесь"
        submit="Сохранить выбор"
        act={async (values) => {
          const warehouses = values.all('warehouses')
          await staff('PATCH /cabinets/{id}', { path, body: { warehouses } })
          showToast('Выбор сохранён')
          reload()
          onSaved()
        }}
      >
        {data.items.map((warehouse) => (
          <Check
            key={warehouse.id}
            name="warehouses"
            value={warehouse.id}
            label={warehouse.name ?? `Склад ${warehouse.id}`}
            hint={aboutWarehouse(warehouse)}
            checked={warehouse.ours}
          />
        ))}
        {data.left_out_elsewhere > 0 && (
          <p class="quiet small">
            Без склада осталось: {plural(data.left_out_elsewhere, 'заказ', 'заказа', 'заказов')} за
            14 дней.
          </p>
        )}
      </Form>
    </section>
  )
}

/** What the marketplaces say of a warehouse. */
const statusWords: Readonly<Record<string, string>> = {
  isDeleting: 'удаляется',
  isProcessing: 'настройки обновляются',
  new: 'новый',
  created: 'работает',
  disabled: 'отключён',
  blocked: 'заблокирован',
  disabled_due_to_limit: 'отключён: исчерпан лимит',
  error: 'с ошибкой',
}

function aboutWarehouse({ id, status, scheme, listed, left_out }: Answer['items'][number]): string {
  const facts = [
    `№ ${id}`,
    scheme?.toUpperCase(),
    status && (statusWords[status] ?? status),
    listed ? '' : 'маркетплейс его больше не называет',
  ]
  if (left_out > 0)
    facts.push(`не принято ${plural(left_out, 'заказ', 'заказа', 'заказов')} за 14 дней`)
  return facts.filter(Boolean).join(' · ')
}
