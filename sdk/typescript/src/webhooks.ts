import type {
  AttemptList,
  CreatedWebhook,
  Delivery,
  ListDeliveriesQuery,
  QueuedPing,
  QueuedResend,
  QueuedResends,
  ResendDraft,
  Webhook,
  WebhookDraft,
  WebhookList,
} from './api.ts'
import { isOutcomeUnknown, SkladError } from './errors.ts'
import { itemsOf, type Page, readPage } from './pages.ts'
import { type CallOptions, segment, type Transport } from './transport.ts'

/** Подписки на события. */
export class Webhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list({ signal }: CallOptions = {}): Promise<WebhookList> {
    return this.#transport.read({ method: 'GET', path: '/v1/webhooks', signal })
  }

  /** Секрет подписи показан один раз, в ответе. */
  create(draft: WebhookDraft, { signal }: CallOptions = {}): Promise<CreatedWebhook> {
    return this.#transport.read({ method: 'POST', path: '/v1/webhooks', body: draft, signal })
  }

  get(id: string, { signal }: CallOptions = {}): Promise<Webhook> {
    return this.#transport.read({ method: 'GET', path: pathOf(id), signal })
  }

  /** Журнал доставок удаляется вместе с подпиской. */
  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    let mayBeGone = false
    try {
      await this.#transport.send({
        method: 'DELETE',
        path: pathOf(id),
        signal,
        repeats: 'always',
        beforeRepeat: async (error) => {
          mayBeGone ||= isOutcomeUnknown(error)
          return undefined
        },
      })
    } catch (error) {
      if (!(mayBeGone && error instanceof SkladError && error.code === 'not_found')) throw error
    }
  }

  /** Ставит в очередь webhook.ping; итог виден в журнале доставок. */
  ping(id: string, { signal }: CallOptions = {}): Promise<QueuedPing> {
    return this.#transport.read({ method: 'POST', path: `${pathOf(id)}/ping`, signal })
  }

  /** Журнал доставок, новые первыми. */
  deliveries(
    id: string,
    query: ListDeliveriesQuery & CallOptions = {},
    options: CallOptions = {},
  ): Promise<Page<Delivery>> {
    return readPage(this.#transport, `${pathOf(id)}/deliveries`, query, options)
  }

  /** Весь журнал: страницы запрашиваются по мере чтения. */
  allDeliveries(
    id: string,
    query: ListDeliveriesQuery & CallOptions = {},
    options: CallOptions = {},
  ): AsyncGenerator<Delivery, void, void> {
    return itemsOf((page) => this.deliveries(id, page, options), { limit: 200, ...query })
  }

  /** Доставка с событием, как оно отправлено. Годится и значение X-SVC-Delivery. */
  delivery(id: string, deliveryId: string, { signal }: CallOptions = {}): Promise<Delivery> {
    const path = `${pathOf(id)}/deliveries/${segment(deliveryId)}`
    return this.#transport.read({ method: 'GET', path, signal })
  }

  /** Попытки одной доставки, по порядку. */
  attempts(id: string, deliveryId: string, { signal }: CallOptions = {}): Promise<AttemptList> {
    const path = `${pathOf(id)}/deliveries/${segment(deliveryId)}/attempts`
    return this.#transport.read({ method: 'GET', path, signal })
  }

  /** Отправляет событие доставки ещё раз, новой доставкой. */
  resendDelivery(
    id: string,
    deliveryId: string,
    { signal }: CallOptions = {},
  ): Promise<QueuedResend> {
    const path = `${pathOf(id)}/deliveries/${segment(deliveryId)}/resend`
    return this.#transport.read({ method: 'POST', path, signal })
  }

  /** Отправляет ещё раз события периода. */
  resend(id: string, draft: ResendDraft, { signal }: CallOptions = {}): Promise<QueuedResends> {
    return this.#transport.read({
      method: 'POST',
      path: `${pathOf(id)}/resend`,
      body: draft,
      signal,
    })
  }
}

function pathOf(id: string): string {
  return `/v1/webhooks/${segment(id)}`
}
