import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingFor } from './compression.ts'
import { entityTag, isHeld } from './entity-tag.ts'

/** Brotli's 9 takes 20 ms for 300 kB and is 8 % smaller than 5; a script of megabytes would take a second. */
const encoders = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: bytes.length < 1_000_000 ? 9 : 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: promisify(gzip),
} as const satisfies Readonly<Record<Encoding, unknown>>

interface Kept {
  readonly content: string | Buffer
  readonly tag: string
  readonly encoded: Map<Encoding, Promise<Buffer>>
}

/**
 * Answers of the routes that `app` gets after this leave compressed, with an ETag. For texts and files that are the
 * same for everybody while the process runs. Each is compressed once per encoding and kept in memory under the
 * route's path, or under what `keyOf` answers: it must not answer with ever new keys.
 */
export function serveFixedAnswers(
  app: FastifyInstance,
  keyOf: (request: FastifyRequest) => string = ({ routeOptions }) => routeOptions.url ?? '',
): void {
  const keptByKey = new Map<string, Kept>()
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const isKept = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isKept || reply.statusCode !== 200) return payload
    const kept = keep(keptByKey, keyOf(request), payload)
    const encoding = encodingFor(request)
    return sendKept(request, reply, kept, encoding)
  })
}

function keep(keptByKey: Map<string, Kept>, key: string, content: string | Buffer): Kept {
  const known = keptByKey.get(key)
  if (known?.content === content) return known
  const tag = hash('sha256', content, 'base64url').slice(0, 27)
  const kept = { content, tag, encoded: new Map() }
  keptByKey.set(key, kept)
  return kept
}

async function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  { content, tag, encoded }: Kept,
  encoding: Encoding | undefined,
): Promise<string | Buffer | null> {
  const answer = { tag, isCompressed: true }
  reply.header('ETag', entityTag(request, answer)).header('Vary', 'Accept-Encoding')
  if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-cache')
  if (isHeld(request, answer)) {
    reply.code(304).removeHeader('Content-Length')
    return null
  }
  if (encoding === undefined) return content
  const bytes = encoded.get(encoding) ?? encoders[encoding](Buffer.from(content))
  encoded.set(encoding, bytes)
  reply.header('Content-Encoding', encoding).removeHeader('Content-Length')
  return bytes
}
