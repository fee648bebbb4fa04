import { movementWords } from '../../../src/warehouse/stock/movement-words.ts'
import type { GoodsMovement } from '../../api/account-calls.ts'

/** Movements of a day that say the same, such as the scans of one receipt, as one; in their order. */
export function movementsTogether(movements: readonly GoodsMovement[]): GoodsMovement[] {
  const shown: GoodsMovement[] = []
  for (const movement of movements) {
    const last = shown.at(-1)
    if (last === undefined || sayingOf(last) !== sayingOf(movement)) {
      shown.push(movement)
      continue
    }
    const delta = last.delta + movement.delta
    const question_delta = last.question_delta + movement.question_delta
    const words = movementWords({ kind: last.kind, delta, question_delta })
    shown[shown.length - 1] = { ...last, delta, question_delta, words }
  }
  return shown
}

function sayingOf(movement: GoodsMovement): string {
  const { time, barcode, kind, document, reason, delta, question_delta } = movement
  const signs = [Math.sign(delta), Math.sign(question_delta)]
  return JSON.stringify([time.slice(0, 10), barcode, kind, document?.id, reason, signs])
}
