import type { ErrorCode } from '../../platform/kernel/errors.ts'

/** The HTTP status of every error code. */
export const errorStatus: Readonly<Record<ErrorCode, number>> = {
  unauthorized: 401,
  key_revoked: 401,
  rate_limited: 429,
  not_found: 404,
  bad_request: 400,
  bad_cursor: 400,
  internal: 500,
  validation_error: 400,
  cabinet_required: 400,
  mixed_marking: 400,
  write_disabled: 503,
  warehouse_unavailable: 502,
  webhook_url_unverified: 400,
  webhook_limit: 400,
  webhooks_unavailable: 503,
  sandbox_only: 403,
  conflict: 409,
  forbidden: 403,
  device_revoked: 401,
  password_required: 401,
  marketplace_unavailable: 502,
  unavailable: 503,
}
