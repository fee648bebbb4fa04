import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, invalidField, notFound } from '../../platform/kernel/errors.ts'
import { linesOf, missingUnits } from '../orders/lines.ts'
import { correctStock, putInQuestion } from '../stock/adjustments.ts'
import { freeUnits } from '../stock/balances.ts'
import { takeFromPlaces } from '../stock/located-units.ts'
import { placesNamed, unitsAtPlace } from '../storage/place-contents.ts'
import { lockOrdersOfTask, type ShipmentGuard } from './lock.ts'
import { endMiss } from './miss-endings.ts'

/**
 * What a manager decides about a miss. Each decision is written once: whoever comes later gets a conflict. These two
 * leave the order in its task; those of shipments/missed-orders.ts take it out.
 */

export interface OpenMiss {
  readonly id: string
  readonly taskId: string
  readonly shipmentId: string
  readonly orderId: string
  readonly barcode: string
  /** Units that were reported. */
  readonly units: number
  readonly locationId: string | null
  readonly boxId: string | null
}

/** A miss that waits, unlocked. Throws not_found for an unknown one, and conflict for one that does not wait any more. */
export async function findOpenMiss(db: Queryable, clientId: string, id: string): Promise<OpenMiss> {
  const [row] = await db<(OpenMiss & { isOpen: boolean | null })[]>`
    select m.id, m.task_id as "taskId", t.shipment_id as "shipmentId", m.order_id as "orderId", m.barcode,
      m.units, m.location_id as "locationId", m.box_id as "boxId",
      m.outcome is null and o.status <> 'CANCELLED' and o.shipment_id = t.shipment_id as "isOpen"
    from pick_misses m
    join orders o on o.client_id = m.client_id and o.id = m.order_id
    left join picking_tasks t on t.client_id = m.client_id and t.id = m.task_id
    where m.client_id = ${clientId} and m.id = ${id}`
  if (row === undefined) throw notFound('Такой ненайденный товар не записан')
  const { isOpen, ...miss } = row
  if (isOpen !== true) throw alreadyEnded()
  return miss
}

function alreadyEnded() {
  return conflict('Решение уже принято или не нужно: обновите страницу')
}

/** Locks the task together with pickers, the order and, by it, the miss. Throws as findOpenMiss. */
async function lockMiss(
  work: Work,
  clientId: string,
  id: string,
  guard: ShipmentGuard | undefined,
): Promise<OpenMiss> {
  const { taskId, orderId } = await findOpenMiss(work.tx, clientId, id)
  await lockOrdersOfTask(work, clientId, { taskId, verb: 'decide', orderIds: [orderId], guard })
  return findOpenMiss(work.tx, clientId, id)
}

export interface OtherPlace {
  readonly locationId?: string | undefined
  readonly boxId?: string | undefined
  /** In words, where no place has a code. */
  readonly comment?: string | undefined
}

/** The picker shall look in another place, which leads the walk. Throws conflict where the goods do not lie there. */
export async function lookElsewhere(
  work: Work,
  clientId: string,
  id: string,
  place: OtherPlace,
  guard?: ShipmentGuard,
): Promise<void> {
  const { locationId, boxId, comment } = place
  if (locationId === undefined && boxId === undefined && comment === undefined) {
    throw invalidField('location_id', 'укажите место или короб, а если их нет — словами в comment')
  }
  const miss = await lockMiss(work, clientId, id, guard)
  if (locationId !== undefined && locationId === miss.locationId) throw soughtThere('location_id')
  if (boxId !== undefined && boxId === miss.boxId) throw soughtThere('box_id')
  const [there] = placesNamed(boxId, locationId)
  if (there !== undefined && (await unitsAtPlace(work.tx, clientId, there, miss.barcode)) === 0) {
    throw conflict(`Товара ${miss.barcode} там нет: выберите другое место`)
  }
  await decide(work, clientId, id, { outcome: 'look_elsewhere', ...place })
}

function soughtThere(field: string) {
  return invalidField(field, 'здесь товар уже искали: укажите другое место')
}

export interface StockEntry {
  /** A code of the curated list of reasons, kind correction. */
  readonly reason: string
  readonly comment?: string | undefined
}

/**
 * The missing units are not in the warehouse: they leave the stock, and the place where they were looked for. The order
 * is collected from others. Throws conflict where no others are free.
 */
export async function correctMissedStock(
  work: Work,
  clientId: string,
  id: string,
  entry: StockEntry,
  guard?: ShipmentGuard,
): Promise<void> {
  const miss = await lockMiss(work, clientId, id, guard)
  const units = await stillMissing(work, clientId, miss)
  const free = (await freeUnits(work, clientId, [miss.barcode])).get(miss.barcode) ?? 0
  if (free < units) {
    throw conflict(
      `Свободно только ${Math.max(free, 0)} шт. товара ${miss.barcode}, заказ собрать не из чего: уберите его из отгрузки`,
    )
  }
  await decide(work, clientId, id, { outcome: 'correct_stock', comment: entry.comment })
  await takeMissingUnits(work, clientId, { ...miss, units }, entry)
}

/** Units of a miss that the order lacks still; the caller has locked the order. */
export async function stillMissing(work: Work, clientId: string, miss: OpenMiss): Promise<number> {
  const lacking = missingUnits(await linesOf(work, clientId, [miss.orderId]))
  const goods = lacking.find(({ barcode }) => barcode === miss.barcode)
  return Math.min(miss.units, goods?.units ?? 0)
}

/** Writes a decision on a miss whose order the caller has locked. Throws conflict where it has ended before. */
export async function decide(
  work: Work,
  clientId: string,
  id: string,
  end: Parameters<typeof endMiss>[3],
): Promise<void> {
  if (!(await endMiss(work, clientId, id, end))) throw alreadyEnded()
}

type MissingGoods = Pick<OpenMiss, 'barcode' | 'units' | 'locationId' | 'boxId'>

/** Missing units, which are free, leave the stock and their place. */
export async function takeMissingUnits(
  work: Work,
  clientId: string,
  missing: MissingGoods,
  entry: StockEntry,
): Promise<void> {
  await takeOffPlace(work, clientId, missing)
  await correctStock(work, clientId, entryOf(missing, entry, { delta: -missing.units }))
}

/** Missing units, which are free, leave their place and are in question from now on, so that the seller sees them. */
export async function questionMissingUnits(
  work: Work,
  clientId: string,
  missing: MissingGoods,
  entry: StockEntry,
): Promise<void> {
  await takeOffPlace(work, clientId, missing)
  await putInQuestion(work, clientId, entryOf(missing, entry, { units: missing.units }))
}

function entryOf<Amount>({ barcode }: MissingGoods, entry: StockEntry, amount: Amount) {
  const { reason, comment } = entry
  return { barcode, reason, ...amount, ...(comment === undefined ? {} : { comment }) }
}

async function takeOffPlace(work: Work, clientId: string, missing: MissingGoods): Promise<void> {
  const { barcode, locationId, boxId } = missing
  await freeUnits(work, clientId, [barcode])
  const [place] = placesNamed(boxId, locationId)
  if (place === undefined) return
  const there = await unitsAtPlace(work.tx, clientId, place, barcode)
  const units = Math.min(missing.units, there)
  if (units > 0) await takeFromPlaces(work, clientId, [{ ...place, barcode, units }])
}
