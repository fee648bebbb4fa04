import type { FastifyInstance } from 'fastify'
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

/** Everything below /v1, behind the gate; unknown paths and methods too. */
export async function addPublicApi(
  app: FastifyInstance,
  dependencies: PublicDependencies & { readonly gate: GateDependencies },
): Promise<void> {
  await app.register(
    async (v1) => {
      addGate(v1, dependencies.gate)
      addMe(v1, dependencies)
      addStock(v1, dependencies)
      addOrders(v1, dependencies)
      addReceipts(v1, dependencies)
      addShipments(v1, dependencies)
      addMetrics(v1, dependencies)
      addSandbox(v1, dependencies)
      v1.setNotFoundHandler((request) => {
        throw missingRoute(request.originalUrl)
      })
    },
    { prefix: '/v1' },
  )
}
