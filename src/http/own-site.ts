import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../kernel/errors.ts'

/** Browsers send cookies with requests of other sites' pages: such requests may change nothing. */
export function refuseOtherSites(request: FastifyRequest, baseUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  const own = origin === undefined || isOwn(origin, host, baseUrl)
  const sameSite = site === undefined || site === 'same-origin' || site === 'none'
  if (!own || !sameSite) throw new ServiceError('forbidden', 'Запрос пришёл с чужого сайта')
}

function isOwn(origin: string, host: string | undefined, baseUrl: string): boolean {
  const parsed = URL.parse(origin)
  return parsed !== null && (parsed.host === host || parsed.origin === new URL(baseUrl).origin)
}
