import type { SharedWork, Work } from '../../platform/db/work.ts'
import type { Lot } from '../../platform/kernel/codes/lot.ts'
import { holdLots, type LotGoods } from './lots.ts'

/**
 * Lots in stocktaking: a scan of a count may say which lot it sees. When the count is closed, the lots at the counted
 * places become what was seen there. The decisions on its lines have already settled how many units lie there.
 */

interface CountedScan extends LotGoods {
  readonly countId: string
  readonly scanId: string
  readonly lot?: Lot | undefined
}

/** Keeps the lots that scans of counts name, until their count ends. Goods without lots are passed over. */
export async function noteCountedLots(
  { tx }: SharedWork,
  scans: readonly CountedScan[],
): Promise<void> {
  const rows = scans.flatMap(({ lot, ...scan }) =>
    lot === undefined
      ? []
      : [
          {
            client_id: scan.clientId,
            count_id: scan.countId,
            scan_id: scan.scanId,
            barcode: scan.barcode,
            expires_on: lot.expiresOn,
            number: lot.number,
          },
        ],
  )
  if (rows.length === 0) return
  await tx`
    insert into scan_lots (client_id, kind, object_id, scan_id, barcode, expires_on, number)
    select s.client_id, 'count', s.count_id, s.scan_id, s.barcode, s.expires_on, s.number
    from jsonb_to_recordset(${tx.json(rows)}) as s (client_id uuid, count_id uuid, scan_id text, barcode text,
      expires_on date, number text)
    join lot_goods g on g.client_id = s.client_id and g.barcode = s.barcode`
}

export interface CountedLot {
  readonly barcode: string
  readonly place: string
  readonly placeId: string
  readonly expiresOn: string
  readonly number: string
  readonly units: number
}

/**
 * Gives units at each place the lots that were seen there. Lots with fewer units than were seen take from those with
 * more, first from unknown ones; the place keeps its number of units.
 */
export async function applyCountedLots(
  work: Work,
  clientId: string,
  counted: readonly CountedLot[],
): Promise<void> {
  if (counted.length === 0) return
  const { tx } = work
  const barcodes = [...new Set(counted.map(({ barcode }) => barcode))]
  await holdLots(
    work,
    barcodes.map((barcode) => ({ clientId, barcode })),
  )
  // The decisions of this transaction have moved units: lots follow before they are compared.
  await tx`select settle_lots(${clientId}, barcode) from unnest(${barcodes}::text[]) as b (barcode)`
  const stored = await tx<CountedLot[]>`
    select barcode, place, place_id as "placeId", expires_on::text as "expiresOn", number, quantity as units
    from stock_lots where client_id = ${clientId} and barcode = any(${barcodes}) and place <> 'picked'
    order by barcode, place, place_id, expires_on, number`
  const seen = Map.groupBy(counted, placeKey)
  for (const [key, lots] of seen) {
    const moves = movesAt(
      lots,
      stored.filter((part) => placeKey(part) === key),
    )
    for (const { lot, units } of moves) {
      await tx`
        select change_lot(${clientId}, ${lot.barcode}, ${lot.place}, ${lot.placeId}::uuid, ${lot.expiresOn}::date,
          ${lot.number}, ${units}::bigint)`
    }
  }
}

const placeKey = ({ barcode, place, placeId }: CountedLot) => `${barcode} ${place} ${placeId}`
const lotKey = ({ expiresOn, number }: CountedLot) => `${expiresOn} ${number}`

interface LotMove {
  readonly lot: CountedLot
  readonly units: number
}

/** What becomes less and what more at one place; as many units in all. */
function movesAt(seen: readonly CountedLot[], there: readonly CountedLot[]): LotMove[] {
  const wanted = new Map(seen.map((lot) => [lotKey(lot), lot.units]))
  const held = new Map(there.map((lot) => [lotKey(lot), lot.units]))
  const spare = there
    .map((lot) => ({ lot, units: lot.units - (wanted.get(lotKey(lot)) ?? 0) }))
    .filter(({ units }) => units > 0)
  const lacking = seen
    .map((lot) => ({ lot, units: lot.units - (held.get(lotKey(lot)) ?? 0) }))
    .filter(({ units }) => units > 0)
  let room = Math.min(sumOf(spare), sumOf(lacking))
  let left = room
  const taken = spare.map(({ lot, units }) => {
    const moved = Math.min(units, room)
    room -= moved
    return { lot, units: -moved }
  })
  const given = lacking.map(({ lot, units }) => {
    const moved = Math.min(units, left)
    left -= moved
    return { lot, units: moved }
  })
  return [...taken, ...given].filter(({ units }) => units !== 0)
}

function sumOf(moves: readonly LotMove[]): number {
  return moves.reduce((sum, { units }) => sum + units, 0)
}
