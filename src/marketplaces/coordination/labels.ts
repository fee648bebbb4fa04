import type { Database } from '../../db/connection.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { labelCodeOf } from '../../orders/facts.ts'
import { observedMessage } from '../../shipments/observed.ts'
import type { Connect } from '../connect.ts'
import {
  type Cabinet,
  connectionOfOrder,
  connectionOfShipment,
  isConnected,
} from '../connected-cabinet.ts'
import type { ShipmentDocument, Shipping, Sticker } from '../connector.ts'
import { withStaffErrors } from './staff-errors.ts'

/** Labels of orders and shipments, as the marketplace issues them. */
export interface Labels {
  /** Throws not_found, conflict, marketplace_unavailable. */
  sticker(clientId: string, orderId: string): Promise<Sticker>
  /** Those of several orders of a shipment that the marketplace has printed. Throws as `sticker` does. */
  stickers(
    clientId: string,
    shipmentId: string,
    numbers: readonly string[],
  ): Promise<readonly Sticker[]>
  /** The code that the marketplace scans at the hand-over. Throws as `sticker` does. */
  pass(clientId: string, shipmentId: string): Promise<Sticker>
  /** A PDF of the marketplace. Throws as `sticker` does. */
  document(clientId: string, shipmentId: string, document: ShipmentDocument): Promise<Sticker>
}

export function openLabels(db: Database, connect: Connect): Labels {
  function ask<T>(cabinet: Cabinet, call: (shipping: Shipping) => Promise<T>): Promise<T> {
    if (!isConnected(cabinet)) throw conflict('Кабинет не подключён: этикетку взять неоткуда')
    if (cabinet.shipments === 'observe') throw conflict(observedMessage)
    return withStaffErrors(() => call(connect(cabinet).shipping))
  }

  return {
    async sticker(clientId, orderId) {
      const order = await connectionOfOrder(db, clientId, orderId)
      if (order === undefined) throw notFound('Заказ не найден')
      const [sticker] = await ask(order, (shipping) => shipping.stickers([order.externalId]))
      if (sticker === undefined) throw notFound('Маркетплейс ещё не дал этикетку этого заказа')
      if (sticker.code !== undefined) return sticker
      return { ...sticker, code: await labelCodeOf(db, clientId, orderId) }
    },

    async stickers(clientId, shipmentId, numbers) {
      const shipment = await connectionOfShipment(db, clientId, shipmentId)
      if (shipment === undefined) throw notFound('Отгрузка не найдена')
      if (shipment.marketplace === 'OZON') {
        throw conflict('OZON печатает этикетки в PDF, каждую отдельно: печатайте их по заказам')
      }
      return numbers.length === 0 ? [] : ask(shipment, (shipping) => shipping.stickers(numbers))
    },

    async pass(clientId, shipmentId) {
      const shipment = await connectionOfShipment(db, clientId, shipmentId)
      if (shipment === undefined) throw notFound('Отгрузка не найдена')
      return ask(shipment, (shipping) => shipping.pass(shipment.externalId))
    },

    async document(clientId, shipmentId, document) {
      const shipment = await connectionOfShipment(db, clientId, shipmentId)
      if (shipment === undefined) throw notFound('Отгрузка не найдена')
      return ask(shipment, (shipping) => shipping.document(shipment.externalId, document))
    },
  }
}
