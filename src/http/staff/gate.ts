import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../db/connection.ts'
import { readStaffToken } from '../../kernel/api-key.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { covers, type Role, roleLabels } from '../../staff/roles.ts'
import {
  memberOfSession,
  memberOfToken,
  type StaffMember,
  sessionSecondsMax,
} from '../../staff/sign-in.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; set by the gate of the staff side. */
    member: StaffMember | null
  }
  interface FastifyContextConfig {
    /** The least role that may do this; anybody who is signed in where none is named. */
    role?: Role
  }
}

export interface StaffGate {
  readonly db: Database
  readonly clock: Clock
  readonly baseUrl: string
}

/**
 * The gate before everything below /staff/v1: who asks, by a session in a cookie or a token in
 * Authorization, and whether the role may. With a cookie, a change must come from a page of this
 * service: browsers say where a request comes from, and other sites can't make them lie.
 */
export function addStaffGate(app: FastifyInstance, gate: StaffGate): void {
  app.decorateRequest('member', null)
  app.addHook('onRequest', async (request, reply) => {
    // Nothing of what staff see is kept by anybody on the way.
    reply.header('Cache-Control', 'no-store')
    refuseOtherSites(request, gate.baseUrl)
    if (request.routeOptions.config?.open) return
    request.member = await memberOf(gate, request)
    const needed = request.routeOptions.config?.role ?? 'worker'
    if (!covers(request.member.role, needed)) {
      throw new ApiError('forbidden', `Недостаточно прав: нужна роль «${roleLabels[needed]}»`)
    }
  })
}

async function memberOf(gate: StaffGate, request: FastifyRequest): Promise<StaffMember> {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
    const hash = token === undefined ? undefined : readStaffToken(token)
    const member = hash && (await memberOfToken(gate.db, gate.clock, hash))
    if (member === undefined)
      throw new ApiError('unauthorized', 'Такого токена нет, или он отозван')
    return member
  }
  const session = sessionOf(request)
  if (session === undefined) {
    throw new ApiError(
      'unauthorized',
      'Войдите: POST /staff/v1/session, или передайте Authorization: Bearer <токен>',
    )
  }
  const member = await memberOfSession(gate.db, gate.clock, session)
  if (member === undefined) throw new ApiError('unauthorized', 'Сессия закончилась, войдите снова')
  return member
}

/** Cookies are sent with requests that other sites make, so such requests may not change anything. */
function refuseOtherSites(request: FastifyRequest, baseUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  const own = origin === undefined || isOwn(origin, host, baseUrl)
  const sameSite = site === undefined || site === 'same-origin' || site === 'none'
  if (!own || !sameSite) throw new ApiError('forbidden', 'Запрос пришёл с чужого сайта')
}

function isOwn(origin: string, host: string | undefined, baseUrl: string): boolean {
  const parsed = URL.parse(origin)
  return parsed !== null && (parsed.host === host || parsed.origin === new URL(baseUrl).origin)
}

const cookieName = 'sklad_session'

export function sessionOf(request: FastifyRequest): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === cookieName && /^[\w-]{43}$/.test(value ?? '')) return value
  }
  return undefined
}

/** Hands a session to the browser, or takes it away. */
export function setSession(
  reply: FastifyReply,
  { baseUrl }: StaffGate,
  session: string | undefined,
): void {
  const parts = [
    `${cookieName}=${session ?? ''}`,
    'Path=/staff',
    `Max-Age=${session === undefined ? 0 : sessionSecondsMax}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(baseUrl.startsWith('https:') ? ['Secure'] : []),
  ]
  reply.header('Set-Cookie', parts.join('; '))
}

/** Who asks, on a route behind the gate. */
export function memberOn(request: FastifyRequest): StaffMember {
  if (request.member === null) throw new Error('a staff route was reached without a member')
  return request.member
}
