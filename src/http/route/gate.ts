import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Admission, Admit, Caller, KeyCaller } from '../../identity/keys/admission.ts'
import type { openRevocationCheck } from '../../identity/keys/api-keys.ts'
import { maskKeys, readKey } from '../../platform/kernel/api-key.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { rateLimited, ServiceError } from '../../platform/kernel/errors.ts'
import type { Mode } from '../../platform/kernel/mode.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import type { BucketState } from '../../platform/kernel/token-bucket.ts'
import { traceIdOf } from '../../platform/kernel/trace.ts'
import type { CallJournal } from '../../warehouse/journal/calls.ts'
import { refusedReceipt } from '../../warehouse/journal/refused-receipts.ts'
import { admitReading } from './early-read.ts'
import { errorStatus } from './operation.ts'
import { rateHeaders } from './rate-headers.ts'
import { requestedError } from './requested-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose data the request is about; set by the gate. */
    caller: Caller | KeyCaller | null
    /** The code of the error that was answered. */
    refusedWith: string | undefined
    /** Set by the gate of the account, whose sessions end. */
    refusalSince?: () => Promise<ServiceError | undefined>
  }
  interface FastifyContextConfig {
    /** Routes that need no key. */
    open?: boolean
    /** Routes whose refusals are kept with the bodies that came. */
    keepsRefusals?: boolean
  }
}

export interface GateDependencies {
  readonly admit: Admit
  readonly calls: CallJournal
  readonly clock: Clock
  /** Copies the scenario into a sandbox that has no data. */
  readonly prepareSandbox: (clientId: string) => Promise<void>
}

/**
 * The gate of all paths below /v1. Before it reads the body it checks the key, then the key's
 * bucket. Every answer but 401 has the state of the bucket in its headers; the journal gets every
 * call. A call with a test key that asks for an error gets it here.
 */
export function addGate(app: FastifyInstance, gate: GateDependencies): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('early', undefined)
  app.addHook('onRequest', async (request, reply) => {
    // A closed connection has no address any more, so this reads it at the start.
    const address = request.ip ?? 'unknown'
    // The judgement and the answer; the caller may hang up before either.
    let open = 2
    const end = () => {
      open -= 1
      if (open === 0) record(gate, request, reply, address)
    }
    reply.raw.once('close', end)
    try {
      if (!request.routeOptions.config?.open) await pass(gate, request, reply)
    } finally {
      end()
    }
  })
}

/** The status in the journal of a call whose caller hung up before the answer. */
const hungUp = 499

function record(
  gate: GateDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  address: string,
): void {
  const { caller, refusedWith, body } = request
  const isKept = request.routeOptions.config?.keepsRefusals && refusedWith !== undefined
  gate.calls.record({
    at: gate.clock.now() - Math.round(reply.elapsedTime),
    method: request.method,
    path: pathOf(request.originalUrl),
    ip: address,
    status: reply.raw.writableFinished ? reply.statusCode : hungUp,
    requestId: request.id,
    durationMs: Math.round(reply.elapsedTime),
    errorCode: refusedWith,
    traceId: traceIdOf(request.headers.traceparent),
    ...(caller !== null && isKeyCaller(caller) ? { caller } : {}),
    ...(isKept ? { refused: refusedReceipt(refusedWith, body) } : {}),
  })
}

export const noKey =
  'Ключ не передан: добавьте заголовок Authorization: Bearer <ключ> или X-Api-Key: <ключ>. ' +
  'Тестовый ключ даёт POST /v1/sandbox/keys'
const noBearer =
  'Заголовок Authorization передан не в том виде: нужно слово Bearer, пробел и ключ — Authorization: Bearer <ключ>'
const brokenKey = 'Это не ключ: проверьте, что он скопирован целиком и без лишних знаков'
const unknownKey = 'Такого ключа нет'

const admissions = new WeakMap<IncomingMessage, Promise<Admission>>()

/** The admission that the gate has asked for; undefined for a request that has not come to it. */
export function admissionOf(request: IncomingMessage): Promise<Admission> | undefined {
  return admissions.get(request)
}

async function pass(
  gate: GateDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const text = keyIn(request.headers)
  if (text === undefined) {
    throw new ServiceError('unauthorized', request.headers.authorization ? noBearer : noKey)
  }
  const key = readKey(text)
  if (key === undefined) throw new ServiceError('unauthorized', brokenKey)
  const asked = admitReading(gate.admit, key.hash, request)
  admissions.set(request.raw, asked)
  const admission = await asked
  if (admission.kind === 'unknown') throw new ServiceError('unauthorized', unknownKey)
  if (admission.kind === 'moved') {
    showBucket(reply, admission.bucket)
    throw movedError(request)
  }
  request.caller = admission.caller
  if (admission.kind === 'revoked') throw new ServiceError('key_revoked')
  const { bucket, caller } = admission
  if (admission.kind === 'limited') {
    showBucket(reply, bucket)
    throw rateLimited(bucket.retryAfterSeconds)
  }
  answerRequestedError(request, reply, caller.mode, bucket)
  showBucket(reply, bucket)
  if (!admission.caller.dataReady) {
    request.early = undefined
    await gate.prepareSandbox(admission.caller.clientId)
  }
}

const hasMoved = 'Склад переехал, адрес прежний: повторите запрос через несколько секунд'

/** The answers to a server that is not there: 502 where a receipt is announced, 500 elsewhere. */
function movedError({ routeOptions: { config } }: FastifyRequest): ServiceError {
  return config?.keepsRefusals
    ? new ServiceError('warehouse_unavailable')
    : new ServiceError('internal', hasMoved)
}

/** Throws the error that the request asks for, under the headers that such an error has. */
export function answerRequestedError(
  request: FastifyRequest,
  reply: FastifyReply,
  mode: Mode,
  bucket: BucketState,
): void {
  const error = requestedError(request, mode)
  if (error === undefined) return
  if (error.code === 'rate_limited') showBucket(reply, { ...bucket, remaining: 0 })
  else if (errorStatus[error.code] !== 401) showBucket(reply, bucket)
  throw error
}

/** A key in Authorization has precedence over X-Api-Key. Ignores schemes other than Bearer. */
export function keyIn(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')
  if (bearer !== null) return bearer[1]
  const header = headers['x-api-key']
  return Array.isArray(header) ? header[0] : header
}

export function showBucket(reply: FastifyReply, bucket: BucketState): void {
  reply.headers(rateHeaders(bucket))
}

const pathLengthMax = 1000

/** The path for the journal, without its query and without a key that was sent in it by mistake. */
function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return maskKeys((mark < 0 ? url : url.slice(0, mark)).replace(/%5f/gi, '_')).slice(
    0,
    pathLengthMax,
  )
}

/** The caller of a request that passed the gate. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null)
    throw new Error('a route behind the gate was reached without a caller')
  return request.caller
}

const isKeyCaller = (caller: Caller | KeyCaller): caller is KeyCaller => 'keyId' in caller

export function keyCallerOf(request: FastifyRequest): KeyCaller {
  const caller = callerOf(request)
  if (isKeyCaller(caller)) return caller
  throw new Error('a route of keys was reached without one')
}

/** Why a caller who passed the gate would not pass it any more; undefined where nothing has changed. */
export async function refusalSince(
  isRevoked: ReturnType<typeof openRevocationCheck>,
  request: FastifyRequest,
): Promise<ServiceError | undefined> {
  const { clientId, actor } = callerOf(request)
  if (actor.kind === 'key' && (await isRevoked({ clientId, keyId: actor.keyId }))) {
    return new ServiceError('key_revoked')
  }
  return request.refusalSince?.()
}

/** When the caller's key was last used successfully before this request. */
export function lastUseOf(calls: CallJournal, caller: KeyCaller): Timestamp | null {
  return calls.lastUse(caller.keyId, caller.lastUsedAt)
}
