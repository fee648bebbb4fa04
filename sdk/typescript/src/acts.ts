import type { Act, GetActFileQuery, ListActsQuery } from './api.ts'
import { itemsOf, type Page, queryAndOptions, readPage } from './pages.ts'
import { type CallOptions, segment, type Transport } from './transport.ts'

const mediaOf = { pdf: 'application/pdf', html: 'text/html', '1c': 'text/csv' } as const

/** Акты закрытых месяцев. */
export class Acts {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query: ListActsQuery & CallOptions = {}, options: CallOptions = {}): Promise<Page<Act>> {
    return readPage(this.#transport, '/v1/acts', query, options)
  }

  get(id: string, { signal }: CallOptions = {}): Promise<Act> {
    return this.#transport.read({ method: 'GET', path: `/v1/acts/${segment(id)}`, signal })
  }

  /** Акт файлом: PDF, страница или строки для 1С. */
  file(
    id: string,
    given: GetActFileQuery & CallOptions = {},
    options: CallOptions = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const path = `/v1/acts/${segment(id)}/file`
    const media = mediaOf[given.format ?? 'pdf']
    return this.#transport.read({ method: 'GET', path, media, ...queryAndOptions(given, options) })
  }

  /** Все акты, последний первым: страницы запрашиваются по мере чтения. */
  all(
    query: ListActsQuery & CallOptions = {},
    options: CallOptions = {},
  ): AsyncGenerator<Act, void, void> {
    return itemsOf((page) => this.list(page, options), { limit: 200, ...query })
  }
}
