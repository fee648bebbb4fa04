import type { Database } from '../../../platform/db/connection.ts'
import { perform } from '../../../platform/db/work.ts'
import type { Clock } from '../../../platform/kernel/clock.ts'
import { conflict, notFound } from '../../../platform/kernel/errors.ts'
import { addLabelCodes, labelCodeOf, unknownLabelCodes } from '../../../warehouse/orders/facts.ts'
import { type OrderToDeclare, ordersToDeclare } from '../../../warehouse/picking/given-marks.ts'
import { observedMessage } from '../../../warehouse/shipments/state.ts'
import { MarketplaceError, unlessRejected } from '../calls/failure.ts'
import {
  type Cabinet,
  type CabinetOfShipment,
  connectionOfOrder,
  connectionOfShipment,
  isConnected,
} from '../connecting/connected-cabinet.ts'
import type { Connect } from '../connecting/open-connector.ts'
import type { ShipmentDocument, Shipping, Sticker } from '../connector.ts'
import { withStaffErrors } from './staff-errors.ts'

export interface LabelParts {
  readonly db: Database
  readonly clock: Clock
  readonly connect: Connect
}

/** Labels of orders and shipments, as the marketplace issues them. */
export interface Labels {
  /** Throws not_found, conflict, marketplace_unavailable. */
  sticker(clientId: string, orderId: string): Promise<Sticker>
  /**
   * Those of several orders of a shipment that the marketplace has printed, and why it has not printed the others.
   * Throws as `sticker` does where it prints none because of the cabinet.
   */
  stickers(
    clientId: string,
    shipmentId: string,
    numbers: readonly string[],
  ): Promise<PrintedStickers>
  /** The code that the marketplace scans at the hand-over. Throws as `sticker` does. */
  pass(clientId: string, shipmentId: string): Promise<Sticker>
  /** A PDF of the marketplace. Throws as `sticker` does. */
  document(clientId: string, shipmentId: string, document: ShipmentDocument): Promise<Sticker>
}

export interface PrintedStickers {
  /** Or pictures. */
  readonly arePdfs: boolean
  readonly printed: readonly Sticker[]
  readonly missing: readonly MissingSticker[]
}

export interface MissingSticker {
  readonly externalId: string
  /** In Russian. */
  readonly reason: string
}

export function openLabels({ db, clock, connect }: LabelParts): Labels {
  function ask<T>(cabinet: Cabinet, call: (shipping: Shipping) => Promise<T>): Promise<T> {
    if (!isConnected(cabinet)) throw conflict('Кабинет не подключён: этикетку взять неоткуда')
    if (cabinet.shipments === 'observe') throw conflict(observedMessage)
    return withStaffErrors(() => call(connect(cabinet).shipping))
  }

  /** A returned order is recognized by what is on its label. */
  async function rememberCodes({ clientId, id }: Cabinet, stickers: readonly Sticker[]) {
    const codes = new Map(stickers.map(({ externalId, codes = [] }) => [externalId, codes]))
    const added = await unknownLabelCodes(db, clientId, id, codes)
    if (added.size === 0) return
    await perform(db, clock, { kind: 'service' }, (work) =>
      addLabelCodes(work, clientId, id, added),
    )
  }

  /** The declarations that are known here go first, where the marketplace prints no sticker without them. */
  async function print(cabinet: Cabinet, shipping: Shipping, numbers: readonly string[]) {
    const orders = shipping.printsDeclaredOnly
      ? await ordersToDeclare(db, cabinet.clientId, cabinet.id, numbers)
      : []
    await declare(shipping, orders)
    const stickers = await shipping.stickers(numbers)
    await rememberCodes(cabinet, stickers)
    return { stickers, undeclared: new Set(orders.map(({ externalId }) => externalId)) }
  }

  async function printAll(cabinet: Cabinet, shipping: Shipping, numbers: readonly string[]) {
    const notYet = `${cabinet.marketplace} ещё не дал этикетку этого заказа`
    if (shipping.printsOneByOne) return stickersOneByOne(shipping, numbers, notYet)
    const { stickers: printed, undeclared } = await print(cabinet, shipping, numbers)
    const known = new Set(printed.map(({ externalId }) => externalId))
    const missing = numbers
      .filter((number) => !known.has(number))
      .map((externalId) => ({
        externalId,
        reason: undeclared.has(externalId) ? notDeclared(cabinet) : notYet,
      }))
    return { arePdfs: false, printed, missing }
  }

  return {
    async sticker(clientId, orderId) {
      const order = await connectionOfOrder(db, clientId, orderId)
      if (order === undefined) throw notFound('Заказ не найден')
      const { stickers } = await ask(order, (shipping) =>
        print(order, shipping, [order.externalId]),
      )
      const [sticker] = stickers
      if (sticker === undefined) throw notFound('Маркетплейс ещё не дал этикетку этого заказа')
      if (sticker.code !== undefined) return sticker
      return { ...sticker, code: await labelCodeOf(db, clientId, orderId) }
    },

    async stickers(clientId, shipmentId, numbers) {
      const shipment = await connectionOfShipment(db, clientId, shipmentId)
      if (shipment === undefined) throw notFound('Отгрузка не найдена')
      return ask(shipment, (shipping) => printAll(shipment, shipping, numbers))
    },

    async pass(clientId, shipmentId) {
      const shipment = await connectionOfShipment(db, clientId, shipmentId)
      if (shipment === undefined) throw notFound('Отгрузка не найдена')
      refuseBeforeCreation(shipment)
      return ask(shipment, (shipping) => shipping.pass(shipment.externalId))
    },

    async document(clientId, shipmentId, document) {
      const shipment = await connectionOfShipment(db, clientId, shipmentId)
      if (shipment === undefined) throw notFound('Отгрузка не найдена')
      refuseBeforeCreation(shipment)
      return ask(shipment, (shipping) => shipping.document(shipment.externalId, document))
    },
  }
}

function notDeclared({ marketplace }: Cabinet): string {
  return `${marketplace} даёт этикетку после номера таможенной декларации: введите его у единицы в задании на сборку и напечатайте ещё раз`
}

/** A refusal costs no other order its label: the order's own is missing then. */
async function declare(shipping: Shipping, orders: readonly OrderToDeclare[]): Promise<void> {
  const declared = orders.flatMap(({ externalId, declaration }) => {
    if (declaration === null) return []
    const marks = { customs_declaration: declaration }
    return [{ externalId, units: [{ itemId: null, markingCode: null, marks }] }]
  })
  if (declared.length === 0 || (await isTaken(shipping.attachMarks(declared)))) return
  for (const order of declared) await isTaken(shipping.attachMarks([order]))
}

async function isTaken(sent: Promise<void>): Promise<boolean> {
  return (await unlessRejected(sent.then(() => true))) ?? false
}

const printedAtOnce = 5
/** All labels of one call together; OZON's have some ten kilobytes. */
const bytesMax = 48 * 1024 * 1024

async function stickersOneByOne(
  shipping: Shipping,
  numbers: readonly string[],
  notYet: string,
): Promise<PrintedStickers> {
  const printed: Sticker[] = []
  const missing: MissingSticker[] = []
  let bytes = 0
  for (let at = 0; at < numbers.length; at += printedAtOnce) {
    const some = numbers.slice(at, at + printedAtOnce)
    for (const [n, result] of (
      await Promise.all(some.map((one) => tryOne(shipping, one)))
    ).entries()) {
      const externalId = some[n] ?? ''
      const reason = bytes > bytesMax ? tooMuch : result.reason
      if (result.sticker === undefined || reason !== undefined) {
        missing.push({ externalId, reason: reason ?? notYet })
      } else {
        printed.push(result.sticker)
        bytes += result.sticker.bytes.length
      }
    }
  }
  return { arePdfs: true, printed, missing }
}

const tooMuch = 'Этикетки не поместились в один документ: напечатайте эту отдельно'

async function tryOne(
  shipping: Shipping,
  number: string,
): Promise<{ readonly sticker?: Sticker | undefined; readonly reason?: string }> {
  try {
    const [sticker] = await shipping.stickers([number])
    return { sticker }
  } catch (error) {
    // A refused key concerns all orders alike.
    if (!(error instanceof MarketplaceError) || error.kind === 'credentials') throw error
    return { reason: error.message }
  }
}

function refuseBeforeCreation({ awaitsCreation }: CabinetOfShipment): void {
  if (!awaitsCreation) return
  throw conflict(
    'Отгрузки на маркетплейсе ещё нет: если она ему нужна, он создаст её, когда её закроют. В пункт заказы сдают по этикеткам',
  )
}
