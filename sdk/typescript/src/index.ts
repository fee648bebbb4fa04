export type { Acts } from './acts.ts'
export type * from './api.ts'
export type { Charges } from './charges.ts'
export { type RequestOptions, Sklad } from './client.ts'
export {
  type ClientErrorCode,
  SkladError,
  type SkladErrorCode,
} from './errors.ts'
export type { SkladEvent, SkladEventType } from './event.ts'
export type { Events, FeedEvent, FeedPage, FeedQuery } from './events.ts'
export type { Goods } from './goods.ts'
export { type EventStore, type WebhookOptions, webhookHandler } from './handler.ts'
export type { Orders } from './orders.ts'
export type { Page } from './pages.ts'
export type { CreateReceiptOptions, Receipts } from './receipts.ts'
export type { Returns } from './returns.ts'
export type { Sandbox, SandboxReceivers } from './sandbox.ts'
export type { Shipments } from './shipments.ts'
export type { Stock, StockChanges, StockChangesQuery } from './stock.ts'
export type { Timing } from './time.ts'
export type { CallOptions, SkladOptions } from './transport.ts'
export { type HeadersGiven, type VerifyOptions, verifyWebhook } from './webhook.ts'
export type { Webhooks } from './webhooks.ts'
