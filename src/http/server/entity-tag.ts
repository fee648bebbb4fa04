import type { FastifyRequest } from 'fastify'
import { encodingFor } from './compression.ts'

/** An answer and its version, which is the same for all its encodings. */
export interface TaggedAnswer {
  readonly tag: string
  /** Whether the answer leaves compressed to callers who accept that. */
  readonly isCompressed: boolean
}

/**
 * The ETag of the bytes that this caller would get. Each encoding has one of its own, and no proxy marks an encoding as
 * this does, so what a proxy adds to a tag is recognised.
 */
export function entityTag(request: FastifyRequest, { tag, isCompressed }: TaggedAnswer): string {
  const encoding = isCompressed ? encodingFor(request) : undefined
  return encoding === undefined ? `"${tag}"` : `"${tag}.${encoding}"`
}

/**
 * Whether the caller has this answer. If-None-Match is a list of ETags, or a star that matches any. Proxies weaken a tag
 * (`W/`) or add the encoding in which they send the answer on; callers lose the quotes, or quote once more.
 */
export function isHeld(request: FastifyRequest, answer: TaggedAnswer): boolean {
  const header = request.headers['if-none-match']
  if (header === undefined) return false
  const own = bare(entityTag(request, answer))
  return header.split(',').some((each) => {
    if (each.trim() === '*') return true
    const given = bare(each)
    return given === own || isWithEncoding(given, own) || isWithEncoding(given, answer.tag)
  })
}

/** Apache, nginx, Jetty and caches of providers: `-gzip`, `;gzip`, `--gzip`, `-br`. */
const addedEncoding = /^(?:--?|[;+:_])(?:x-)?(?:gzip|gz|br|deflate|df|zstd|compress|identity)$/i

/** A tag may itself end in a sign that stands before an encoding. */
function isWithEncoding(given: string, tag: string): boolean {
  return given.startsWith(tag) && addedEncoding.test(given.slice(tag.length))
}

function bare(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//i, '')
    .replace(/["'\\]/g, '')
}
