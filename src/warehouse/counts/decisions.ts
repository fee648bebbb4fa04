import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { lockBalances } from '../stock/balances.ts'
import { type Movement, recordMovements } from '../stock/ledger.ts'
import { takeFromPlaces } from '../stock/located-units.ts'
import { refuseUnknownReason } from '../stock/reasons.ts'
import { storedUnits } from '../storage/excess.ts'
import {
  addToPlaces,
  lineKey,
  placesNamed,
  type UnitPlace,
  unitsAtPlaces,
} from '../storage/place-contents.ts'
import { advanceCount } from './lock.ts'
import { type CountOutcome, differenceOf } from './state.ts'
import { unknownCountLine } from './verbs.ts'

/**
 * What a manager decides on a line that differs. Nothing changes without a decision:
 *
 * - `correct` corrects the ledger by the difference;
 * - `in_question` puts surplus units in and missing units in question;
 * - `ignore` changes nothing.
 *
 * The first two also bring boxes and locations in line with what was counted there, as far as the ledger allows.
 */

export interface LineDecision {
  readonly outcome: CountOutcome
  /** A code of the reasons of corrections. */
  readonly reason: string
}

/** Throws not_found for goods without a line, and conflict for a line that does not differ or was decided on. */
export async function decideLine(
  work: Work,
  clientId: string,
  countId: string,
  barcode: string,
  { outcome, reason }: LineDecision,
): Promise<void> {
  const { tx, at, actor } = work
  await advanceCount(work, clientId, countId, 'decide')
  await refuseUnknownReason(work, 'correction', reason)
  const [line] = await tx<
    { counted: number; expected_min: number; expected_max: number; outcome: CountOutcome | null }[]
  >`
    select counted, expected_min, expected_max, outcome from count_lines
    where client_id = ${clientId} and count_id = ${countId} and barcode = ${barcode}`
  if (line === undefined) throw unknownCountLine(barcode)
  if (line.outcome !== null) throw conflict(`По товару ${barcode} уже решено`)
  const difference = differenceOf(line)
  if (difference === 0) throw conflict(`Товар ${barcode}: расхождения нет, решать нечего`)
  await tx`
    update count_lines
    set outcome = ${outcome}, reason = ${reason}, decided_at = ${at}, decided_by = ${actorText(actor)}
    where client_id = ${clientId} and count_id = ${countId} and barcode = ${barcode}`
  if (outcome === 'ignore') return
  await lockBalances(work, clientId, [barcode])
  const places = await placeDifferences(work, clientId, countId, barcode)
  await takeMissing(work, clientId, barcode, places)
  const comment = `Пересчёт ${countId}`
  await recordMovements(work, clientId, [
    { barcode, reason, comment, ...movementOf(outcome, difference) },
  ])
  await putSurplus(work, clientId, barcode, places)
}

function movementOf(
  outcome: 'correct' | 'in_question',
  difference: number,
): Pick<Movement, 'kind' | 'delta' | 'questionDelta'> {
  if (outcome === 'correct') return { kind: 'correction', delta: difference }
  if (difference > 0) return { kind: 'correction', delta: difference, questionDelta: difference }
  return { kind: 'question', delta: 0, questionDelta: -difference }
}

interface PlaceDifference {
  readonly place: UnitPlace
  readonly difference: number
}

/** By how much the counted units of each box and location differ from what lay there at the last scan of that place. */
async function placeDifferences(
  { tx }: Work,
  clientId: string,
  countId: string,
  barcode: string,
): Promise<PlaceDifference[]> {
  const rows = await tx<
    { box_id: string | null; location_id: string | null; difference: number }[]
  >`
    select box_id, location_id,
      (sum(units) - (array_agg(expected_here order by at desc, scan_id desc))[1])::bigint as difference
    from count_scans
    where client_id = ${clientId} and count_id = ${countId} and barcode = ${barcode}
      and undone_at is null and (box_id is not null or location_id is not null)
    group by box_id, location_id order by box_id, location_id`
  return rows.flatMap(({ box_id, location_id, difference }) =>
    placesNamed(box_id, location_id).map((place) => ({ place, difference })),
  )
}

async function takeMissing(
  work: Work,
  clientId: string,
  barcode: string,
  places: readonly PlaceDifference[],
): Promise<void> {
  const missing = places.filter(({ difference }) => difference < 0)
  const all = missing.map(({ place }) => place)
  const held = await unitsAtPlaces(work.tx, clientId, all, [barcode])
  await takeFromPlaces(
    work,
    clientId,
    missing.flatMap(({ place, difference }) => {
      const units = Math.min(held.get(lineKey(place, barcode)) ?? 0, -difference)
      return units > 0 ? [{ ...place, barcode, units }] : []
    }),
  )
}

async function putSurplus(
  work: Work,
  clientId: string,
  barcode: string,
  places: readonly PlaceDifference[],
): Promise<void> {
  const balance = (await lockBalances(work, clientId, [barcode])).get(barcode)
  const stored = (await storedUnits(work, clientId, [barcode])).get(barcode) ?? 0
  let loose = (balance?.quantity ?? 0) - stored
  for (const { place, difference } of places) {
    const units = Math.min(loose, difference)
    if (units <= 0) continue
    loose -= units
    await addToPlaces(work, clientId, [{ ...place, barcode, units }])
  }
}
