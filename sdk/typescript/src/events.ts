import type { ListEventsQuery } from './api.ts'
import type { SkladEvent, SkladEventType } from './event.ts'
import { queryAndOptions } from './pages.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface FeedQuery extends CallOptions {
  /** Позиция, после которой читать; без неё — с самого старого события, `latest` — только новые. */
  readonly after?: string | undefined
  readonly types?: readonly SkladEventType[] | string | undefined
  /** Событий за один запрос: от 1 до 1000. */
  readonly limit?: number | undefined
  /** Сколько секунд ждать первого события: от 0 до 25. */
  readonly wait?: number | undefined
}

export interface FeedPage {
  readonly items: SkladEvent[]
  /** Передайте в `after` следующего вызова. */
  readonly nextAfter: string
  readonly hasMore: boolean
}

/** Событие и его позиция: с ней лента продолжится со следующего события. Типы событий должны быть теми же. */
export type FeedEvent = SkladEvent & { readonly position: string }

interface RawFeedPage {
  readonly items: SkladEvent[]
  readonly next_after: string
  readonly has_more: boolean
}

/** The service waits no longer. */
const waitMaxSeconds = 25

/** Лента событий. */
export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query: FeedQuery = {}, options: CallOptions = {}): Promise<FeedPage> {
    return this.#read(query, options)
  }

  /**
   * Все события после `after` и дальше, по мере того как они происходят; конца нет. Обрыв связи, перезапуск и
   * перегрузка сервиса ленту не прерывают: она продолжается сама, и ни одно событие не теряется и не повторяется.
   * Сохраняйте `position` вместе с обработанным событием. Ошибка `bad_cursor` значит, что позиция устарела:
   * начните без `after` и сверьте списки.
   */
  async *stream(
    given: FeedQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<FeedEvent, void, void> {
    const query = { wait: waitMaxSeconds, ...given }
    let { after } = query
    for (;;) {
      const page = await this.#read({ ...query, after }, options, Number.POSITIVE_INFINITY)
      for (const [index, event] of page.items.entries()) {
        const isLast = index === page.items.length - 1
        yield { ...event, position: isLast ? page.nextAfter : within(after, event.id) }
      }
      after = page.nextAfter
    }
  }

  async #read(given: FeedQuery, options: CallOptions, retries?: number): Promise<FeedPage> {
    const { query, signal } = queryAndOptions(given, options)
    const [after, last] = placeOf(query.after)
    const asked: ListEventsQuery = { ...query, after, types: query.types?.toString() }
    const { items, next_after, has_more } = await this.#transport.read<RawFeedPage>({
      method: 'GET',
      path: '/v1/events',
      query: asked,
      signal,
      retries,
      heldMs: Math.min(query.wait ?? 0, waitMaxSeconds) * 1000,
    })
    const known = items.findIndex(({ id }) => id === last)
    return { items: items.slice(known + 1), nextAfter: next_after, hasMore: has_more }
  }
}

/**
 * The service gives a position at the end of a page. A position within a page is the page's own position and the last
 * event that was seen. The order never changes, so it is exact to read that page again and leave out what comes
 * before.
 */
const mark = '~'

function within(after: string | undefined, eventId: string): string {
  const [page = ''] = placeOf(after)
  return `${page}${mark}${eventId}`
}

function placeOf(position: string | undefined): [string | undefined, string | undefined] {
  const [page, last] = position?.split(mark) ?? []
  return [page === '' ? undefined : page, last]
}
