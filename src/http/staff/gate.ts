import cookies from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRevokedDevice, type UnattendedPurpose } from '../../identity/staff/devices.ts'
import {
  type SessionMember,
  type StaffIdentity,
  type StaffMember,
  sessionSecondsMax,
  staffIdentity,
} from '../../identity/staff/identity.ts'
import { covers, type Role, roleLabels } from '../../identity/staff/roles.ts'
import { useUnattended } from '../../identity/staff/unattended.ts'
import type { Database } from '../../platform/db/connection.ts'
import { type CellMark, readStaffToken } from '../../platform/kernel/api-key.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { ServiceError } from '../../platform/kernel/errors.ts'
import { secretInCookie, setMarkedCookie } from '../route/marked-cookies.ts'
import { isUnattended, refuseOtherSites } from '../route/page-requests.ts'
import { text } from '../route/query.ts'
import { isNobody } from '../route/who.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent the request; set by the gate of the staff API. */
    member: StaffMember | null
  }
  interface FastifyInstance {
    /** Operations of the staff API that show or change money. */
    moneyOperations: Set<string>
  }
  interface FastifyContextConfig {
    /** The least role that may call the route; worker by default. */
    role?: Role
    /** Devices without a person that may call the route; none by default. */
    devices?: readonly UnattendedPurpose[]
    /** Whether a session needs to have proved its password shortly before. Tokens are not asked. */
    asksPassword?: boolean
    /** Whether the route shows or changes money: of managers only those whom an administrator lets. */
    money?: boolean
  }
}

export interface StaffGate {
  readonly db: Database
  readonly clock: Clock
  readonly baseUrl: string
  readonly cell: CellMark
}

/**
 * The gate of all paths below /staff/v1. It identifies the user by a session in a cookie or a token
 * in Authorization, and checks the role. Requests that change something must not come from pages of
 * other sites: browsers state the origin of a request, and other sites cannot forge it.
 */
export async function addStaffGate(app: FastifyInstance, gate: StaffGate): Promise<void> {
  // Awaited: cookies are parsed before the hook below reads them.
  await app.register(cookies)
  app.decorateRequest('member', null)
  app.decorate('moneyOperations', new Set<string>())
  app.addHook('onRoute', ({ schema, config }) => {
    const { operationId = '', tags = [] } = schema ?? {}
    if (config?.money) app.moneyOperations.add(operationId)
    else if (tags.includes('Деньги'))
      throw new Error(`${operationId} does not say that it is money`)
  })
  const identity = staffIdentity(gate.db, gate.clock)
  app.addHook('onRequest', async (request, reply) => {
    // No proxy or browser stores what staff see.
    reply.header('Cache-Control', 'no-store')
    refuseOtherSites(request, gate.baseUrl)
    if (request.routeOptions.config?.open) return
    const member = await memberOf(gate, identity, request)
      .catch((error) => refuseUnlessRevoked(gate.db, request, error))
      .catch((error) => nobodyOr(request, error))
    if (member === undefined) return reply.code(204).send()
    request.member = member
    const { role: needed = 'worker', asksPassword, money, devices } = request.routeOptions.config
    refuseDevice(member, devices)
    demandRole(request, needed)
    if (money) demandMoney(request)
    if (asksPassword) demandPassword(request)
  })
}

function seesMoney({ role, seesMoney }: StaffMember): boolean {
  return role === 'administrator' || (role === 'manager' && seesMoney)
}

/** Operations whose entries in the journal the member does not see: they tell prices and sums. */
export function hiddenOperationsOf(request: FastifyRequest): readonly string[] {
  return seesMoney(memberOn(request)) ? [] : [...request.server.moneyOperations]
}

export const notSignedIn =
  'Войдите: POST /staff/v1/session, или передайте Authorization: Bearer <токен>'

/** A device without a person reaches only what names its purpose. */
function refuseDevice(
  { device }: StaffMember,
  allowed: readonly UnattendedPurpose[] | undefined,
): void {
  if (device === undefined || allowed?.includes(device)) return
  throw new ServiceError(
    'forbidden',
    'Это устройство работает без входа и такого не делает: войдите на другом',
  )
}

async function memberOf(
  gate: StaffGate,
  identity: StaffIdentity,
  request: FastifyRequest,
): Promise<StaffMember | SessionMember> {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
    const hash = token === undefined ? undefined : readStaffToken(token)
    const member = hash && (await identity.ofToken(hash))
    if (member === undefined)
      throw new ServiceError('unauthorized', 'Такого токена нет, или он отозван')
    return member
  }
  const session = sessionOf(request)
  const expected = request.headers['x-staff-user']
  const isUse = !isUnattended(request)
  const member = session && (await identity.ofSession(session, { isUse }))
  if (!member) {
    // A device is nobody to the call that asks who has signed in: a person may do so on it, too.
    const mayBeDevice = expected === undefined && !request.routeOptions.config.mayBeNobody
    const device = mayBeDevice ? await deviceMember(gate, request) : undefined
    if (device !== undefined) return device
    throw new ServiceError('unauthorized', session === undefined ? notSignedIn : sessionIsOver)
  }
  // All tabs of a browser share the session: a tab says whose work it sends.
  if (expected !== undefined && expected !== member.id) {
    throw new ServiceError(
      'unauthorized',
      'На этом терминале вошёл другой сотрудник, войдите снова',
    )
  }
  return member
}

/** A device that works without a person, as a member with the least role, of its own warehouse. */
async function deviceMember(
  { db, clock }: StaffGate,
  request: FastifyRequest,
): Promise<StaffMember | undefined> {
  const secret = unattendedOf(request)
  const device = secret && (await useUnattended(db, clock.now(), secret))
  if (!device) return undefined
  const { id, name, purpose, warehouse_code: code } = device
  return {
    ...{ id, login: name, role: 'worker', seesMoney: false },
    ...{ warehouses: [code], device: purpose },
  }
}

/** Tells a handheld without a session whether a manager has revoked it; only paths of signing in get its cookie. */
async function refuseUnlessRevoked(
  db: Database,
  request: FastifyRequest,
  error: unknown,
): Promise<never> {
  const terminal = terminalOf(request)
  if (terminal === undefined || !(error instanceof ServiceError)) throw error
  const isWithoutSession = sessionOf(request) === undefined || error.message === sessionIsOver
  if (isWithoutSession && (await isRevokedDevice(db, terminal))) {
    throw new ServiceError('device_revoked')
  }
  throw error
}

/** Undefined where a page asked whether anybody has signed in and nobody has. */
function nobodyOr(request: FastifyRequest, error: unknown): undefined {
  if (!isNobody(request, error)) throw error
}

const sessionIsOver = 'Сессия закончилась, войдите снова'

const cookieName = 'sklad_session'

/** Of an enrolled handheld. */
const terminalCookieName = 'sklad_terminal'

/** Of an enrolled device that works without a person. */
const unattendedCookieName = 'sklad_device'

const browserCookieName = 'sklad_browser'

/** The session in the request's cookie; undefined where no cookie has the form of a session. */
export function sessionOf(request: FastifyRequest): string | undefined {
  return secretInCookie(request, cookieName)
}

/** What the browser got at an earlier sign-in; undefined for none. */
export function browserCookieOf(request: FastifyRequest): string | undefined {
  return secretInCookie(request, browserCookieName)
}

/** The secret of the enrolled handheld that sent the request; undefined for none. */
export function terminalOf(request: FastifyRequest): string | undefined {
  return secretInCookie(request, terminalCookieName)
}

/** The secret of the device without a person that sent the request; undefined for none. */
export function unattendedOf(request: FastifyRequest): string | undefined {
  return secretInCookie(request, unattendedCookieName)
}

/** Gives a session to the browser; undefined removes the browser's session. */
export function setSession(reply: FastifyReply, gate: StaffGate, secret: string | undefined): void {
  const seconds = sessionSecondsMax
  setMarkedCookie(reply, gate, { name: cookieName, secret, path: '/staff', seconds })
}

/** Only signing in gets what the browser and the handheld are known by. */
const signingIn = '/staff/v1/session'

/** Lets the browser be known at its next sign-in. */
export function setBrowserCookie(reply: FastifyReply, gate: StaffGate, secret: string): void {
  setMarkedCookie(reply, gate, { name: browserCookieName, secret, path: signingIn })
}

/** Makes the browser an enrolled handheld. */
export function setTerminal(reply: FastifyReply, gate: StaffGate, secret: string): void {
  setMarkedCookie(reply, gate, { name: terminalCookieName, secret, path: signingIn })
}

/** Makes the browser an enrolled device that works without a person: all its calls get the cookie. */
export function setUnattended(reply: FastifyReply, gate: StaffGate, secret: string): void {
  setMarkedCookie(reply, gate, { name: unattendedCookieName, secret, path: '/staff' })
}

/** The user who sent the request, on a route behind the gate. */
export function memberOn(request: FastifyRequest): StaffMember {
  if (request.member === null) throw new Error('a staff route was reached without a member')
  return request.member
}

/** Of a session, for changes that give power. */
export const passwordRule =
  'нужен вход с паролем не больше 15 минут назад, иначе 401 `password_required`; токену — нет.'

/**
 * For changes that give power: throws password_required for a session that has not proved its password shortly before.
 * Routes that always make such a change say so in their `config`.
 */
export function demandPassword(request: FastifyRequest): void {
  const member: StaffMember | SessionMember = memberOn(request)
  if ('hasProvedPassword' in member && !member.hasProvedPassword) {
    throw new ServiceError('password_required')
  }
}

/** A user of some warehouses makes and moves things only there. Throws forbidden. */
export function refuseOtherWarehouse(request: FastifyRequest, code: string | undefined): void {
  const own = memberOn(request).warehouses
  if (code === undefined || own.length === 0 || own.includes(code)) return
  throw new ServiceError('forbidden', `Вы работаете на складах ${own.join(', ')}, а не на ${code}`)
}

/** Throws forbidden for a lesser role. Routes name theirs in `config`. */
export function demandRole(request: FastifyRequest, needed: Role): void {
  if (covers(memberOn(request).role, needed)) return
  throw new ServiceError('forbidden', `Недостаточно прав: нужна роль «${roleLabels[needed]}»`)
}

/** For what shows money, where `config` of the route can't say so. Throws forbidden. */
export function demandMoney(request: FastifyRequest): void {
  if (seesMoney(memberOn(request))) return
  throw new ServiceError('forbidden', 'Деньги видят те менеджеры, которым разрешил администратор')
}

/** For what concerns all warehouses: throws forbidden for somebody who works in only some of them. */
export function refuseSomeWarehouses(request: FastifyRequest): void {
  if (memberOn(request).warehouses.length === 0) return
  throw new ServiceError(
    'forbidden',
    'Это касается всех складов: обратитесь к администратору всех складов',
  )
}

/** Restricts a list to the clients of the member's warehouses. */
export function ownScope(request: FastifyRequest): { readonly warehouses: readonly string[] } {
  return { warehouses: memberOn(request).warehouses }
}

/** The same within one warehouse that the request names. Throws forbidden for one that the member does not work in. */
export function scopeWithin(
  request: FastifyRequest,
  code: string | undefined,
): { readonly warehouses: readonly string[] } {
  if (code === undefined) return ownScope(request)
  refuseOtherWarehouse(request, code)
  return { warehouses: [code] }
}

export const warehouseFilter = text({ description: 'Только клиенты этого склада, по его коду.' })

/** The filter of a list with the clients that it covers: those of the warehouse that it names. Throws as scopeWithin. */
export function withinWarehouse<Asked extends { readonly warehouse_code: string | undefined }>(
  request: FastifyRequest,
  { warehouse_code: code, ...filter }: Asked,
) {
  return { ...filter, ...scopeWithin(request, code) }
}
