/** The types of events that a client can subscribe to; `webhook.ping` only checks an address. */
export const subscribableTypes = [
  'receipt.created',
  'receipt.confirmed',
  'receipt.status_changed',
  'receipt.completed',
  'shipment.status_changed',
  'order.status_changed',
] as const
export type SubscribableType = (typeof subscribableTypes)[number]

export const eventTypes = [...subscribableTypes, 'webhook.ping'] as const
export type EventType = (typeof eventTypes)[number]
