import { parseExactly, type Redaction, redactBody } from './redaction.ts'

/** `shortened`: lists lost their last items. `omitted`: a file, or too large. */
export type BodyNote = 'shortened' | 'omitted'

export interface RecordedBody {
  /** JSON; null for no body, or one that is omitted. */
  readonly text: string | null
  readonly note: BodyNote | null
}

/** In characters of JSON, of one body. */
export const bodyMax = 64 * 1024
/** A larger body is not even read. */
const readMax = 4 * 1024 * 1024
const itemsKept = [100, 20, 5, 1]

const omitted: RecordedBody = { text: null, note: 'omitted' }
const none: RecordedBody = { text: null, note: null }

/** What is kept of a body's bytes. */
export function recordedBody(
  bytes: Buffer,
  contentType: string,
  redaction: Redaction,
): RecordedBody {
  if (bytes.length === 0) return none
  const isJson = contentType === '' || /\bjson\b/i.test(contentType)
  if (!isJson || bytes.length > readMax) return omitted
  try {
    return withinBounds(redactBody(parseExactly(bytes.toString('utf8')), redaction))
  } catch {
    return omitted
  }
}

/** What is kept of a request's body. */
export function recordedRequest(body: unknown, redaction: Redaction): RecordedBody {
  return body === undefined ? none : withinBounds(redactBody(body, redaction))
}

function withinBounds(body: unknown): RecordedBody {
  const whole = JSON.stringify(body)
  if (whole.length <= bodyMax) return { text: whole, note: null }
  for (const items of itemsKept) {
    const text = JSON.stringify(shortened(body, items))
    if (text.length <= bodyMax) return { text, note: 'shortened' }
  }
  return omitted
}

function shortened(value: unknown, items: number): unknown {
  if (Array.isArray(value)) return value.slice(0, items).map((item) => shortened(item, items))
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, shortened(inner, items)]),
  )
}
