import type { Marketplace } from '../../clients/marketplace.ts'
import type { Work } from '../../db/work.ts'
import { type MirroredFigure, mirrorMarketplaceStock } from '../../stock/marketplace-stock.ts'
import type { Stage } from './build.ts'
import { goods } from './goods.ts'

/** The figures that the cabinets show: near the free stock, but never reconciled with it. */
export async function mirrorFigures(
  work: Work,
  stage: Stage,
  marketplace: Marketplace,
): Promise<void> {
  const { clientId, cabinets } = stage
  const free = await work.tx<{ barcode: string; units: number }[]>`
    select barcode, quantity - in_question - reserved as units
    from stock_balances where client_id = ${clientId}`
  const units = new Map(free.map((row) => [row.barcode, row.units]))
  const figures = goods.flatMap(({ barcode, nmId: itemId }, index) =>
    marketplace === 'WB'
      ? splitFigures({ barcode, itemId }, units.get(barcode) ?? 0)
      : index % 5 === 4
        ? []
        : [{ barcode, itemId, quantity: Math.max(0, (units.get(barcode) ?? 0) - (index % 3)) }],
  )
  await mirrorMarketplaceStock(work, clientId, cabinets[marketplace], figures)
}

const warehouses = [
  { id: 507_101, name: 'Подольск FBS' },
  { id: 507_102, name: 'Казань FBS' },
] as const

function splitFigures(
  card: Pick<MirroredFigure, 'barcode' | 'itemId'>,
  units: number,
): MirroredFigure[] {
  const far = Math.floor(units / 3)
  return [
    { ...card, quantity: units - far, warehouse: warehouses[0] },
    { ...card, quantity: far, warehouse: warehouses[1] },
  ]
}
