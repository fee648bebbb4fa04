import type { Work } from '../../platform/db/work.ts'
import type { Marketplace } from '../../warehouse/clients/marketplace.ts'
import {
  type ReportedStock,
  replaceMarketplaceStock,
} from '../../warehouse/stock/marketplace-stock.ts'
import { compositionsOf } from '../../warehouse/stock/parts-allow.ts'
import { giftSet, goods, unlisted } from './goods.ts'
import type { Stage } from './stage.ts'

/** Shows marketplace stock in a cabinet: close to the free stock, of a set with what its parts allow, but never reconciled with it. */
export async function showMarketplaceStock(
  work: Work,
  stage: Stage,
  marketplace: Marketplace,
): Promise<void> {
  const { clientId, cabinets } = stage
  const free = await work.tx<{ barcode: string; units: number }[]>`
    select barcode, quantity - in_question - reserved as units
    from stock_balances where client_id = ${clientId}`
  const { parts_allow: sets = 0 } =
    (await compositionsOf(work.tx, clientId, [giftSet.barcode])).get(giftSet.barcode) ?? {}
  const units = new Map(
    free.map((row) => [row.barcode, row.units + (row.barcode === giftSet.barcode ? sets : 0)]),
  )
  const shown = goods.flatMap(({ barcode, nmId: itemId }, index) =>
    barcode === unlisted.barcode
      ? []
      : marketplace === 'WB'
        ? splitByWarehouse({ barcode, itemId }, units.get(barcode) ?? 0)
        : index % 5 === 4
          ? []
          : [{ barcode, itemId, quantity: Math.max(0, (units.get(barcode) ?? 0) - (index % 3)) }],
  )
  await replaceMarketplaceStock(work, clientId, cabinets[marketplace], shown)
}

const warehouses = [
  { id: 507_101, name: 'Подольск FBS' },
  { id: 507_102, name: 'Казань FBS' },
] as const

function splitByWarehouse(
  card: Pick<ReportedStock, 'barcode' | 'itemId'>,
  units: number,
): ReportedStock[] {
  const far = Math.floor(units / 3)
  return [
    { ...card, quantity: units - far, warehouse: warehouses[0] },
    { ...card, quantity: far, warehouse: warehouses[1] },
  ]
}
