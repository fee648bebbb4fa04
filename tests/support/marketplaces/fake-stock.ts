import type { FakeLine } from './fake.ts'

/**
 * Takes what is sold out of a warehouse that has it. False where none has enough: goods of which no
 * figure is told are never short.
 */
export function sell(
  warehouses: ReadonlyMap<number, { readonly amounts: Map<number, number> }>,
  { itemId, quantity }: Pick<FakeLine, 'itemId' | 'quantity'>,
): boolean {
  const told = [...warehouses.values()].filter(({ amounts }) => amounts.has(itemId))
  const amountIn = ({ amounts }: (typeof told)[number]) => amounts.get(itemId) ?? 0
  const source = told.find((warehouse) => amountIn(warehouse) >= quantity)
  source?.amounts.set(itemId, amountIn(source) - quantity)
  return told.length === 0 || source !== undefined
}
