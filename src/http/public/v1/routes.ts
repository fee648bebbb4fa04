import type { FastifyInstance } from 'fastify'
import type { SubscriptionDependencies } from '../../../webhooks/subscriptions.ts'
import { compressAnswers } from '../../compression.ts'
import { addGate, type GateDependencies } from '../../gate.ts'
import { unknownRoutesRefusal } from '../../known-methods.ts'
import { reportUnknownParameters } from '../../unknown-parameters.ts'
import { addEvents, type EventDependencies } from './events.ts'
import { addMe } from './me.ts'
import { addMetrics } from './metrics.ts'
import { addOrderRoutes } from './orders.ts'
import { addReceipts } from './receipts.ts'
import { addSellersReturns } from './returns.ts'
import { addSandbox } from './sandbox.ts'
import { addAdvance, addTriggers } from './sandbox-play.ts'
import { addReceivers } from './sandbox-receivers.ts'
import { addShipments } from './shipments.ts'
import { addStock } from './stock.ts'
import { addWebhooks } from './webhooks.ts'

/** Adds all paths below /v1. Unknown paths and methods pass the gate too. */
export async function addPublicApi(
  app: FastifyInstance,
  dependencies: EventDependencies & {
    readonly gate: GateDependencies
    readonly webhooks: SubscriptionDependencies
  },
): Promise<void> {
  await app.register(
    async (v1) => {
      addGate(v1, dependencies.gate)
      compressAnswers(v1)
      const refuseUnknownRoutes = unknownRoutesRefusal(v1)
      v1.addHook('onRequest', refuseUnknownRoutes)
      v1.addHook('onRequest', reportUnknownParameters)
      addMe(v1, dependencies)
      addStock(v1, dependencies)
      addOrderRoutes(v1, dependencies)
      addReceipts(v1, dependencies)
      addShipments(v1, dependencies)
      addSellersReturns(v1, dependencies)
      addMetrics(v1, dependencies)
      addWebhooks(v1, dependencies)
      addEvents(v1, dependencies)
      addSandbox(v1, dependencies)
      addTriggers(v1, dependencies)
      addAdvance(v1, dependencies)
      addReceivers(v1, dependencies)
      // With a handler of its own, this scope runs its hooks for unknown paths below its prefix.
      v1.setNotFoundHandler(refuseUnknownRoutes)
    },
    { prefix: '/v1' },
  )
}
