import type { Today } from '../../api/staff-calls.ts'
import { Deadline } from '../../ui/deadline.tsx'
import { moment, number, plural, untilDeadline } from '../../words/format.ts'
import { listOf, pathOf, paths } from '../paths.ts'
import { CloseShipment } from '../shipments/close-shipment.tsx'
import { ButtonLink, came, type Item, Section, Thing } from './section.tsx'
import { soonMs } from './worst-first.ts'

export function ToPick({ toPick }: { readonly toPick: Today['to_pick'] }) {
  return (
    <Section
      title="Ждут сборки"
      href={listOf(paths.orders, { stage: 'to_pick' })}
      {...toPick}
      keyOf={({ cabinet_id: id }) => id}
      item={(cabinet) => (
        <>
          <Thing
            href={listOf(paths.orders, {
              cabinet_id: cabinet.cabinet_id,
              stage: 'to_pick',
            })}
            title={`${cabinet.marketplace} ${cabinet.cabinet_name}`}
          >
            <Deadline at={cabinet.deadline} /> · {cabinet.client_name} ·{' '}
            {plural(cabinet.orders_count, 'заказ', 'заказа', 'заказов')}, {number(cabinet.units)}{' '}
            шт.
          </Thing>
          <ButtonLink
            href={listOf(paths.shipments, { form: 'day', cabinet_id: cabinet.cabinet_id })}
            label="Собрать отгрузку"
            of={`${cabinet.marketplace} ${cabinet.cabinet_name}, ${cabinet.client_name}`}
          />
        </>
      )}
    />
  )
}

/** Those with time left: what is nearly due stands among what burns. */
export function Shipments({ shipments, reload }: ShipmentsProps) {
  const items = shipments.items.filter((shipment) => !isNearlyDue(shipment))
  return (
    <Section
      title="Отгрузки собирают"
      href={listOf(paths.shipments, { status: 'ASSEMBLING', sort: 'deadline' })}
      total={items.length === 0 ? 0 : shipments.total}
      items={items}
      keyOf={({ shipment_id: id }) => id}
      item={(shipment) => <ShipmentCard shipment={shipment} reload={reload} />}
    />
  )
}

interface ShipmentsProps {
  readonly shipments: Today['shipments']
  readonly reload: () => void
}

export function isNearlyDue({ minutes_left: left }: Item<Today['shipments']>): boolean {
  return left !== null && left * 60_000 < soonMs
}

export function ShipmentCard({ shipment, reload }: NextStepProps) {
  return (
    <>
      <Thing
        href={pathOf('shipment', shipment.shipment_id)}
        title={`${shipment.marketplace} ${shipment.external_id}`}
      >
        <Deadline at={shipment.deadline} /> · {shipment.client_name} · собрано{' '}
        {number(shipment.packed_count)} из {number(shipment.orders_count)}
        {shipment.claimed_by && ` · собирает ${shipment.claimed_by}`}
      </Thing>
      <NextStep shipment={shipment} reload={reload} />
    </>
  )
}

interface NextStepProps {
  readonly shipment: Today['shipments']['items'][number]
  readonly reload: () => void
}

/** What brings the shipment further: its orders, the picking of them, or its closing. */
function NextStep({ shipment, reload }: NextStepProps) {
  const { shipment_id: id, external_id: name, picking_task_id: task } = shipment
  const { orders_count: orders, packed_count: packed } = shipment
  // Made in the marketplace's cabinet, and closed there.
  if (task === null) return <ButtonLink href={pathOf('shipment', id)} label="Открыть" of={name} />
  if (orders === 0) {
    const href = `${pathOf('shipment', id)}?form=fill`
    return <ButtonLink href={href} label="Добавить заказы" of={name} />
  }
  if (packed < orders)
    return <ButtonLink href={pathOf('pickingTask', task)} label="Сборка" of={name} />
  return <CloseShipment id={id} name={name} orders={orders} task={task} done={reload} />
}

export function UncoveredCard({ goods }: { readonly goods: Item<Today['uncovered']> }) {
  return (
    <>
      <Thing
        href={goods.barcode && stockHref(goods.client_id, goods.barcode)}
        title={goods.name ?? goods.barcode ?? 'Товар без штрихкода'}
      >
        <strong class="problem">не хватает {number(goods.missing)}</strong> · {goods.reason}
        {goods.deadline && ` · ${untilDeadline(goods.deadline)}`} · {goods.client_name}
      </Thing>
      <ButtonLink
        href={lackingOrders(goods)}
        label={plural(goods.orders_count, 'заказ', 'заказа', 'заказов')}
        of={goods.name ?? goods.barcode ?? ''}
      />
    </>
  )
}

/** The orders that are counted, and no others. */
function lackingOrders({ client_id, barcode }: Today['uncovered']['items'][number]): string {
  const goods = barcode === undefined ? { lacking: 'unknown_barcode' } : { lacking: 'any', barcode }
  return listOf(paths.orders, { client_id, ...goods })
}

export function InQuestion({ question }: { readonly question: Today['in_question'] }) {
  return (
    <Section
      title="Товары под вопросом"
      {...question}
      keyOf={({ client_id: client, barcode }) => `${client} ${barcode}`}
      item={({ client_id: client, client_name: owner, barcode, name, units, since }) => (
        <>
          <Thing href={stockHref(client, barcode)} title={name}>
            {owner} · {number(units)} шт. · самая давняя {moment(since)}
          </Thing>
          <ButtonLink
            href={`${stockHref(client, barcode)}&form=resolve&of=${barcode}`}
            label="Решить"
            of={name}
          />
        </>
      )}
    />
  )
}

interface ReturnsProps {
  readonly returns: Today['returns']
  readonly manages: boolean
}

export function Returns({ returns, manages }: ReturnsProps) {
  return (
    <>
      <Section
        title="Возвраты можно забрать"
        href={listOf(paths.expectedReturns, { state: 'READY' })}
        total={returns.ready}
        items={returns.items}
        keyOf={({ client_id: client, place_name: place, marketplace }) =>
          `${client} ${marketplace} ${place}`
        }
        item={(place) => (
          <>
            <Thing title={place.place_name ?? place.marketplace}>
              <strong>{number(place.units)} шт.</strong> · {place.client_name} ·{' '}
              {place.place_address ?? place.marketplace}
              {place.disposal_at && ` · утилизируют ${moment(place.disposal_at)}`}
            </Thing>
            {manages && (
              <ButtonLink
                href={listOf(paths.returns, { form: 'new', client_id: place.client_id })}
                label="Начать приём"
                of={place.client_name}
              />
            )}
          </>
        )}
      />
      <Section
        title="Возвраты принимают"
        href={listOf(paths.returns, { status: 'OPEN' })}
        total={returns.open_batches}
        items={returns.batches}
        keyOf={({ return_id: id }) => id}
        item={(batch) => (
          <>
            <Thing href={pathOf('return', batch.return_id)} title={batch.number}>
              {batch.client_name} · {came(batch.came_qty, batch.expected_qty)} · начат{' '}
              {moment(batch.created_at)}
            </Thing>
            <ButtonLink
              href={pathOf('return', batch.return_id)}
              label="Открыть"
              of={batch.number}
            />
          </>
        )}
      />
    </>
  )
}

function stockHref(client: string, barcode: string): string {
  return listOf(paths.stock, { client_id: client, barcode })
}
