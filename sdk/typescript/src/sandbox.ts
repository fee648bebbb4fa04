import type {
  CreatedSandboxReceiver,
  SandboxAdvance,
  SandboxAdvanced,
  SandboxMessage,
  SandboxReceiver,
  SandboxReceiverDraft,
  SandboxTrigger,
} from './api.ts'
import { type CallOptions, segment, type Transport } from './transport.ts'

/** Имена, которые известны этой версии клиента; сервис может знать и другие. */
export type SituationName = SandboxTrigger['trigger'] | (string & Record<never, never>)

/** Песочница: только для тестовых ключей. */
export class Sandbox {
  readonly receivers: SandboxReceivers
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
    this.receivers = new SandboxReceivers(transport)
  }

  /** Возвращает данные ключа к исходному сценарию. */
  reset({ signal }: CallOptions = {}): Promise<SandboxMessage> {
    const path = '/v1/sandbox/reset'
    return this.#transport.read({ method: 'POST', path, signal, repeats: 'always' })
  }

  /** Вызывает одну ситуацию на складе, например `receipt_completed`. Ответ называет, что затронуто. */
  trigger(name: SituationName, { signal }: CallOptions = {}): Promise<SandboxTrigger> {
    const path = `/v1/sandbox/triggers/${segment(name)}`
    return this.#transport.read({ method: 'POST', path, signal })
  }

  /** Проигрывает часы работы склада сейчас: от 1 до 168. */
  advance(given: number | SandboxAdvance, { signal }: CallOptions = {}): Promise<SandboxAdvanced> {
    const body = typeof given === 'number' ? { hours: given } : given
    return this.#transport.read({ method: 'POST', path: '/v1/sandbox/advance', body, signal })
  }
}

/** Приёмники песочницы: адреса, которые отвечают на вебхуки по списку. */
export class SandboxReceivers {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** `answers` — чем отвечать по порядку: код, например `500`, или `timeout`; последний — на все остальные. */
  create(
    draft: SandboxReceiverDraft,
    { signal }: CallOptions = {},
  ): Promise<CreatedSandboxReceiver> {
    const path = '/v1/sandbox/receivers'
    return this.#transport.read({ method: 'POST', path, body: draft, signal })
  }

  /** Что пришло на адрес. */
  get(id: string, { signal }: CallOptions = {}): Promise<SandboxReceiver> {
    const path = `/v1/sandbox/receivers/${segment(id)}`
    return this.#transport.read({ method: 'GET', path, signal })
  }
}
