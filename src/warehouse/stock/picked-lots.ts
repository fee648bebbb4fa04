import type { SharedWork } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { holdLots, isExpired, noPlace, type StoredLot, settleLots, unknownDate } from './lots.ts'

/**
 * Which lot a picked unit is of. A place gives the lot that expires first of those that have not expired. Units of unknown
 * date came before dates were kept and go before all others. Picked units lie at the place «picked» until their order
 * leaves.
 */

interface LotAtPlace extends StoredLot {
  readonly barcode: string
  readonly place: string
  readonly placeId: string
  units: number
}

export interface PickPlaceOfLot {
  readonly boxId?: string | undefined
  readonly locationId?: string | undefined
}

/** The lot of one unit, and where it is taken from. */
export interface LotOfPick extends StoredLot {
  readonly barcode: string
  readonly place: string
  readonly placeId: string
  /** A date before it that lies elsewhere. */
  readonly earlier: string | undefined
}

export interface LotSupply {
  /**
   * The lot of the next unit: that of the date which the picker read, if the place has one. Undefined for goods without lots.
   * Throws conflict where everything there has expired.
   */
  readonly first: (
    barcode: string,
    from: PickPlaceOfLot,
    read: string | null | undefined,
  ) => LotOfPick | undefined
  /** The unit is taken: others are given the next ones. */
  readonly take: (lot: LotOfPick | undefined) => void
}

/** Holds the lots of goods until the transaction ends, and gives them unit by unit. */
export async function supplyLots(
  work: SharedWork,
  clientId: string,
  barcodes: readonly string[],
): Promise<LotSupply> {
  const goods = await work.tx<{ barcode: string }[]>`
    select barcode from lot_goods where client_id = ${clientId} and barcode = any(${[...barcodes]})`
  if (goods.length === 0) return { first: () => undefined, take: () => {} }
  await settleLots(work)
  await holdLots(
    work,
    goods.map(({ barcode }) => ({ clientId, barcode })),
  )
  const lots = await work.tx<LotAtPlace[]>`
    select barcode, place, place_id as "placeId", quantity as units, number,
      case when expires_on > ${unknownDate} then to_char(expires_on, 'YYYY-MM-DD') end as "expiresOn"
    from stock_lots
    where client_id = ${clientId} and place <> 'picked' and barcode = any(${goods.map(({ barcode }) => barcode)})
    order by expires_on, number, place, place_id`
  const ofGoods = Map.groupBy(lots, ({ barcode }) => barcode)
  return {
    take: (lot) => {
      const left = lots.find(
        (each) =>
          each.barcode === lot?.barcode &&
          each.placeId === lot.placeId &&
          each.place === lot.place &&
          each.expiresOn === lot.expiresOn &&
          each.number === lot.number,
      )
      if (left !== undefined) left.units -= 1
    },
    first: (barcode, from, read) => {
      const lot = chosenLot(ofGoods.get(barcode) ?? [], from, read, work)
      if (lot === undefined) return undefined
      const { place, placeId, expiresOn, number } = lot
      const first = ofGoods
        .get(barcode)
        ?.find((each) => each.units > 0 && each.expiresOn !== null && !isExpired(work, each))
      const earlier =
        first?.expiresOn && expiresOn && first.expiresOn < expiresOn ? first.expiresOn : undefined
      return { barcode, place, placeId, expiresOn, number, earlier }
    },
  }
}

function chosenLot(
  lots: readonly LotAtPlace[],
  from: PickPlaceOfLot,
  read: string | null | undefined,
  work: Pick<SharedWork, 'now'>,
): LotAtPlace | undefined {
  const filled = lots.filter(({ units }) => units > 0)
  const named = from.boxId ?? from.locationId
  const here = filled.filter(({ place, placeId }) =>
    named === undefined ? place === 'loose' : placeId === named,
  )
  const good = here.filter((lot) => !isExpired(work, lot))
  // A unit that was taken without naming its place comes from any of them.
  const others = named === undefined ? filled.filter((lot) => !isExpired(work, lot)) : []
  const chosen = good.find(({ expiresOn }) => expiresOn === read) ?? good[0] ?? others[0]
  const [expired] = here.length > 0 ? here : filled
  if (chosen === undefined && expired?.expiresOn) throw expiredGoods(expired.barcode, named)
  return chosen
}

function expiredGoods(barcode: string, place: string | undefined): Error {
  return conflict(
    place === undefined
      ? `Товар ${barcode}: срок годности всего остатка истёк. Отложите единицу и сообщите менеджеру`
      : `Товар ${barcode}: на этом месте срок годности истёк. Верните единицу и возьмите с другого места`,
  )
}

export interface PickedLot {
  readonly taskId: string
  readonly scanId: string
  readonly orderId: string
  readonly barcode: string
  readonly lot: LotOfPick | undefined
}

/** Records the lots of picked units: they lie at the place «picked» now. The caller holds them. */
export async function takeLots(
  { tx }: SharedWork,
  clientId: string,
  picked: readonly PickedLot[],
): Promise<void> {
  const rows = picked.flatMap(({ lot, ...pick }) =>
    lot === undefined
      ? []
      : [
          {
            task_id: pick.taskId,
            scan_id: pick.scanId,
            order_id: pick.orderId,
            barcode: pick.barcode,
            place: lot.place,
            place_id: lot.placeId,
            expires_on: lot.expiresOn ?? unknownDate,
            number: lot.number,
          },
        ],
  )
  if (rows.length === 0) return
  await tx`
    with units as materialized (
      select * from jsonb_to_recordset(${tx.json(rows)}) as u (task_id uuid, scan_id text, order_id uuid, barcode text,
        place text, place_id uuid, expires_on date, number text)
    ), noted as (
      insert into scan_lots (client_id, kind, object_id, scan_id, barcode, order_id, expires_on, number)
      select ${clientId}, 'pick', task_id, scan_id, barcode, order_id, expires_on, number from units
    )
    select change_lot(${clientId}, barcode, place, place_id, expires_on, number, -1),
      change_lot(${clientId}, barcode, 'picked', ${noPlace}::uuid, expires_on, number, 1)
    from units`
}
