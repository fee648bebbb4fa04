import type { Queryable } from '../../platform/db/connection.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import type { Lot } from '../../platform/kernel/codes/lot.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { moscowDate } from '../../platform/kernel/moscow-time.ts'
import type { Merging } from '../catalogue/merged-products.ts'
import { lockBalances, unknownProduct } from './balances.ts'

/**
 * Lots: units of goods by expiry date and number, as a division of the balance by place. A client's product has lots
 * once somebody has switched them on (`lot_goods`).
 *
 * - The database keeps the division equal to the balance, boxes and locations: triggers of the ledger and of places hold
 *   the lots of changed goods, and the end of the transaction settles them. So a verb that knows nothing of lots moves
 *   them all the same: expired and unknown ones first, then first expired first out (migration 0051, decision 0086).
 * - A verb that knows the lot says so here in the same transaction. What it says is exact where it fits the places.
 * - Who changes lots holds the balance of the goods first, in barcode order.
 */

/** Null for the lot «unknown»: stock from before dates were kept. */
export interface StoredLot {
  readonly expiresOn: string | null
  readonly number: string
}

export interface LotGoods {
  readonly clientId: string
  readonly barcode: string
}

/** The date of the lot «unknown» in the database: it stands before all others. */
export const unknownDate = '-infinity'

/** In the database the id of the place of loose or picked units. */
export const noPlace = '00000000-0000-0000-0000-000000000000'

export const warnDaysDefault = 30
export const warnDaysMax = 3650

/** How lots of goods are kept; undefined where they are not. */
export async function lotSetting(
  { tx }: { readonly tx: Queryable },
  { clientId, barcode }: LotGoods,
): Promise<{ readonly warn_days: number } | undefined> {
  const [row] = await tx<{ warn_days: number }[]>`
    select warn_days from lot_goods where client_id = ${clientId} and barcode = ${barcode}`
  return row
}

/** The goods of a client whose lots are kept, of these or of all. */
export async function listDatedGoods(
  db: Queryable,
  clientId: string,
  barcodes: readonly string[],
): Promise<{ barcode: string; name: string }[]> {
  return db`
    select g.barcode, p.name from lot_goods g join products p using (client_id, barcode)
    where g.client_id = ${clientId} and (${barcodes.length === 0} or g.barcode = any(${[...barcodes]}))
    order by g.barcode limit 5000`
}

/**
 * Keeps lots of the goods from now on: what is there becomes the lot «unknown». Or changes how many days before its
 * date a lot expires soon. Without `warnDays` the lots are forgotten and kept no longer. Returns false where nothing
 * changed.
 */
export async function keepLots(
  work: Work,
  { clientId, barcode }: LotGoods,
  warnDays: number | undefined,
): Promise<boolean> {
  const { tx } = work
  if (!(await lockBalances(work, clientId, [barcode])).has(barcode)) throw unknownProduct(barcode)
  const changed =
    warnDays === undefined
      ? await tx`delete from lot_goods where client_id = ${clientId} and barcode = ${barcode} returning barcode`
      : await tx`
          insert into lot_goods as g (client_id, barcode, warn_days) values (${clientId}, ${barcode}, ${warnDays})
          on conflict (client_id, barcode) do update set warn_days = excluded.warn_days
            where g.warn_days <> excluded.warn_days
          returning barcode`
  return changed.length > 0
}

/** Units of a scan of a receipt, whose lot the worker or the code named. */
export interface ReceivedLot extends LotGoods {
  readonly receiptId: string
  readonly scanId: string
  readonly units: number
  readonly boxId: string | undefined
  readonly lot: Lot
}

/** The units of these scans, which have just entered, are of these lots. Goods without lots are passed over. */
export async function enterLots(work: SharedWork, received: readonly ReceivedLot[]): Promise<void> {
  if (received.length === 0) return
  const { tx } = work
  const rows = received.map(({ lot, ...scan }) => ({
    client_id: scan.clientId,
    barcode: scan.barcode,
    receipt_id: scan.receiptId,
    scan_id: scan.scanId,
    units: scan.units,
    box_id: scan.boxId ?? null,
    expires_on: lot.expiresOn,
    number: lot.number,
  }))
  await holdLots(work, received)
  await tx`
    with scans as materialized (
      select s.* from jsonb_to_recordset(${tx.json(rows)}) as s (client_id uuid, barcode text, receipt_id uuid,
        scan_id text, units bigint, box_id uuid, expires_on date, number text)
      join lot_goods g on g.client_id = s.client_id and g.barcode = s.barcode
    ), noted as (
      insert into scan_lots (client_id, kind, object_id, scan_id, barcode, expires_on, number)
      select client_id, 'receipt', receipt_id, scan_id, barcode, expires_on, number from scans
    )
    select change_lot(client_id, barcode, case when box_id is null then 'loose' else 'box' end,
      coalesce(box_id, ${noPlace}::uuid), expires_on, number, units)
    from scans`
}

/** A scan of a receipt is undone: its units leave with their lot. */
export async function leaveLot(work: SharedWork, scan: Omit<ReceivedLot, 'lot'>): Promise<void> {
  const { tx } = work
  await holdLots(work, [scan])
  await tx`
    with left_lot as (
      delete from scan_lots where client_id = ${scan.clientId} and kind = 'receipt'
        and object_id = ${scan.receiptId} and scan_id = ${scan.scanId}
      returning client_id, barcode, expires_on, number
    )
    select change_lot(client_id, barcode, ${scan.boxId === undefined ? 'loose' : 'box'},
      ${scan.boxId ?? noPlace}::uuid, expires_on, number, ${-scan.units}::bigint)
    from left_lot`
}

/** Holds the lots of goods until the transaction ends, and settles them then. */
export async function holdLots({ tx }: SharedWork, goods: readonly LotGoods[]): Promise<void> {
  const [clients, barcodes] = [
    goods.map((each) => each.clientId),
    goods.map((each) => each.barcode),
  ]
  await tx`select hold_lots(${clients}::uuid[], ${barcodes}::text[])`
}

/** Settles the lots that earlier verbs of this transaction hold, before the next one asks where they lie. */
export async function settleLots({ tx }: SharedWork): Promise<void> {
  await tx`set constraints settle_inserted, settle_changed immediate`
  await tx`set constraints settle_inserted, settle_changed deferred`
}

export interface LotChange {
  readonly entry: StoredLot
  readonly to: Lot
  readonly units: number
}

/**
 * Units turn out to be of another lot: their date was unknown or mistyped. They are taken from the places where most of
 * them lie. Throws conflict where the lot has fewer units. Units that are picked for orders stay as they are.
 */
export async function changeLot(
  work: Work,
  { clientId, barcode }: LotGoods,
  { entry, to, units }: LotChange,
): Promise<void> {
  const { tx } = work
  await holdLots(work, [{ clientId, barcode }])
  const rows = await tx<{ place: string; place_id: string; quantity: number }[]>`
    select place, place_id, quantity from stock_lots
    where client_id = ${clientId} and barcode = ${barcode} and place <> 'picked'
      and expires_on = ${entry.expiresOn ?? unknownDate} and number = ${entry.number}
    order by quantity desc, place, place_id`
  const there = rows.reduce((sum, { quantity }) => sum + quantity, 0)
  if (there < units) {
    throw conflict(
      there === 0
        ? `Таких единиц товара ${barcode} нет: обновите страницу и выберите партию заново`
        : `В этой партии товара ${barcode} только ${there} шт.: уменьшите количество`,
    )
  }
  let left = units
  for (const { place, place_id: id, quantity } of rows) {
    const moved = Math.min(left, quantity)
    if (moved === 0) break
    left -= moved
    await tx`
      select change_lot(${clientId}, ${barcode}, ${place}, ${id}::uuid,
          ${entry.expiresOn ?? unknownDate}::date, ${entry.number}, ${-moved}::bigint),
        change_lot(${clientId}, ${barcode}, ${place}, ${id}::uuid, ${to.expiresOn}::date, ${to.number}, ${moved}::bigint)`
  }
}

/** Whether a lot is expired on the day of the work: the day itself is its last good one. */
export function isExpired({ now }: Pick<SharedWork, 'now'>, { expiresOn }: StoredLot): boolean {
  return expiresOn !== null && expiresOn < moscowDate(now)
}

/**
 * Lots of a product that becomes another one. Its units stay where they lie, with their dates, as units of the product
 * that stays. That one keeps dates from then on if either of the two did, and warns by its own days if it has them.
 * Scans that can still be undone name their lot under the product that stays. The caller has moved the units in this
 * transaction and holds both balances.
 */
export async function mergeStockLots(
  work: Work,
  clientId: string,
  { from, into }: Merging,
): Promise<void> {
  const { tx } = work
  const goods = [from, into].map((barcode) => ({ clientId, barcode }))
  const inserted = await tx`
    insert into lot_goods (client_id, barcode, warn_days)
    select client_id, ${into}, warn_days from lot_goods where client_id = ${clientId} and barcode = ${from}
    on conflict (client_id, barcode) do update set warn_days = lot_goods.warn_days
    returning barcode`
  if (inserted.length === 0) return
  await holdLots(work, goods)
  await tx`
    with moved as (
      delete from stock_lots where client_id = ${clientId} and barcode = ${from}
      returning place, place_id, expires_on, number, quantity
    )
    select change_lot(${clientId}, ${into}, place, place_id, expires_on, number, quantity)
    from (select * from moved order by place, place_id, expires_on, number) m`
  await tx`
    update scan_lots set barcode = ${into} where client_id = ${clientId} and barcode = ${from}`
  await tx`
    update lot_goods k set expired_units = k.expired_units + g.expired_units
    from lot_goods g
    where k.client_id = ${clientId} and k.barcode = ${into} and g.client_id = k.client_id and g.barcode = ${from}`
  await tx`delete from lot_goods where client_id = ${clientId} and barcode = ${from}`
}
