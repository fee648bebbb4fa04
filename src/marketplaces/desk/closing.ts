import type { Work } from '../../db/work.ts'
import { closeShipment } from '../../shipments/verbs.ts'
import { handOver } from './hand-over.ts'
import { type DeskTools, type Subject, shipmentCabinet, shippingOf } from './operations.ts'
import type { Run } from './task-runner.ts'
import { noteClosedAlone } from './tasks.ts'

export async function close<A>(
  tools: DeskTools,
  { clientId, shipmentId }: Subject,
  actor: string,
  run: Run<void, A>,
): Promise<A> {
  const { db } = tools
  const cabinet = await shipmentCabinet(tools, { clientId, shipmentId })
  const shipping = await shippingOf(tools, cabinet)
  const verb = (work: Work) => closeShipment(work, clientId, shipmentId)
  if (shipping === undefined) {
    return run(async (work) => {
      await verb(work)
      await noteClosedAlone(work, clientId, shipmentId)
    })
  }
  const draft = { kind: 'deliver', shipmentId, detail: {} } as const
  const { externalId } = cabinet
  return tools.onBothSides(cabinet, actor, draft, {
    verb,
    run,
    ask: async () => ({ note: await handOver(db, shipping, { clientId, shipmentId, externalId }) }),
  })
}
