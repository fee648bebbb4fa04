import type { Span } from '../../platform/process/spans.ts'
import type { AttemptedEvent } from './queue-attempts.ts'
import type { Attempt } from './send.ts'

/** The span of one attempt of a delivery. */
export function attemptSpan({ ok, statusCode, durationMs }: Attempt, event: AttemptedEvent): Span {
  return {
    name: `POST webhook ${event.type}`,
    kind: 'client',
    durationMs,
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': statusCode === 0 ? undefined : statusCode,
      'sklad.event_id': event.id,
      'sklad.event_type': event.type,
    },
    hasFailed: !ok,
  }
}
