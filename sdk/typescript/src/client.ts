import { Acts } from './acts.ts'
import type { GetMetricsQuery, Me, Metrics, SandboxKey } from './api.ts'
import { Charges } from './charges.ts'
import { Events } from './events.ts'
import { Goods } from './goods.ts'
import { Orders } from './orders.ts'
import { queryAndOptions } from './pages.ts'
import { Receipts } from './receipts.ts'
import { Returns } from './returns.ts'
import { Sandbox } from './sandbox.ts'
import { Shipments } from './shipments.ts'
import { Stock } from './stock.ts'
import { type CallOptions, type SkladOptions, Transport } from './transport.ts'
import { Webhooks } from './webhooks.ts'

export interface RequestOptions extends CallOptions {
  readonly query?: object | undefined
  readonly body?: unknown
}

/** Клиент интерфейса Sklad. Ошибки — SkladError; прерванный вызов отклоняется с `signal.reason`. */
export class Sklad {
  readonly stock: Stock
  readonly goods: Goods
  readonly orders: Orders
  readonly receipts: Receipts
  readonly shipments: Shipments
  readonly returns: Returns
  readonly charges: Charges
  readonly acts: Acts
  readonly webhooks: Webhooks
  readonly events: Events
  readonly sandbox: Sandbox
  readonly #transport: Transport

  constructor(options: SkladOptions) {
    const transport = new Transport(options)
    this.#transport = transport
    this.stock = new Stock(transport)
    this.goods = new Goods(transport)
    this.orders = new Orders(transport)
    this.receipts = new Receipts(transport)
    this.shipments = new Shipments(transport)
    this.returns = new Returns(transport)
    this.charges = new Charges(transport)
    this.acts = new Acts(transport)
    this.webhooks = new Webhooks(transport)
    this.events = new Events(transport)
    this.sandbox = new Sandbox(transport)
  }

  /** Новый тестовый ключ со своей песочницей. */
  static async sandboxKey({ signal, ...options }: Omit<SkladOptions, 'key'>): Promise<string> {
    const transport = new Transport(options)
    const call = { method: 'POST', path: '/v1/sandbox/keys', signal, repeats: 'always' } as const
    return (await transport.read<SandboxKey>(call)).key
  }

  /** Кому принадлежит ключ. */
  me({ signal }: CallOptions = {}): Promise<Me> {
    return this.#transport.read({ method: 'GET', path: '/v1/me', signal })
  }

  /** Показатели за период; без границ — за последние 30 дней. */
  metrics(query: GetMetricsQuery & CallOptions = {}, options: CallOptions = {}): Promise<Metrics> {
    const call = { method: 'GET', path: '/v1/metrics', ...queryAndOptions(query, options) }
    return this.#transport.read(call)
  }

  /** Любой вызов: для тех, у которых ещё нет своего метода. Отвечает телом ответа. */
  request(method: string, path: string, options: RequestOptions = {}): Promise<unknown> {
    return this.#transport.read({ method, path, ...options })
  }
}
