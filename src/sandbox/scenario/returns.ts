import type { Work } from '../../platform/db/work.ts'
import { day, hour, type Instant } from '../../platform/kernel/moscow-time.ts'
import { cancelledOutside, finishBatches, takeOrderIn } from '../returning.ts'
import { days } from './plan.ts'
import type { Stage, Step } from './stage.ts'

/** After so many days an order that was cancelled on its way is back in the warehouse. */
const wayBackMs = 4 * day
const perDayMax = 20

/** Each day the warehouse takes in what came back; the batch of the last day is still open. */
export function returnSteps(stage: Stage): Step[] {
  return Array.from({ length: days - 5 }, (_, back) => ({
    at: stage.end - back * day - hour,
    run: (work: Work) => takeDayIn(work, stage, back > 0),
  }))
}

async function takeDayIn(work: Work, { clientId, end }: Stage, isFinished: boolean): Promise<void> {
  const cancelled: readonly [Instant, Instant] = [end - days * day, work.now - wayBackMs]
  const orders = await cancelledOutside(work.tx, clientId, cancelled, perDayMax)
  for (const order of orders) await takeOrderIn(work, clientId, order)
  if (isFinished) await finishBatches(work, clientId, work.now + 1)
}
