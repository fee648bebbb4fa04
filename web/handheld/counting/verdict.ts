import type { Lot } from '../../../src/platform/kernel/codes/lot.ts'
import type { CountScan, StockCount } from '../../api/staff-calls.ts'
import { plural } from '../../words/format.ts'
import { plainCall, scanCall } from '../queue/queue.ts'
import type { Counts, Verdict } from '../scan/verdict.ts'
import {
  type CountEffect,
  type CountedGoods,
  type CountPlace,
  countedAt,
  placeName,
} from './count.ts'
import { actorOf, type PartEffect } from './own-part.ts'

export interface CountedUnits {
  readonly goods: CountedGoods
  readonly qty: number
  readonly place: CountPlace | undefined
  /** Of goods whose expiry dates are kept. */
  readonly lot?: Lot | undefined
}

/** Units that were counted, with how many there are now. What is expected is never said. */
export function verdictOfCounted(
  count: StockCount,
  { goods, qty, place, lot }: CountedUnits,
): Verdict {
  const { code, barcode, name } = goods
  const before = countedAt(count, barcode, place)
  const effect: CountEffect = { barcode, name, qty, place }
  const end = place === undefined ? '' : `. ${placeName(place)}`
  const named = (what: string) => ({
    sentence: qty === 1 ? `${what}${end}` : `${what}: ${units(qty)}${end}`,
    name: qty === 1 ? what : `${what}, ${units(qty)}`,
  })
  const said = named(name)
  return {
    kind: 'counts',
    call: scanCall(
      'POST /counts/{id}/scans',
      { id: count.id },
      {
        code,
        qty,
        ...(place?.kind === 'box' ? { box_id: place.code } : {}),
        ...(place?.kind === 'location' ? { location_id: place.code } : {}),
        ...(lot === undefined ? {} : { expires_on: lot.expiresOn, lot_number: lot.number }),
      },
    ),
    effect,
    outcome: 'good',
    figure: before + qty,
    sentence: said.sentence,
    whenAnswered: (answer) => named((answer as CountScan).name),
    undo: {
      name: said.name,
      figureAfter: before,
      call: (scanId) =>
        plainCall(
          'POST /counts/{id}/scans/{scan_id}/undo',
          { id: count.id, scan_id: scanId },
          undefined,
        ),
    },
  }
}

function units(qty: number): string {
  return plural(qty, 'штука', 'штуки', 'штук')
}

/** Of this round alone: one that a manager has looked at meanwhile is over. */
export function finishing(count: StockCount, userId: string): Counts {
  const { id, reviewed_at } = count
  return {
    kind: 'counts',
    call: plainCall('POST /counts/{id}/finish', { id }, { reviewed_at }),
    effect: partOf(userId, new Date().toISOString()),
    outcome: 'good',
    sentence: 'Вы закончили считать',
  }
}

export function resuming({ id, reviewed_at }: StockCount, userId: string): Counts {
  return {
    kind: 'counts',
    call: plainCall('POST /counts/{id}/resume', { id }, { reviewed_at }),
    effect: partOf(userId, null),
    outcome: 'good',
    sentence: 'Считайте дальше',
  }
}

function partOf(userId: string, doneAt: string | null): PartEffect {
  return { actor: actorOf(userId), doneAt }
}
