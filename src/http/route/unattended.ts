import type { FastifyRequest } from 'fastify'

/** For the description of a sign-in. */
export const unattendedWords =
  'Запрос с заголовком X-Unattended (любое значение) вход не продлевает — так страница ' +
  'обновляет себя сама, и открытая, но забытая страница не остаётся со входом.'

/** Whether a page sent the request by itself. The session it comes with is not used by it. */
export function isUnattended({ headers }: FastifyRequest): boolean {
  return headers['x-unattended'] !== undefined
}
