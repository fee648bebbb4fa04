import type { FastifyRequest } from 'fastify'

/**
 * Cookies that sign people and devices in. In a cell the value begins with the cell's mark and a dot, so that a proxy in front of
 * several cells sees where it belongs. The mark is no part of the secret: cookies from before it are good as well.
 */
const form = /^(?:[0-9A-Za-z]\.)?([\w-]{43})$/

/** The secret in a cookie; undefined where no cookie of this name has the form of one. */
export function secretInCookie({ cookies }: FastifyRequest, name: string): string | undefined {
  return form.exec(cookies[name] ?? '')?.[1]
}

/** The value of a cookie. `cell` is empty where there are no cells, and the secret where the cookie is removed. */
export function markedCookie(cell: string, secret: string): string {
  return cell === '' || secret === '' ? secret : `${cell}.${secret}`
}
