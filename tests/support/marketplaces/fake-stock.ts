import type { FakeLine } from './fake.ts'

/**
 * Takes sold units from a warehouse that has enough of them. False if none has enough. Goods
 * without any stock figure are never short.
 */
export function sell(
  warehouses: ReadonlyMap<number, { readonly amounts: Map<number, number> }>,
  { itemId, quantity }: Pick<FakeLine, 'itemId' | 'quantity'>,
): boolean {
  const stocked = [...warehouses.values()].filter(({ amounts }) => amounts.has(itemId))
  const amountIn = ({ amounts }: (typeof stocked)[number]) => amounts.get(itemId) ?? 0
  const source = stocked.find((warehouse) => amountIn(warehouse) >= quantity)
  source?.amounts.set(itemId, amountIn(source) - quantity)
  return stocked.length === 0 || source !== undefined
}
