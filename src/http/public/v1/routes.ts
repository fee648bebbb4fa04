import type { FastifyInstance } from 'fastify'
import type { SubscriptionDependencies } from '../../../exchange/webhooks/subscriptions.ts'
import { addGate, type GateDependencies } from '../../route/gate.ts'
import { reportUnknownParameters } from '../../route/unknown-parameters.ts'
import { compressAnswers } from '../../server/compression.ts'
import { unknownRoutesRefusal } from '../../server/known-methods.ts'
import { keepPublicCodes } from '../operation.ts'
import { addSellersActs } from './acts.ts'
import { addSellersCharges } from './charges.ts'
import { addEvents, type EventDependencies } from './events.ts'
import { addGoodsList } from './goods.ts'
import { addSellersLots } from './lots.ts'
import { addMe } from './me.ts'
import { addMetrics } from './metrics.ts'
import { addOrderRoutes } from './orders.ts'
import { addReceipts } from './receipts.ts'
import { addSellersReturns } from './returns.ts'
import { addSandboxKeys, addSandboxReset } from './sandbox.ts'
import { addAdvance, addTriggers } from './sandbox-play.ts'
import { addReceivers } from './sandbox-receivers.ts'
import { addShipments } from './shipments.ts'
import { addStock } from './stock.ts'
import { addStockHistory } from './stock-history.ts'
import { addWebhooks } from './webhooks.ts'

export interface SellerDependencies extends EventDependencies {
  readonly webhooks: SubscriptionDependencies
}

/** What a seller reads and does, by key below /v1 and with a session below /account/v1. */
export function addSellerRoutes(app: FastifyInstance, dependencies: SellerDependencies): void {
  addStock(app, dependencies)
  addStockHistory(app, dependencies)
  addSellersLots(app, dependencies)
  addOrderRoutes(app, dependencies)
  addReceipts(app, dependencies)
  addShipments(app, dependencies)
  addSellersReturns(app, dependencies)
  addMetrics(app, dependencies)
  addSellersCharges(app, dependencies)
  addSellersActs(app, dependencies)
  addWebhooks(app, dependencies)
  addEvents(app, dependencies)
}

/** What whoever has a sandbox does with it, behind the same gates. */
export function addOwnSandbox(app: FastifyInstance, dependencies: SellerDependencies): void {
  addSandboxReset(app, dependencies)
  addTriggers(app, dependencies)
  addAdvance(app, dependencies)
  addReceivers(app, dependencies)
}

/** Adds all paths below /v1. Unknown paths and methods pass the gate too. */
export async function addPublicApi(
  app: FastifyInstance,
  dependencies: SellerDependencies & { readonly gate: GateDependencies },
): Promise<void> {
  await app.register(
    async (v1) => {
      keepPublicCodes(v1)
      addGate(v1, dependencies.gate)
      compressAnswers(v1)
      const refuseUnknownRoutes = unknownRoutesRefusal(v1)
      v1.addHook('onRequest', refuseUnknownRoutes)
      v1.addHook('onRequest', reportUnknownParameters)
      addMe(v1, dependencies)
      addSellerRoutes(v1, dependencies)
      // Not in the account, whose form has goods of its own at this path.
      addGoodsList(v1, dependencies)
      addSandboxKeys(v1, dependencies)
      addOwnSandbox(v1, dependencies)
      // With a handler of its own, this scope runs its hooks for unknown paths below its prefix.
      v1.setNotFoundHandler(refuseUnknownRoutes)
    },
    { prefix: '/v1' },
  )
}
