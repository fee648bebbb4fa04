import type { FastifyRequest } from 'fastify'
import { excerpt, ServiceError } from '../../platform/kernel/errors.ts'

/** Browsers send cookies with requests of other sites' pages: such requests may change nothing. */
export function refuseOtherSites(request: FastifyRequest, baseUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw otherSite('откройте страницу самого сервиса и повторите')
  }
  if (origin === undefined || isOwn(origin, host, baseUrl)) return
  // A proxy that rewrites Host makes the service's own pages look like those of others.
  throw otherSite(
    `со страницы ${excerpt(origin)}. Если это адрес самого сервиса, администратор сервера ` +
      `указывает его в настройке BASE_URL, сейчас там ${baseUrl}`,
  )
}

function otherSite(more: string): ServiceError {
  return new ServiceError('forbidden', `Запрос пришёл с чужого сайта: ${more}`)
}

function isOwn(origin: string, host: string | undefined, baseUrl: string): boolean {
  const parsed = URL.parse(origin)
  return parsed !== null && (parsed.host === host || parsed.origin === new URL(baseUrl).origin)
}

/** For the description of a sign-in. */
export const unattendedWords =
  'Запрос с заголовком X-Unattended (любое значение) вход не продлевает — так страница ' +
  'обновляет себя сама, и открытая, но забытая страница не остаётся со входом.'

/** Whether a page sent the request by itself. The session it comes with is not used by it. */
export function isUnattended({ headers }: FastifyRequest): boolean {
  return headers['x-unattended'] !== undefined
}
