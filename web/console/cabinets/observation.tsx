import type { CabinetObservation, StaffCabinet } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { number } from '../../words/format.ts'
import { ExportLinks } from '../parts/export-links.tsx'
import { Goods } from '../parts/goods.tsx'

type Difference = CabinetObservation['stock']['items'][number]

const columnsOf = (client: string): readonly Column<Difference>[] => [
  { title: 'Товар', cell: (goods) => <Goods client={client} goods={goods} /> },
  { title: 'На маркетплейсе', cell: (row) => number(row.marketplace_units), end: true },
  { title: 'Свободно здесь', cell: (row) => number(row.available), end: true },
  { title: 'Ждут заказы', cell: (row) => number(row.needed), end: true },
]

/** What the cabinet would do if it worked, beside what lies in the warehouse. */
export function Observation({ cabinet }: { readonly cabinet: StaffCabinet }) {
  const { data, error, reload } = useAnswer(`observation ${cabinet.id}`, (signal) =>
    staff('GET /cabinets/{id}/observation', { path: { id: cabinet.id }, signal }),
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  const { orders, shipments, stock } = data
  if (data.observed_since === null && data.observed_until === null) {
    return (
      <p class="empty">
        Этот кабинет не наблюдали. Чтобы проверить новый кабинет без последствий, выберите в
        настройках «Только наблюдают».
      </p>
    )
  }
  return (
    <div class="stack">
      <section class="panel">
        <dl class="facts">
          <dt>Наблюдают с</dt>
          <dd>
            <Moment at={data.observed_since} none="уже не наблюдают" />
          </dd>
          <dt>Заказов</dt>
          <dd>
            {number(orders.total)}, в них единиц {number(orders.units)}; товар неизвестен в{' '}
            {number(orders.without_barcode)}
          </dd>
          <dt>Отгрузок</dt>
          <dd>
            открыто {number(shipments.open)}, закрыто {number(shipments.closed)}, единиц{' '}
            {number(shipments.units)}
          </dd>
          <dt>Остатки</dt>
          <dd>
            расходятся по {number(stock.differing)} из {number(stock.barcodes)}; заказам не хватает{' '}
            {number(stock.missing_units)}
          </dd>
        </dl>
      </section>
      {stock.items.length > 0 && (
        <Table
          name="Где остатки расходятся"
          rows={stock.items}
          columns={columnsOf(cabinet.client_id)}
          keyOf={(row) => row.barcode}
          files={<ExportLinks list="observation" filter={{ cabinet_id: cabinet.id }} />}
        />
      )}
    </div>
  )
}
