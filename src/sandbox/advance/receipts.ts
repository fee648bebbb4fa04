import type { Work } from '../../platform/db/work.ts'
import { nextReceiptStep, ownReceipts, takeReceiptStep } from '../robot/receiving.ts'

/** A step counts up to sixty lines; the robot takes those that are left. */
const stepsMax = 60

/** Plays the seller's own receipt requests to their end. Answers how many were completed. */
export async function completeOwnReceipts(work: Work, clientId: string): Promise<number> {
  let completed = 0
  let left = stepsMax
  for (const { id } of await ownReceipts(work.tx, clientId)) {
    for (; left > 0; left--) {
      const [receipt] = await ownReceipts(work.tx, clientId, id)
      const step = receipt && nextReceiptStep(receipt, Number.POSITIVE_INFINITY)
      if (step === undefined) break
      await takeReceiptStep(work, clientId, id, step)
      if (step.kind === 'finish') completed += 1
    }
  }
  return completed
}
