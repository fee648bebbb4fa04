import type { Lot } from '../../../src/platform/kernel/codes/lot.ts'
import type { StaffReceiptItem } from '../../api/staff-calls.ts'
import { plainCall, scanCall } from '../queue/queue.ts'
import type { Outcome } from '../scan/signal.ts'
import type { Verdict } from '../scan/verdict.ts'

export interface Counted {
  readonly receiptId: string
  readonly item: Pick<
    StaffReceiptItem,
    'barcode' | 'name' | 'expected_qty' | 'accepted_qty' | 'asks_expiry'
  >
  readonly qty?: number
  readonly marking?: string | undefined
  /** Without a document nothing is a surplus: a manager decides about all of it. */
  readonly isWalkIn?: boolean
  /** Where the units are put. */
  readonly box?: string | undefined
  /** Typed, because nobody knows the goods. */
  readonly name?: string | undefined
  /** Of goods whose expiry dates are kept. */
  readonly lot?: Lot | undefined
}

export function verdictOfUnits({
  receiptId,
  item,
  qty = 1,
  marking,
  box,
  name,
  lot,
  isWalkIn = false,
}: Counted): Verdict {
  const { barcode, expected_qty: expected, accepted_qty: accepted } = item
  const figure = accepted + qty
  const path = { id: receiptId }
  return {
    kind: 'counts',
    call: scanCall('POST /receipts/{id}/scans', path, {
      barcode,
      ...(qty === 1 ? {} : { qty }),
      ...(marking === undefined ? {} : { marking_code: marking }),
      ...(box === undefined ? {} : { box_id: box }),
      ...(name === undefined ? {} : { name }),
      ...(lot === undefined ? {} : { expires_on: lot.expiresOn, lot_number: lot.number }),
    }),
    effect: {
      ...{ barcode, name: item.name, qty },
      ...(item.asks_expiry === true && expected === 0 ? { asks_expiry: true } : {}),
    },
    outcome: isWalkIn ? 'good' : outcomeOf(figure, expected),
    figure,
    ...(expected === 0 ? {} : { of: expected }),
    sentence: isWalkIn ? item.name : sentenceOf(item.name, figure, expected),
    undo: {
      name: qty === 1 ? item.name : `${qty} × ${item.name}`,
      figureAfter: accepted,
      call: (scanId) =>
        plainCall(
          'POST /receipts/{id}/scans/{scan_id}/undo',
          { ...path, scan_id: scanId },
          undefined,
        ),
    },
  }
}

function outcomeOf(figure: number, expected: number): Outcome {
  if (figure === expected) return 'full'
  return figure < expected ? 'good' : 'surplus'
}

function sentenceOf(name: string, figure: number, expected: number): string {
  if (figure < expected) return name
  if (figure === expected) return `${name}: всё принято`
  const surplus = expected === 0 ? 'нет в приёмке' : `лишних ${figure - expected}`
  return `${name}: ${surplus}. Отложите, решит менеджер`
}
