import type { Database } from '../../../platform/db/connection.ts'
import type { Clock } from '../../../platform/kernel/clock.ts'
import type { WarningLog } from '../../../platform/kernel/log.ts'
import { fromTimestamp, type Timestamp, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import type { CallAttempt } from '../calls/calls.ts'
import { type RecordedBody, recordedBody, recordedRequest } from './recorded-body.ts'
import { redactHeaders, redactPath, redactQuery } from './redaction.ts'
import { insertCalls, type RecordedRow } from './store.ts'

/**
 * Keeps the raw calls of cabinets for which a manager has switched it on (`cabinets.calls_recorded_until`).
 *
 * - Off, it costs nothing: the connector has no observer.
 * - On, an attempt only joins a queue. Redaction and writing happen beside the call, in batches: they neither delay it nor
 *   let it fail. When the queue is full, new attempts are dropped and logged.
 * - Only what was redacted leaves the memory of the process.
 * - The statement that writes looks at the switch once more: after it is switched off, nothing is kept.
 */
export interface CallRecorder {
  /** The observer for a cabinet's connector; undefined while its calls are not kept. */
  observer(cabinet: RecordedCabinet): ((attempt: CallAttempt) => void) | undefined
  /** Writes what waits. */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface RecordedCabinet {
  readonly clientId: string
  readonly cabinetId: string
  readonly until: Timestamp | null
  /** Never kept, wherever they occur. */
  readonly secrets: readonly string[]
}

interface Waiting {
  readonly cabinet: RecordedCabinet
  readonly attempt: CallAttempt
}

const intervalMs = 500
const waitingMax = 1_000
const waitingBytesMax = 64 * 1024 * 1024
const batchMax = 50

export function openCallRecorder(
  db: Database,
  clock: Clock,
  log: Pick<WarningLog, 'warn'>,
): CallRecorder {
  let waiting: Waiting[] = []
  let waitingBytes = 0
  let flushing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  function add(cabinet: RecordedCabinet, attempt: CallAttempt): void {
    const bytes = attempt.bytes?.length ?? 0
    if (waiting.length >= waitingMax || waitingBytes + bytes > waitingBytesMax) {
      log.warn({ cabinet: cabinet.cabinetId }, 'a raw call is not kept: too many wait')
      return
    }
    waiting.push({ cabinet, attempt })
    waitingBytes += bytes
    timer ??= setTimeout(() => void flush(), intervalMs).unref()
  }

  async function writeWaiting(): Promise<void> {
    timer = undefined
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax)
      waiting = waiting.slice(batchMax)
      const rows: RecordedRow[] = []
      for (const { cabinet, attempt } of batch) {
        waitingBytes -= attempt.bytes?.length ?? 0
        rows.push(rowOf(cabinet, attempt))
        // Reading a large body takes milliseconds: requests get their turn in between.
        await new Promise((resolve) => setImmediate(resolve))
      }
      await insertCalls(db, rows)
    }
  }

  function flush(): Promise<void> {
    flushing = flushing.then(writeWaiting).catch(() => {
      // The error may quote a row, and the log keeps no calls.
      log.warn({}, 'raw calls of a cabinet are lost: they could not be written')
    })
    return flushing
  }

  return {
    observer(cabinet) {
      const { until } = cabinet
      if (until === null || fromTimestamp(until) <= clock.now()) return undefined
      const end = fromTimestamp(until)
      return (attempt) => {
        if (attempt.requestedAt < end) add(cabinet, attempt)
      }
    },
    flush,
    async close() {
      clearTimeout(timer)
      await flush()
    },
  }
}

const nothing: RecordedBody = { text: null, note: null }

function rowOf(cabinet: RecordedCabinet, attempt: CallAttempt): RecordedRow {
  const { clientId, cabinetId, secrets } = cabinet
  const { call, requestedAt, durationMs, status, headers = {}, bytes, failure } = attempt
  const path = redactPath(call.path, secrets)
  const redaction = { path, secrets }
  const request = recordedRequest(call.body, redaction)
  const contentType = String(headers['content-type'] ?? '')
  const answer = bytes === undefined ? nothing : recordedBody(bytes, contentType, redaction)
  return {
    client_id: clientId,
    cabinet_id: cabinetId,
    at: toTimestamp(requestedAt),
    call: `${call.method} ${patternOf(path)}`,
    method: call.method,
    path,
    query: redactQuery(call.query ?? {}, secrets),
    request_body: request.text,
    request_note: request.note,
    status: status ?? null,
    headers: redactHeaders(headers, secrets),
    answer_body: answer.text,
    answer_note: answer.note,
    answer_bytes: bytes?.length ?? 0,
    duration_ms: Math.round(durationMs),
    failure: failure ?? null,
  }
}

/** The path with `{id}` in place of numbers of objects. */
function patternOf(path: string): string {
  const isNumber = (part: string) => /^(?:\d+|WB-[\w-]+)$/.test(part)
  return path
    .split('/')
    .map((part) => (isNumber(part) ? '{id}' : part))
    .join('/')
}
