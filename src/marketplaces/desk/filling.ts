import type { Work } from '../../db/work.ts'
import { conflict } from '../../kernel/errors.ts'
import { addOrders } from '../../shipments/verbs.ts'
import { isRejected } from '../calls/failure.ts'
import { goneWords } from './hand-over.ts'
import { fillingOf } from './members.ts'
import { type DeskTools, type Subject, shipmentCabinet, shippingOf } from './operations.ts'
import type { Run } from './task-runner.ts'

export async function fill<A>(
  tools: DeskTools,
  { clientId, shipmentId }: Subject,
  orderIds: readonly string[],
  actor: string,
  run: Run<number, A>,
): Promise<A> {
  const cabinet = await shipmentCabinet(tools, { clientId, shipmentId })
  const shipping = await shippingOf(tools, cabinet)
  const verb = (work: Work) => addOrders(work, clientId, shipmentId, orderIds)
  if (shipping === undefined) return run(verb)
  const draft = { kind: 'fill', shipmentId, detail: { orderIds } } as const
  return tools.onBothSides(cabinet, actor, draft, {
    verb,
    run,
    async ask() {
      const { joining, present } = await fillingOf(tools.db, clientId, shipmentId, orderIds)
      await shipping.fill(cabinet.externalId, joining, present).catch((error: unknown) => {
        throw isRejected(error) && error.status === 404 ? conflict(goneWords) : error
      })
      return {}
    },
  })
}
