import type { CreatedSandboxReceiver, SandboxAdvance, SandboxAdvanced, SandboxMessage, SandboxReceiver, SandboxReceiverDraft, SandboxTrigger } from './api.ts';
import { type CallOptions, type Transport } from './transport.ts';
/** Имена, которые известны этой версии клиента; сервис может знать и другие. */
export type SituationName = SandboxTrigger['trigger'] | (string & Record<never, never>);
/** Песочница: только для тестовых ключей. */
export declare class Sandbox {
    #private;
    readonly receivers: SandboxReceivers;
    constructor(transport: Transport);
    /** Возвращает данные ключа к исходному сценарию. */
    reset({ signal }?: CallOptions): Promise<SandboxMessage>;
    /** Вызывает одну ситуацию на складе, например `receipt_completed`. Ответ называет, что затронуто. */
    trigger(name: SituationName, { signal }?: CallOptions): Promise<SandboxTrigger>;
    /** Проигрывает часы работы склада сейчас: от 1 до 168. */
    advance(given: number | SandboxAdvance, { signal }?: CallOptions): Promise<SandboxAdvanced>;
}
/** Приёмники песочницы: адреса, которые отвечают на вебхуки по списку. */
export declare class SandboxReceivers {
    #private;
    constructor(transport: Transport);
    /** `answers` — чем отвечать по порядку: код, например `500`, или `timeout`; последний — на все остальные. */
    create(draft: SandboxReceiverDraft, { signal }?: CallOptions): Promise<CreatedSandboxReceiver>;
    /** Что пришло на адрес. */
    get(id: string, { signal }?: CallOptions): Promise<SandboxReceiver>;
}
