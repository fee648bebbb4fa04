import type { Span } from '../../../platform/process/spans.ts'
import type { Marketplace } from '../../../warehouse/clients/marketplace.ts'
import type { CallAttempt } from './calls.ts'

/** The span of one request to a marketplace. Its path names objects of the marketplace, never keys or buyers. */
export function callSpan(marketplace: Marketplace, attempt: CallAttempt): Span {
  const { call, status, failure, durationMs } = attempt
  return {
    name: `${call.method} ${marketplace}`,
    kind: 'client',
    durationMs,
    attributes: {
      'http.request.method': call.method,
      'http.response.status_code': status,
      'url.path': call.path,
      'error.type': failure,
      'sklad.marketplace': marketplace,
    },
    hasFailed: status === undefined || status >= 400,
  }
}
