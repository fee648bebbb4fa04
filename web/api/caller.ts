import { asSentences } from '../../src/platform/kernel/sentences.ts'
import { headersOf } from './unattended.ts'

/**
 * Calls an API of the service. `Calls` names each call by method and path, with what it takes and answers. It is made
 * from the API's own document, so a wrong call of a page does not pass the type check.
 */

import type { AskedBecause } from '../ui/sign-in/sign-in-again.ts'

interface Call {
  readonly answer: unknown
}
type Calls<C> = { readonly [Name in keyof C]: Call }

/** What a call takes beside its name. */
type Given<C> = Omit<C, 'answer'> & {
  readonly signal?: AbortSignal
  /** How long the answer may take where that is not as long as usual. */
  readonly patienceMs?: number
  /** How much of a file has come. A file may take longer than other answers. */
  readonly onBytes?: (bytes: number) => void
  /** What an answer says beside its object. */
  readonly onHeaders?: (headers: Headers) => void
}
type Rest<C> =
  Record<never, never> extends Omit<C, 'answer'> ? [given?: Given<C>] : [given: Given<C>]

export type Caller<C extends Calls<C>> = <Name extends keyof C & string>(
  name: Name,
  ...rest: Rest<C[Name]>
) => Promise<C[Name]['answer']>

/** What is wrong with one field of a call: `message` can stand under it. */
export interface WrongField {
  readonly path: string
  readonly message: string
}

interface About {
  readonly status?: number
  readonly fields?: readonly WrongField[] | undefined
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number
}

/** Why a call has no answer. `message` is for people, in Russian. */
export class CallError extends Error {
  /** The API's code; `offline` where the service did not answer. */
  readonly code: string
  /** 0 where the service did not answer. */
  readonly status: number
  /** Empty where the service names none. */
  readonly fields: readonly WrongField[]
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: string, message: string, about: About = {}) {
    super(message)
    this.code = code
    this.status = about.status ?? 0
    this.fields = about.fields ?? []
    this.requestId = about.requestId
    this.retryAfterSeconds = about.retryAfterSeconds
  }
}

/** What a page finds wrong before it asks the service. */
export function wrongField(path: string, message: string): CallError {
  return new CallError('validation_error', asSentences([message]), { fields: [{ path, message }] })
}

/** Why a call failed, without the names that its fields have. */
export function plainly({ fields, message }: CallError): string {
  return asSentences(fields.map((field) => field.message)) || message
}

export interface CallerOptions {
  /** Such as `/staff/v1`. */
  readonly prefix: string
  /** Asks the person to sign in again. Answers true when that has happened: the call is made once more. */
  readonly signInAgain: (because: AskedBecause) => Promise<boolean>
  /** Sent with each call. */
  readonly headers?: () => Readonly<Record<string, string>>
}

/** Whoever signs in is refused by 401, too. */
const signsIn = [
  '/session',
  '/session/pin',
  '/session/badge',
  '/session/key',
  '/invitations/accept',
]

const usualPatienceMs = 30_000

export function makeCaller<C extends Calls<C>>({
  prefix,
  signInAgain,
  headers = () => ({}),
}: CallerOptions): Caller<C> {
  const call = async (name: string, asked: LooseGiven = {}): Promise<unknown> => {
    const given = { ...asked, headers: { ...headers(), ...headersOf(asked.signal) } }
    const [method = 'GET', path = ''] = name.split(' ')
    const url = prefix + filled(path, given.path) + queryOf(given.query)
    const first = await send(method, url, given)
    const lost = first.status === 401 && !signsIn.includes(path)
    const again = lost && (await signInAgain(await arriving(given, reasonOf(first.clone()))))
    const answer = again ? await send(method, url, given) : first
    if (answer.ok) given.onHeaders?.(answer.headers)
    return arriving(given, contentOf(answer, given.onBytes))
  }
  return call as Caller<C>
}

async function reasonOf(refusal: Response): Promise<AskedBecause> {
  const { code } = await errorOf(refusal)
  return code === 'password_required' ? 'password' : 'ended'
}

interface LooseGiven {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly patienceMs?: number
  readonly onBytes?: (bytes: number) => void
  readonly onHeaders?: (headers: Headers) => void
  readonly headers?: Readonly<Record<string, string>>
}

function filled(path: string, values: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

/** Leaves out what is undefined or an empty text. */
export function queryOf(values: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return given.length === 0 ? '' : `?${query}`
}

/** Says `answer` whenever the service has answered: what was said of a lost connection is past. */
export const connection = new EventTarget()

async function send(method: string, url: string, given: LooseGiven): Promise<Response> {
  const { body, signal, patienceMs = usualPatienceMs, onBytes, headers = {} } = given
  const isBytes = body instanceof Blob || body instanceof FormData
  const ends = [signal, onBytes === undefined ? AbortSignal.timeout(patienceMs) : undefined]
  const init: RequestInit = {
    method,
    headers,
    signal: AbortSignal.any(ends.filter((end) => end !== undefined)),
  }
  if (body !== undefined) init.body = isBytes ? body : JSON.stringify(body)
  if (body !== undefined && !isBytes)
    init.headers = { ...headers, 'content-type': 'application/json' }
  const answer = await arriving(given, fetch(url, init))
  if (isJson(answer)) connection.dispatchEvent(new Event('answer'))
  return answer
}

/** An answer may be lost before it comes, and also halfway: its first line came in time, the rest did not. */
async function arriving<T>({ signal }: LooseGiven, part: Promise<T>): Promise<T> {
  try {
    return await part
  } catch (error) {
    if (signal?.aborted || error instanceof CallError) throw error
    throw new CallError('offline', 'Нет связи со складом: проверьте сеть')
  }
}

async function contentOf(answer: Response, onBytes: LooseGiven['onBytes']): Promise<unknown> {
  if (!answer.ok) throw await errorOf(answer)
  if (answer.status === 204) return undefined
  if (isJson(answer)) return answer.json()
  return onBytes === undefined ? answer.blob() : fileOf(answer, onBytes)
}

/** The browser keeps a large file on its disk. */
async function fileOf(answer: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  let bytes = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      bytes += part.length
      onBytes(bytes)
      controller.enqueue(part)
    },
  })
  const type = answer.headers.get('content-type') ?? ''
  const counted = answer.body?.pipeThrough(counting) ?? null
  try {
    return await new Response(counted, { headers: { 'content-type': type } }).blob()
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    throw new CallError('offline', 'Файл пришёл не целиком: попробуйте ещё раз')
  }
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/json') ?? false
}

type RefusedCall = Pick<CallError, 'code' | 'message'> & Partial<Pick<CallError, 'fields'>>

async function errorOf(answer: Response): Promise<CallError> {
  const { status, headers } = answer
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  const about = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    ...(Number.isNaN(retryAfter) ? {} : { retryAfterSeconds: retryAfter }),
  }
  // A proxy may answer in the service's place.
  if (!isJson(answer))
    return new CallError('offline', 'Склад сейчас не отвечает, попробуйте ещё раз', about)
  const { error } = (await answer.json()) as { error: RefusedCall }
  return new CallError(error.code, error.message, { ...about, fields: error.fields })
}
