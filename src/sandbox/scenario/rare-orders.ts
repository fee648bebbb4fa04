import { readOzonStatus } from '../../exchange/marketplaces/ozon/status.ts'
import { readWildberriesStatus } from '../../exchange/marketplaces/wildberries/status.ts'
import { type Instant, minute } from '../../platform/kernel/moscow-time.ts'
import type { Marketplace } from '../../warehouse/clients/marketplace.ts'
import type { OrderDraft } from '../../warehouse/orders/draft.ts'
import { takeInOrders } from '../../warehouse/orders/intake.ts'
import { unlisted } from './goods.ts'
import { ozonOutageMs } from './plan.ts'
import type { Stage, Step } from './stage.ts'

/**
 * New orders as integrators meet them in production first: without a barcode, never synced, with half
 * of a status pair. They arrive after the last sync, which would complete them, and nothing moves them.
 */
export function rareOrderSteps({ clientId, cabinets, end }: Stage): Step[] {
  const lines = [{ barcode: unlisted.barcode, quantity: 1 }]
  const arrive = (
    marketplace: Marketplace,
    at: Instant,
    order: Omit<OrderDraft, 'isB2b'>,
  ): Step => ({
    at,
    run: async (work) => {
      await takeInOrders(work, clientId, cabinets[marketplace], [{ ...order, isB2b: false }])
    },
  })
  return [
    // No card names the goods, so nobody knows their barcode.
    arrive('WB', end - 3 * minute + 1, {
      externalId: '2809999001',
      createdAt: end - 9 * minute,
      lines: [{ article: 'NEW-2026-01', quantity: 1 }],
      reading: readWildberriesStatus({ supplier: 'new', buyer: 'waiting' }),
    }),
    // A manager entered it while the cabinet did not answer.
    arrive('OZON', end - 20 * minute, {
      externalId: '62990001-0101-1',
      createdAt: end - 25 * minute,
      lines,
    }),
    arrive('OZON', end - ozonOutageMs + 1, {
      externalId: '62990002-0102-1',
      createdAt: end - ozonOutageMs - 10 * minute,
      lines,
      reading: readOzonStatus({ supplier: 'awaiting_packaging' }),
    }),
  ]
}
