import type { Database } from '../../platform/db/connection.ts'
import { perform, type Work } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { isCountDue, takeCountStep } from './counting.ts'
import { nextReceiptStep, ownReceipts, takeReceiptStep } from './receiving.ts'
import { orderThatIsBack, takeBackStep } from './returning.ts'
import { nextShippingStep, readShipping, takeShippingStep } from './shipping.ts'

export interface StepParts {
  readonly db: Database
  readonly clock: Clock
}

/** Receipts advanced per tick. */
const receiptStepsMax = 20

/** The steps that are due in a sandbox, each with a transaction of its own. */
export async function dueSteps(
  parts: StepParts,
  clientId: string,
): Promise<(() => Promise<void>)[]> {
  const { db, clock } = parts
  const receipts = await ownReceipts(db, clientId)
  const due = receipts.filter((receipt) => nextReceiptStep(receipt, clock.now()) !== undefined)
  const steps = due.slice(0, receiptStepsMax).map(
    ({ id }) =>
      () =>
        advanceReceipt(parts, clientId, id),
  )
  const shipping = await readShipping(db, clientId)
  if (shipping !== undefined && nextShippingStep(shipping, clock.now()) !== undefined) {
    steps.push(() => advanceShipping(parts, clientId))
  }
  if ((await orderThatIsBack(db, clientId, clock.now())) !== undefined) {
    steps.push(() => inSandbox(parts, clientId, (work) => takeBackStep(work, clientId)))
  }
  if (await isCountDue(db, clientId, clock.now())) {
    steps.push(() => inSandbox(parts, clientId, (work) => takeCountStep(work, clientId)))
  }
  return steps
}

function advanceReceipt(parts: StepParts, clientId: string, id: string): Promise<void> {
  return inSandbox(parts, clientId, async (work) => {
    const [receipt] = await ownReceipts(work.tx, clientId, id)
    const step = receipt && nextReceiptStep(receipt, work.now)
    if (step !== undefined) await takeReceiptStep(work, clientId, id, step)
  })
}

function advanceShipping(parts: StepParts, clientId: string): Promise<void> {
  return inSandbox(parts, clientId, async (work) => {
    const shipping = await readShipping(work.tx, clientId)
    if (shipping === undefined) return
    const step = nextShippingStep(shipping, work.now)
    if (step !== undefined) await takeShippingStep(work, clientId, shipping, step)
  })
}

/** Does nothing where the sandbox has no copy or somebody else has locked it. */
function inSandbox(
  { db, clock }: StepParts,
  clientId: string,
  act: (work: Work) => Promise<void>,
): Promise<void> {
  return perform(db, clock, { kind: 'robot' }, async (work) => {
    const held = await work.tx`
      select from sandboxes where client_id = ${clientId} and copied_at is not null
      for no key update skip locked`
    if (held.length > 0) await act(work)
  })
}
