import { KeyedMutex } from '../platform/concurrency/keyed-mutex.ts'
import type { Database, Queryable, Transaction } from '../platform/db/connection.ts'
import { inTransaction } from '../platform/db/connection.ts'
import type { Work } from '../platform/db/work.ts'
import type { Clock } from '../platform/kernel/clock.ts'
import { notFound, ServiceError } from '../platform/kernel/errors.ts'
import { isId, newId } from '../platform/kernel/ids.ts'
import { type Timestamp, toTimestamp } from '../platform/kernel/moscow-time.ts'

/**
 * Receivers of sandboxes: addresses of the service that take webhooks in and answer as their owner
 * listed. Their state is in the database, so any process may take a request in.
 *
 *   answers 500, timeout, 204:  1st request 500, 2nd none in time, 3rd and all later ones 204
 *
 * A ping gets 204 and uses up no answer.
 */
export const receiversMax = 5
export const receiversLimitMessage = `Уже есть ${receiversMax} приёмников: удалите их вместе с данными, POST /v1/sandbox/reset`
export const answersMax = 20
/** Requests that a receiver keeps: the newest ones, as long as their bodies fit into `keptBytesMax`. */
export const keptMax = 100
const keptBytesMax = 4 * 1024 * 1024

export const timeoutAnswer = 'timeout'
const pingStatus = 204

export interface ReceivedRequest {
  readonly at: Timestamp
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signature_valid: boolean
  readonly answer: string
}

export interface SandboxReceiverView {
  readonly id: string
  readonly url: string
  readonly answers: readonly string[]
  readonly requests: readonly ReceivedRequest[]
}

interface ArrivingRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly isPing: boolean
  readonly signatureFits: boolean
}

export interface SandboxReceivers {
  addressOf(id: string): string
  has(clientId: string, url: string): Promise<boolean>
  mayBe(url: string): boolean
  take(
    clientId: string,
    url: string,
    makeRequest: () => ArrivingRequest,
  ): Promise<number | 'timeout' | undefined>
}

export function openSandboxReceivers(
  db: Database,
  clock: Clock,
  baseUrl: string,
): SandboxReceivers {
  const prefix = `${baseUrl}/sandbox/receivers/`
  // A reset locks receivers; what arrives meanwhile waits here, and one of it with a connection.
  const taking = new KeyedMutex()
  const idOf = (url: string) => {
    const id = url.startsWith(prefix) ? url.slice(prefix.length) : ''
    return isId(id) ? id : undefined
  }
  return {
    addressOf: (id) => prefix + id,
    mayBe: (url) => url.startsWith(prefix),
    async has(clientId, url) {
      const id = idOf(url)
      return id !== undefined && (await findAnswers(db, clientId, id)) !== undefined
    },
    async take(clientId, url, makeRequest) {
      const id = idOf(url)
      if (id === undefined) return undefined
      const request = makeRequest()
      const answer = await taking.run(clientId, () =>
        inTransaction(db, (tx) =>
          takeIn(tx, { clientId, id, at: toTimestamp(clock.now()) }, request),
        ),
      )
      if (answer === undefined || answer === timeoutAnswer) return answer
      return Number(answer)
    },
  }
}

async function findAnswers(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<string[] | undefined> {
  const [row] = await db<{ answers: string[] }[]>`
    select answers from sandbox_receivers where client_id = ${clientId} and id = ${id}`
  return row?.answers
}

interface Arrival {
  readonly clientId: string
  readonly id: string
  readonly at: Timestamp
}

/** Keeps the request and says the answer; undefined where the client has no such receiver. */
async function takeIn(
  tx: Transaction,
  { clientId, id, at }: Arrival,
  { headers, body, isPing, signatureFits }: ArrivingRequest,
): Promise<string | undefined> {
  const [row] = await tx<{ answer: string; received: number }[]>`
    update sandbox_receivers set received = received + 1, used = used + ${isPing ? 0 : 1}
    where client_id = ${clientId} and id = ${id}
    returning answers[least(used, cardinality(answers))] as answer, received`
  if (row === undefined) return undefined
  const answer = isPing ? String(pingStatus) : row.answer
  await tx`
    insert into sandbox_received
      (client_id, receiver_id, number, at, headers, body, signature_valid, answer)
    values (${clientId}, ${id}, ${row.received}, ${at}, ${tx.json(headers)}, ${body},
      ${signatureFits}, ${answer})`
  await tx`
    delete from sandbox_received r using (
      select number, sum(octet_length(body)) over (order by number desc) as bytes
      from sandbox_received where client_id = ${clientId} and receiver_id = ${id}
    ) k
    where r.client_id = ${clientId} and r.receiver_id = ${id} and r.number = k.number
      and r.number < ${row.received}
      and (r.number <= ${row.received - keptMax} or k.bytes > ${keptBytesMax})`
  return answer
}

/** Throws webhook_limit. The transaction of `work` holds the sandbox. */
export async function addReceiver(
  { tx, at }: Work,
  clientId: string,
  answers: readonly string[],
): Promise<string> {
  const [known] = await tx<[{ count: number }]>`
    select count(*)::int as count from sandbox_receivers where client_id = ${clientId}`
  if (known.count >= receiversMax) {
    throw new ServiceError('webhook_limit', receiversLimitMessage)
  }
  const id = newId()
  await tx`
    insert into sandbox_receivers (client_id, id, answers, created_at)
    values (${clientId}, ${id}, ${[...answers]}, ${at})`
  return id
}

/** What a receiver has got, newest first. Throws not_found. */
export async function readReceiver(
  db: Database,
  receivers: SandboxReceivers,
  clientId: string,
  id: string,
): Promise<SandboxReceiverView> {
  const answers = isId(id) ? await findAnswers(db, clientId, id) : undefined
  if (answers === undefined) throw notFound()
  const requests = await db<ReceivedRequest[]>`
    select at, headers, body, signature_valid, answer from sandbox_received
    where client_id = ${clientId} and receiver_id = ${id} order by number desc limit ${keptMax}`
  return { id, url: receivers.addressOf(id), answers, requests }
}
