import type { FakeAccount } from './fake.ts'
import { type Seller, there } from './wildberries.ts'

/** What else WB may want of a seller, switched on by a test. */
export interface Troubles {
  /** From now on supplies of the account leave only with a shipping method, as those in Russia. */
  demandMethod(account: FakeAccount): void
  /** As if somebody had named it in the cabinet. */
  nameMethod(account: FakeAccount, supplyId: string, method?: Partial<Method>): void
  methodOf(account: FakeAccount, supplyId: string): Method | undefined
  /** A shipping point takes no supplies any more. */
  closePoint(account: FakeAccount, pointId: number): void
  /** What the check of an order's codes has come to; undefined is that they are good. */
  decide(account: FakeAccount, orderId: string, decision: string | undefined): void
  /** WB wants no codes of the order's goods. */
  refuseMarks(account: FakeAccount, orderId: string): void
  changeWarehouse(account: FakeAccount, id: number, changing: Changing): void
}

/** How a supply gets to WB. */
export interface Method {
  readonly shippingDt: string
  readonly shippingPointId: number
  readonly shippingType: string
}

export type Changing = 'isDeleting' | 'isProcessing' | undefined

const usual = { shippingDt: '2026-11-01', shippingPointId: 100, shippingType: 'selfShipping' }

export function troublesOf(sellerOf: (account: FakeAccount) => Seller): Troubles {
  const orderOf = (account: FakeAccount, id: string) =>
    there(sellerOf(account).orders.get(id), 'order')
  const supplyOf = (account: FakeAccount, id: string) =>
    there(sellerOf(account).supplies.get(id), 'supply')
  return {
    demandMethod(account) {
      sellerOf(account).methodIsDemanded = true
    },
    nameMethod(account, id, method) {
      supplyOf(account, id).method = { ...usual, ...method }
    },
    methodOf: (account, id) => supplyOf(account, id).method,
    closePoint: (account, point) => void sellerOf(account).closedPoints.add(point),
    decide(account, id, decision) {
      orderOf(account, id).decision = decision
    },
    refuseMarks(account, id) {
      orderOf(account, id).takesNoMarks = true
    },
    changeWarehouse(account, id, changing) {
      there(sellerOf(account).warehouses.get(id), 'warehouse').changing = changing
    },
  }
}
