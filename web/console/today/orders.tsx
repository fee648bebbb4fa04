import type { Today } from '../../api/staff-calls.ts'
import { moment, number, plural, untilDeadline } from '../../words/format.ts'
import { Deadline } from '../parts/deadline.tsx'
import { listOf, pathOf, paths } from '../paths.ts'
import { Came, Section, Thing } from './section.tsx'

export function Shipments({ shipments }: { readonly shipments: Today['shipments'] }) {
  return (
    <Section
      title="Отгрузки собирают"
      href={listOf(paths.shipments, { status: 'ASSEMBLING' })}
      {...shipments}
      keyOf={({ shipment_id: id }) => id}
      item={(shipment) => (
        <>
          <Thing
            href={pathOf('shipment', shipment.shipment_id)}
            title={`${shipment.marketplace} ${shipment.external_id}`}
          >
            {shipment.client_name} · собрано {number(shipment.packed_count)} из{' '}
            {number(shipment.orders_count)}
            {shipment.claimed_by && ` · собирает ${shipment.claimed_by}`}
          </Thing>
          <Deadline at={shipment.deadline} />
        </>
      )}
    />
  )
}

export function Uncovered({ uncovered }: { readonly uncovered: Today['uncovered'] }) {
  return (
    <Section
      title="Заказам не хватает товара"
      {...uncovered}
      keyOf={({ client_id: client, barcode, name, deadline }) =>
        `${client} ${barcode ?? name ?? deadline}`
      }
      item={(goods) => (
        <>
          <Thing
            href={goods.barcode && stockHref(goods.client_id, goods.barcode)}
            title={goods.name ?? goods.barcode ?? 'Товар без штрихкода'}
          >
            {goods.client_name} · {plural(goods.orders_count, 'заказ', 'заказа', 'заказов')}
            {goods.deadline && ` · ${untilDeadline(goods.deadline)}`}
          </Thing>
          <strong class="problem">не хватает {number(goods.missing)}</strong>
        </>
      )}
    />
  )
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
          <a class="button" href={`${stockHref(client, barcode)}&form=resolve&of=${barcode}`}>
            Решить
          </a>
        </>
      )}
    />
  )
}

export function Returns({ returns }: { readonly returns: Today['returns'] }) {
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
              {place.client_name} · {place.place_address ?? place.marketplace}
              {place.disposal_at && ` · утилизируют ${moment(place.disposal_at)}`}
            </Thing>
            <strong>{number(place.units)} шт.</strong>
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
              {batch.client_name} · начат {moment(batch.created_at)}
            </Thing>
            <Came qty={batch.came_qty} expected={batch.expected_qty} />
          </>
        )}
      />
    </>
  )
}

function stockHref(client: string, barcode: string): string {
  return listOf(paths.stock, { client_id: client, barcode })
}
