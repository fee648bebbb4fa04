import { type WebhookOptions } from './handler.ts';
/** Приёмники вебхуков для Node: его собственный сервер и Fastify. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
    readonly method?: string | undefined;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    /** Bytes, where `express.raw()` read them. */
    readonly body?: unknown;
    readonly readableDidRead?: boolean;
}
interface NodeResponse {
    writeHead(status: number, headers?: Record<string, string>): {
        end(text?: string): unknown;
    };
}
/** Для `http.createServer` и Express — до `express.json()` или после `express.raw()`: нужны байты тела, какими они пришли. */
export declare function nodeWebhookHandler(options: WebhookOptions): (request: NodeRequest, response: NodeResponse) => Promise<void>;
interface FastifyReply {
    code(status: number): {
        send(): unknown;
    };
}
interface FastifyRequest {
    readonly body: unknown;
    readonly headers: NodeRequest['headers'];
}
type BodyParser = (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void;
/** What the plugin needs of Fastify; its own types are not needed to use this package. */
interface FastifyLike {
    removeAllContentTypeParsers(): unknown;
    addContentTypeParser(type: string, options: {
        parseAs: 'buffer';
        bodyLimit: number;
    }, parser: BodyParser): unknown;
    post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown): unknown;
}
/** Плагин для Fastify: `await app.register(fastifyWebhooks({ path: '/sklad', secret, store, handle }))`. */
export declare function fastifyWebhooks({ path, ...options }: WebhookOptions & {
    readonly path: string;
}): (app: FastifyLike) => Promise<void>;
export {};
