import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SubscriptionDependencies } from '../../../webhooks/subscriptions.ts'
import { addGate, type GateDependencies } from '../../gate.ts'
import { missingRoute } from '../../server.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { addMe } from './me.ts'
import { addMetrics } from './metrics.ts'
import { addOrders } from './orders.ts'
import { addReceipts } from './receipts.ts'
import { addSandbox } from './sandbox.ts'
import { addShipments } from './shipments.ts'
import { addStock } from './stock.ts'
import { addWebhooks } from './webhooks.ts'

/** Everything below /v1, behind the gate; unknown paths and methods too. */
export async function addPublicApi(
  app: FastifyInstance,
  dependencies: PublicDependencies & {
    readonly gate: GateDependencies
    readonly webhooks: SubscriptionDependencies
  },
): Promise<void> {
  await app.register(
    async (v1) => {
      addGate(v1, dependencies.gate)
      v1.addHook('onRequest', refuseUnknownRoutes)
      addMe(v1, dependencies)
      addStock(v1, dependencies)
      addOrders(v1, dependencies)
      addReceipts(v1, dependencies)
      addShipments(v1, dependencies)
      addMetrics(v1, dependencies)
      addWebhooks(v1, dependencies)
      addSandbox(v1, dependencies)
      // Its own handler, so that the hooks of this scope are run for unknown paths below its prefix.
      v1.setNotFoundHandler(refuseUnknownRoutes)
    },
    { prefix: '/v1' },
  )
}

/** Before a byte of the body is read: nobody waits for it. */
async function refuseUnknownRoutes(request: FastifyRequest): Promise<void> {
  if (request.is404) throw missingRoute(request.originalUrl)
}
