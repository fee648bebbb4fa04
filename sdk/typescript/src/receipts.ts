import type { ListReceiptsQuery, Receipt, ReceiptDraft } from './api.ts'
import { isOutcomeUnknown } from './errors.ts'
import { itemsOf, type Page, type RawPage, readPage } from './pages.ts'
import { type Answer, type CallOptions, segment, type Transport } from './transport.ts'

const dayMs = 24 * 60 * 60 * 1000

export interface CreateReceiptOptions extends CallOptions {
  /**
   * Номер запроса, если нет `external_ref`: по нему сервис узнаёт повтор. Без него клиент придумывает свой; задайте его
   * сами, если можете повторить вызов после перезапуска программы.
   */
  readonly idempotencyKey?: string | undefined
}

/** Приёмки и заявки на них. */
export class Receipts {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Приёмки без состава. */
  list(
    query: ListReceiptsQuery & CallOptions = {},
    options: CallOptions = {},
  ): Promise<Page<Receipt>> {
    return readPage(this.#transport, '/v1/receipts', query, options)
  }

  /** Приёмка вместе с составом. */
  get(id: string, { signal }: CallOptions = {}): Promise<Receipt> {
    return this.#transport.read({ method: 'GET', path: `/v1/receipts/${segment(id)}`, signal })
  }

  /** Все приёмки под фильтром: страницы запрашиваются по мере чтения. */
  all(
    query: ListReceiptsQuery & CallOptions = {},
    options: CallOptions = {},
  ): AsyncGenerator<Receipt, void, void> {
    return itemsOf((page) => this.list(page, options), { limit: 200, ...query })
  }

  /**
   * Создаёт заявку на приёмку; повторяется сам. Если есть `external_ref` и ответ потерялся, клиент сначала ищет заявку с
   * этим номером: подтверждённую повтор создал бы второй раз. Если вызов всё же закончился ошибкой без ответа, ищите её
   * по номеру и вы, прежде чем создавать снова. Без `external_ref` повтор узнаёт сервис, по `Idempotency-Key`.
   */
  async create(
    draft: ReceiptDraft,
    { signal, idempotencyKey = crypto.randomUUID() }: CreateReceiptOptions = {},
  ): Promise<Receipt> {
    if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
      throw new TypeError('idempotencyKey: нужны от 1 до 255 видимых знаков ASCII')
    const { external_ref: reference } = draft
    const { elapsedMs } = this.#transport.timing
    const startedMs = elapsedMs()
    let mayExist = false
    return this.#transport.read({
      method: 'POST',
      path: '/v1/receipts',
      body: draft,
      headers: { 'Idempotency-Key': idempotencyKey },
      signal,
      repeats: 'always',
      beforeRepeat: async (error) => {
        mayExist ||= isOutcomeUnknown(error)
        if (reference === undefined || !mayExist) return undefined
        return this.#lookUp(reference, elapsedMs() - startedMs, signal)
      },
    })
  }

  /**
   * The newest receipt of this reference, unless it is a day older than the call: a number may be used again, and a
   * receipt of last year is no answer to a request of today. The age is by the service's own clock.
   */
  async #lookUp(
    reference: string,
    calledMsAgo: number,
    signal: AbortSignal | undefined,
  ): Promise<Answer | undefined> {
    const query = { external_ref: reference, limit: 200 }
    const call = { method: 'GET', path: '/v1/receipts', query, signal }
    const { headers, body } = await this.#transport.send(call)
    const now = Date.parse(headers.get('Date') ?? '')
    const oldest = Number.isNaN(now) ? Number.NEGATIVE_INFINITY : now - calledMsAgo - dayMs
    const [found] = (body as RawPage<Receipt>).items
      .filter(({ external_ref }) => external_ref === reference)
      .filter(({ created_at }) => Date.parse(created_at) >= oldest)
      .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
    if (found === undefined) return undefined
    const path = `/v1/receipts/${segment(found.id)}`
    return this.#transport.send({ method: 'GET', path, signal })
  }
}
