import type { FakeAccount, FakeCard, FakeFigure } from './fake.ts'

interface GoodsMarket {
  readonly newNumber: () => number
  readonly now: () => number
  readonly sellerOf: (account: FakeAccount) => {
    readonly cards: Map<number, FakeCard>
    readonly warehouses: Map<number, { name: string; amounts: Map<number, number> }>
  }
}

/** Cards and stock of a fake, whose new barcodes begin so. */
export function goodsWith(barcodePrefix: string) {
  function addCard(
    { newNumber, now, sellerOf }: GoodsMarket,
    account: FakeAccount,
    given: Partial<FakeCard> = {},
  ): FakeCard {
    const itemId = given.itemId ?? newNumber()
    const card = {
      itemId,
      barcodes: [`${barcodePrefix}${itemId}`],
      article: `ART-${itemId}`,
      name: `Товар ${itemId}`,
      nmId: newNumber(),
      honestMark: false,
      updatedAt: now(),
      ...given,
    }
    sellerOf(account).cards.set(itemId, card)
    return card
  }

  const goodsControls = (market: GoodsMarket) => ({
    addCard: (account: FakeAccount, given: Partial<FakeCard> = {}) =>
      addCard(market, account, given),
    setStock(account: FakeAccount, { itemId, warehouse, quantity }: FakeFigure) {
      const { warehouses } = market.sellerOf(account)
      const known = warehouses.get(warehouse.id) ?? { name: warehouse.name, amounts: new Map() }
      warehouses.set(warehouse.id, known)
      known.amounts.set(itemId, quantity)
    },
  })
  return { addCard, goodsControls }
}
