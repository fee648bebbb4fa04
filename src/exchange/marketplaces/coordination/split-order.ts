import type { Work } from '../../../platform/db/work.ts'
import type { Actor } from '../../../platform/kernel/actor.ts'
import { conflict, invalidField, notFound } from '../../../platform/kernel/errors.ts'
import { storedLines } from '../../../warehouse/orders/lines.ts'
import { lockOrders } from '../../../warehouse/orders/lock.ts'
import { refuseForeign } from '../../../warehouse/shipments/own-warehouses.ts'
import { refusePicked, splitOrder } from '../../../warehouse/shipments/splitting.ts'
import { connectionOfOrder } from '../connecting/connected-cabinet.ts'
import type { SplitOrders } from '../connector.ts'
import { completeCommand } from './command-progress.ts'
import type { RunVerb } from './command-runner.ts'
import { type CoordinatorTools, shippingFor } from './coordinator-tools.ts'
import type { PackedGoods, SplitCommand } from './remote-command.ts'
import { refuseWhileEnding } from './request-command.ts'
import { markDoneRemotely } from './staff-errors.ts'

/** Units of goods by barcode, as workers name them. */
export interface PackageLine {
  readonly barcode: string
  readonly quantity: number
}

export interface SplitRequest {
  readonly clientId: string
  readonly orderId: string
  readonly packages: readonly (readonly PackageLine[])[]
}

/**
 * Splits an order at its marketplace and takes the new orders in. Nothing is known of them before the
 * marketplace has made them, so only the conditions of the split are rehearsed. Returns the ids of
 * the new orders.
 */
export async function coordinateSplit<A>(
  tools: CoordinatorTools,
  { clientId, orderId, packages }: SplitRequest,
  actor: Actor,
  run: RunVerb<readonly string[], A>,
): Promise<A> {
  const { db, runner } = tools
  const order = await connectionOfOrder(db, clientId, orderId)
  if (order === undefined) throw notFound('Заказ не найден')
  const shipping = await shippingFor(tools, order)
  const split = shipping?.split
  if (split === undefined) {
    throw conflict('Делить заказы умеет только подключённый кабинет OZON')
  }
  let draft: SplitCommand | undefined
  await runner.rehearse(actor, async (work) => {
    draft = await splitDraft(work, { clientId, orderId, packages })
  })
  if (draft === undefined) throw new Error('the split was not rehearsed')
  return runner.run(order, actor, draft, {
    done: () => run(() => Promise.resolve([])),
    async act(command) {
      const parts = await split(order.externalId, command.detail.packages)
      const here = { clientId, cabinetId: order.id, orderId }
      return markDoneRemotely(
        run(async (work) => {
          const made = await splitHere(work, here, parts)
          await completeCommand(work, command)
          return made
        }),
      )
    },
  })
}

/** Throws conflict where the order cannot be split, and validation_error for wrong packages. */
async function splitDraft(
  work: Work,
  { clientId, orderId, packages }: SplitRequest,
): Promise<SplitCommand> {
  const [order] = await lockOrders(work, clientId, [orderId])
  if (order === undefined) throw notFound('Заказ не найден')
  if (order.phase !== 'none' && order.phase !== 'open') {
    throw conflict(
      `Заказ ${order.external_id} уже в отгрузке маркетплейса: разделите его в кабинете`,
    )
  }
  if (order.status !== 'NEW' && order.status !== 'ASSEMBLING') {
    throw conflict(`Заказ ${order.external_id} в статусе, в котором его не разделить`)
  }
  await refuseForeign(work, clientId, order.cabinet_id, [order], 'split')
  await refusePicked(work, clientId, orderId, order.external_id)
  const lines = (await storedLines(work, clientId, [orderId])).get(orderId) ?? []
  return {
    kind: 'split',
    shipmentId: order.shipment_id,
    detail: { orderId, packages: numbered(packages, lines) },
  }
}

interface NumberedLine {
  readonly barcode: string | null
  readonly item_id: number | null
  readonly quantity: number
}

/** Replaces barcodes by the marketplace's numbers; all units of the order must be in one package each. */
export function numbered(
  packages: readonly (readonly PackageLine[])[],
  lines: readonly NumberedLine[],
): PackedGoods[][] {
  const left = new Map<number, number>()
  for (const { item_id, quantity } of lines) {
    if (item_id === null) throw conflict('У товара заказа нет номера на маркетплейсе: делить нечем')
    left.set(item_id, (left.get(item_id) ?? 0) + quantity)
  }
  const packed = packages.map((goods, at) =>
    goods.map(({ barcode, quantity }, index) => {
      const field = `packages[${at}][${index}]`
      const own = lines
        .filter((line) => line.barcode === barcode)
        .flatMap((line) => line.item_id ?? [])
      const itemId = own.find((id) => (left.get(id) ?? 0) >= quantity) ?? own[0]
      if (itemId === undefined) {
        throw invalidField(`${field}.barcode`, `товара ${barcode} в заказе нет`)
      }
      const free = left.get(itemId) ?? 0
      if (free < quantity)
        throw invalidField(`${field}.qty`, `в заказе осталось ${free} шт. этого товара`)
      left.set(itemId, free - quantity)
      return { itemId, quantity }
    }),
  )
  if ([...left.values()].some((units) => units > 0)) {
    throw invalidField('packages', 'разложите все единицы заказа: часть ни в одной коробке')
  }
  return packed
}

/** Applies a split that the marketplace has made. */
export async function splitHere(
  work: Work,
  { clientId, cabinetId, orderId }: { clientId: string; cabinetId: string; orderId: string },
  { items }: SplitOrders,
): Promise<readonly string[]> {
  const lines = (await storedLines(work, clientId, [orderId])).get(orderId) ?? []
  const drafts = items.map((item) => ({
    ...item,
    lines: item.lines.map(({ barcodes: _, ...line }) => {
      const own = lines.find((one) => one.item_id === line.itemId)
      return own?.barcode == null ? line : { ...line, barcode: own.barcode }
    }),
  }))
  return splitOrder(work, clientId, { cabinetId, orderId, parts: drafts }, refuseWhileEnding)
}
