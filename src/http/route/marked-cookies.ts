import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CellMark } from '../../platform/kernel/api-key.ts'

/**
 * Cookies that sign people and devices in. In a cell the value begins with the cell's mark and a dot, so that a proxy in front of
 * several cells sees where it belongs. The mark is no part of the secret: cookies without it are good as well.
 */
const form = /^(?:[0-9A-Za-z]\.)?([\w-]{43})$/

/** The secret in a cookie; undefined where no cookie of this name has the form of one. */
export function secretInCookie({ cookies }: FastifyRequest, name: string): string | undefined {
  return form.exec(cookies[name] ?? '')?.[1]
}

/** The longest that browsers keep a cookie. */
const keptSecondsMax = 400 * 86_400

export interface MarkedCookie {
  readonly name: string
  /** Undefined removes the cookie. */
  readonly secret: string | undefined
  /** Calls below it get the cookie. */
  readonly path: string
  /** How long the browser keeps it; by default as long as browsers do. */
  readonly seconds?: number
}

/** Gives a cookie to the browser: out of reach of scripts, and sent by no page of another site. */
export function setMarkedCookie(
  reply: FastifyReply,
  { baseUrl, cell }: { readonly baseUrl: string; readonly cell: CellMark },
  { name, secret, path, seconds = keptSecondsMax }: MarkedCookie,
): void {
  const value = secret !== undefined && cell !== '' ? `${cell}.${secret}` : (secret ?? '')
  reply.setCookie(name, value, {
    path,
    maxAge: secret === undefined ? 0 : seconds,
    httpOnly: true,
    sameSite: 'strict',
    secure: baseUrl.startsWith('https:'),
  })
}
