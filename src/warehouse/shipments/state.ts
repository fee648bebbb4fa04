/**
 * States of a shipment.
 *
 *   ASSEMBLING --close--> HANDED_OVER --accept--> ACCEPTED
 *
 * Orders join and leave while it is ASSEMBLING; cancelling it then deletes it. Closing it takes its units from the ledger. It is
 * accepted once the marketplace has scanned it at its own warehouse; only then it is terminal.
 */
export const shipmentStatuses = ['ASSEMBLING', 'HANDED_OVER', 'ACCEPTED'] as const
export type ShipmentStatus = (typeof shipmentStatuses)[number]

export const shipmentStatusLabels: Readonly<Record<ShipmentStatus, string>> = {
  ASSEMBLING: 'Собирается',
  HANDED_OVER: 'Передана маркетплейсу',
  ACCEPTED: 'Принята маркетплейсом',
}

export const shipmentVerbs = ['fill', 'prepare', 'close', 'cancel', 'accept'] as const
export type ShipmentVerb = (typeof shipmentVerbs)[number]

const from: Readonly<Record<ShipmentVerb, ShipmentStatus>> = {
  fill: 'ASSEMBLING',
  prepare: 'ASSEMBLING',
  close: 'ASSEMBLING',
  cancel: 'ASSEMBLING',
  accept: 'HANDED_OVER',
}

/** Why a shipment of that status does not take a verb, and what to do, in Russian. */
export function refusalOfShipment(status: ShipmentStatus): string {
  return `Отгрузка в состоянии «${shipmentStatusLabels[status]}»: ${advice[status]}`
}

const advice: Readonly<Record<ShipmentStatus, string>> = {
  ASSEMBLING: 'сначала передайте её маркетплейсу',
  HANDED_OVER: 'она уже уехала, состав не изменить',
  ACCEPTED: 'маркетплейс её уже принял',
}

/**
 * Whether the verb is allowed in that status. `fill` is adding and removing orders, `prepare` is choosing
 * the shipping method and making boxes.
 */
export function allowsShipmentVerb(status: ShipmentStatus, verb: ShipmentVerb): boolean {
  return from[verb] === status
}

/** Why a mirrored shipment takes no verb but `accept`, in Russian. */
export const mirroredMessage = 'Эту отгрузку собирают в кабинете маркетплейса'

export const observedMessage =
  'Кабинет только наблюдают, здесь его отгрузки не собирают: сначала переключите кабинет'

interface OrderInside {
  readonly external_id: string
  readonly status: string
  readonly packed_at: unknown
}

/** Why these orders can't be handed over, in Russian; undefined where they can. Cancelled ones stay behind. */
export function refusalToClose(orders: readonly OrderInside[]): string | undefined {
  if (orders.length === 0) return 'В отгрузке нет заказов'
  const leaving = orders.filter(({ status }) => status !== 'CANCELLED')
  if (leaving.length === 0) {
    return 'В отгрузке все заказы отменены: уберите их и добавьте те, что поедут'
  }
  const [first, ...more] = leaving.filter(({ packed_at: at }) => at === null)
  if (first === undefined) return undefined
  const others = more.length === 0 ? '' : `, и ещё ${more.length}`
  return `Заказ ${first.external_id} не собран${others}: соберите или уберите из отгрузки`
}
