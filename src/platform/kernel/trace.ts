/** What a caller's header `traceparent` names (W3C Trace Context). */
export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  /** The caller records its part of the trace. */
  readonly isSampled: boolean
}

/** Undefined for a header of another form. Versions after 00 may have more behind the flags. */
export function traceParentOf(header: string | string[] | undefined): TraceParent | undefined {
  const [, version, traceId, spanId, flags, more] =
    /^([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(
      String(header),
    ) ?? []
  if (traceId === undefined || spanId === undefined || version === 'ff') return undefined
  if (version === '00' && more !== undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags ?? '0', 16) & 1) === 1 }
}

/** The id of the caller's trace, for log and journal. */
export function traceIdOf(header: string | string[] | undefined): string | undefined {
  return traceParentOf(header)?.traceId
}
