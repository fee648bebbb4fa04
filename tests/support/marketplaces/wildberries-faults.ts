import type { FakeAccount } from './fake.ts'
import { mustFind } from './must-find.ts'
import { accept, type Method, type Seller, type WarehouseChange } from './wildberries-state.ts'

/** What tests can make WB require or refuse. */
export interface WildberriesFaults {
  /** Supplies of the account need a shipping method from now on, as those of sellers in Russia. */
  requireShippingMethod(account: FakeAccount, required?: boolean): void
  /** As if staff set the method in the cabinet. */
  setShippingMethod(account: FakeAccount, supplyId: string, method?: Partial<Method>): void
  shippingMethodOf(account: FakeAccount, supplyId: string): Method | undefined
  /** WB works on the supply: so many calls that change it are refused. */
  keepBusy(account: FakeAccount, supplyId: string, calls: number): void
  /** The supply goes with the service «Фулфилмент в СЦ», which some points have and which needs a box. */
  fulfil(account: FakeAccount, supplyId: string): void
  /** Supplies that a carrier brings need a waybill from now on. */
  requireWaybill(account: FakeAccount): void
  /** The seller gives a supply its waybill in the cabinet. */
  setWaybill(account: FakeAccount, supplyId: string): void
  boxesOf(account: FakeAccount, supplyId: string): readonly string[]
  /** The shipping point takes no supplies any more. */
  closePoint(account: FakeAccount, pointId: number): void
  /**
   * Sets the result of WB's check of an order's marking codes; undefined means that they passed.
   */
  setCodeDecision(account: FakeAccount, orderId: string, decision: string | undefined): void
  /** WB refuses every mark with this text. */
  refuseMark(account: FakeAccount, value: string, decision: string): void
  /** How many readings WB shows nothing of a mark that it took, and then how many it is checking it. */
  delayMarks(
    account: FakeAccount,
    delay: { readonly unseen: number; readonly pending: number },
  ): void
  /** WB wants no marking codes for the order's goods. */
  refuseMarkingCodes(account: FakeAccount, orderId: string): void
  /** The order leaves the country: WB refuses its sticker and its supply without a customs declaration. */
  requireDeclaration(account: FakeAccount, orderId: string): void
  /** WB takes the order into no supply, and does not say why. */
  holdBack(account: FakeAccount, orderId: string): void
  /** Stickers come as SVG text instead of base64. */
  sendPlainPictures(account: FakeAccount): void
  /** WB scans a supply and does not find these orders in it: they come onto the reshipment list. */
  acceptWithout(account: FakeAccount, supplyId: string, orders: readonly string[]): void
  /** WB has withdrawn the calls whose path contains `path`, or keeps them for tokens of other types; undefined: no more. */
  refusePath(account: FakeAccount, path: string, why: 'withdrawn' | 'type' | undefined): void
  changeWarehouse(account: FakeAccount, id: number, change: WarehouseChange): void
}

const usualMethod = { shippingDt: '2026-11-01', shippingPointId: 100, shippingType: 'selfShipping' }

export function openFaults(
  sellerOf: (account: FakeAccount) => Seller,
  now: () => number,
): WildberriesFaults {
  const orderOf = (account: FakeAccount, id: string) =>
    mustFind(sellerOf(account).orders.get(id), 'order')
  const supplyOf = (account: FakeAccount, id: string) =>
    mustFind(sellerOf(account).supplies.get(id), 'supply')
  return {
    requireShippingMethod(account, required = true) {
      sellerOf(account).methodIsRequired = required
    },
    setShippingMethod(account, id, method) {
      supplyOf(account, id).method = { ...usualMethod, ...method }
    },
    shippingMethodOf: (account, id) => supplyOf(account, id).method,
    keepBusy(account, id, calls) {
      supplyOf(account, id).busyCalls = calls
    },
    fulfil(account, id) {
      supplyOf(account, id).isFulfilled = true
    },
    requireWaybill(account) {
      sellerOf(account).waybillIsRequired = true
    },
    setWaybill(account, id) {
      supplyOf(account, id).waybillUuid = '3f2c9a10-5d7e-4b61-9c44-0a1b2c3d4e5f'
    },
    boxesOf: (account, id) => supplyOf(account, id).boxes,
    closePoint: (account, point) => void sellerOf(account).closedPoints.add(point),
    setCodeDecision(account, id, decision) {
      orderOf(account, id).codeDecision = decision
    },
    refuseMark: (account, value, decision) => void sellerOf(account).badMarks.set(value, decision),
    delayMarks(account, delay) {
      sellerOf(account).markDelay = delay
    },
    refuseMarkingCodes(account, id) {
      orderOf(account, id).refusesMarkingCodes = true
    },
    requireDeclaration(account, id) {
      const order = orderOf(account, id)
      const requiredMeta = [order.raw.requiredMeta ?? [], 'customsDeclaration'].flat()
      Object.assign(order, { raw: { ...order.raw, requiredMeta } })
    },
    holdBack(account, id) {
      orderOf(account, id).isStuck = true
    },
    sendPlainPictures(account) {
      sellerOf(account).sendsPlainPictures = true
    },
    acceptWithout: (account, id, orders) => accept(sellerOf(account), id, now(), orders),
    refusePath(account, path, why) {
      const { refusedPaths } = sellerOf(account)
      if (why === undefined) refusedPaths.delete(path)
      else refusedPaths.set(path, why)
    },
    changeWarehouse(account, id, change) {
      mustFind(sellerOf(account).warehouses.get(id), 'warehouse').changing = change
    },
  }
}
