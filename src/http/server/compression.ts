import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Compresses answers in the encoding that the caller prefers, Brotli before gzip. Short answers, and callers who
 * name no encoding, get the bytes as they are.
 */

const compressions = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const
export type Encoding = keyof typeof compressions
const encodings = Object.keys(compressions) as Encoding[]

/** A shorter answer fits into a packet anyway. */
const bytesMin = 1_400

/** The levels at which processor time per byte saved is best: bench/README.md. */
const options = {
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
  gzip: { level: 3 },
} as const

const negotiator = new Negotiator({ supportedValues: encodings })

/** The encoding that the caller prefers to plain bytes; undefined where there is none. */
export function encodingFor(request: FastifyRequest): Encoding | undefined {
  const header = request.headers['accept-encoding']
  if (header === undefined) return undefined
  return negotiator.negotiate(String(header).toLowerCase()) ?? undefined
}

/** Whether an answer of so many plain bytes is worth it. */
export function isLong(plainBytes: number): boolean {
  return plainBytes >= bytesMin
}

export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(reply, payload)) return done(null, payload)
    reply.header('Vary', 'Accept-Encoding')
    const encoding = encodingFor(request)
    if (encoding === undefined) return done(null, payload)
    reply.header('Content-Encoding', encoding)
    reply.removeHeader('Content-Length')
    const compressed =
      encoding === 'br'
        ? compressions.br(payload, options.br)
        : compressions.gzip(payload, options.gzip)
    compressed.then((bytes) => done(null, bytes), done)
  })
}

function isCompressible(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false
  if (!isLong(Buffer.byteLength(payload)) || reply.hasHeader('content-encoding')) return false
  return /^(?:application\/json|text\/)/.test(String(reply.getHeader('content-type') ?? ''))
}
