import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/db/connection.ts'
import { isUnavailable } from '../../platform/db/connections/errors.ts'
import { performTogether } from '../../platform/db/together.ts'
import { inTime, type TransactionMode } from '../../platform/db/transaction.ts'
import type { InTurn, SharedWork, Work } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import type { Requester } from '../journal/receipt-journal.ts'
import {
  type ReceiptRequest,
  type RequestedReceipt,
  requestReceipt,
  requestReceipts,
} from './request.ts'

/** How long a request waits for its lock and the database before it is given up. */
const intakeTimeoutMs = 5_000

/** Runs verbs in a transaction of the caller's own. */
export type OwnTransaction = (
  verbs: (work: Work, mode: TransactionMode) => Promise<RequestedReceipt>,
) => Promise<RequestedReceipt>

/** With `own` the request goes alone, else it may share a transaction. */
export type ReceiptIntake = (
  request: ReceiptRequest,
  own: OwnTransaction | undefined,
) => Promise<RequestedReceipt>

/**
 * Takes requests of receipts in. If the connection is lost during the commit, the journal shows whether the request was
 * committed; if the journal cannot be read either, the error is one that promises nothing.
 *
 * @param turnOf in whose turn a request that can't share a transaction is tried alone, by client
 */
export function openReceiptIntake(
  db: Database,
  clock: Clock,
  turnOf: (clientId: string) => InTurn,
): ReceiptIntake {
  const together = performTogether(db, clock, requestNoted, {
    aloneMs: intakeTimeoutMs,
    turnOf: ({ requester }) => turnOf(requester.clientId),
  })
  return async (request, own) => {
    const noted: NotedRequest = { ...request, uncommitted: undefined }
    try {
      return await (own === undefined ? together(noted) : requestAlone(own, noted))
    } catch (error) {
      const { uncommitted } = noted
      if (!isUnavailable(error) || uncommitted === undefined) throw error
      if (await isRequestRecorded(db, request.requester).catch(() => false)) return uncommitted
      throw new Error('the commit of a receipt request got no answer', { cause: error })
    }
  }
}

/** A request, and what a transaction decided on it that may not be committed. */
interface NotedRequest extends ReceiptRequest {
  uncommitted: RequestedReceipt | undefined
}

async function requestNoted(work: SharedWork, requests: readonly NotedRequest[]) {
  for (const request of requests) request.uncommitted = undefined
  const verdicts = await requestReceipts(work, requests)
  for (const [index, request] of requests.entries()) {
    const verdict = verdicts[index]
    if (verdict?.kind === 'done') request.uncommitted = verdict.result
  }
  return verdicts
}

function requestAlone(own: OwnTransaction, noted: NotedRequest): Promise<RequestedReceipt> {
  return own((work, { lockWaitMsMax }) => {
    noted.uncommitted = undefined
    const decide = async () => {
      const { requester, draft, idempotencyKey } = noted
      noted.uncommitted = await requestReceipt(work, requester, draft, idempotencyKey)
      return noted.uncommitted
    }
    return inTime(work.tx, intakeTimeoutMs, decide, lockWaitMsMax)
  })
}

const lookUps = 5
const lookUpPauseMs = 200

/**
 * Whether the journal has a request whose commit got no answer. The database may still be
 * committing, so this looks several times, for a second in all.
 */
async function isRequestRecorded(db: Database, requester: Requester): Promise<boolean> {
  for (let attempt = 1; attempt <= lookUps; attempt++) {
    const found = await db`
      select from (
        select request_id from receipt_journal
        where client_id = ${requester.clientId} order by entry desc limit 1000
      ) j where j.request_id = ${requester.requestId}`
    if (found.length > 0) return true
    await sleep(lookUpPauseMs)
  }
  return false
}
